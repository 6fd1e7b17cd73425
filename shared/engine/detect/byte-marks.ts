import { block, loadMarks } from './byte-marks-code.ts'
import { isNoCode, type Places, runsIn } from './codes.ts'

/** The bytes that stand between the brackets of a class, a 1 each. */
const classOf = (members: string): Uint8Array => {
  const member = new RegExp(`[${members}]`)
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(member.test(String.fromCharCode(byte))))
}
const any = String.raw`\0-\xff`

/**
 * How marks begin: kinds of them by the classes of their first three bytes, which take in some that are none. The code takes all
 * first halves of the bytes in a class to go with all second ones: no blank, letter or digit of ASCII may come in by that.
 */
const beginnings = [
  [String.raw`%&+#\x1b`, any, any],
  [String.raw`\\<>^`, any, any],
  [String.raw`\0\x08\xcc\xcd`, any, any],
  ['\xc2\xd9\xdb', '\xa0-\xa9\xad\xb0-\xb9', any],
  ['\xd8\xdf\xe1', '\x80-\x89\x9c\x9f\xa0', any],
  ['\xe0\xe2\xef\xf0\xf3', '\x9d\xa0-\xbf', any],
  ['\xe2', '\x80\x81\x88', '\x80-\x93\x9f-\xb9'],
  ['\xe3', '\x80', '\x80'],
]
/** Letters of base64, parted so that in each class all first halves of bytes go with all second ones. */
const letters = ['+/-', '0-9', 'A-Oa-o', 'P-Zp-z', '_']

let code: ReturnType<typeof loadMarks> | undefined

/** The places of both lists that the code finds in all bytes of a text. */
function lookThrough(text: string): { marks: Int32Array; runs: Int32Array } {
  code ??= loadMarks(
    beginnings.map(classes => classes.map(classOf)),
    letters.map(classOf),
  )
  const { bytes, result, look } = code
  const all = { marks: [] as Int32Array[], runs: [] as Int32Array[] }
  let before = 0
  for (let base = 0; base < text.length; base += block) {
    const count = Math.min(block, text.length - base)
    bytes.fill(0, bytes.write(text.slice(base, base + bytes.length), 'latin1'))
    before = look(count, before)
    all.marks.push(kept(code.marks.subarray(0, result[0]! >> 2), base, place => mayBeMark(bytes, place)))
    all.runs.push(kept(code.runs.subarray(0, result[1]! >> 2), base, place => !isNoCode(bytes, place)))
  }
  return { marks: joined(all.marks), runs: joined(all.runs) }
}

const [plus, sign, lineFeed, carriageReturn, blank] = [...'+>\n\r '].map(character => character.charCodeAt(0))

/** Whether a mark may stand at a place as the byte before tells: a plus is one within a word, a sign that quotes where a line begins. */
function mayBeMark(bytes: Uint8Array, place: number): boolean {
  const byte = bytes[place]!
  if (place === 0 || (byte !== plus && byte !== sign)) return true
  const before = bytes[place - 1]!
  return byte === plus ? before > blank! : before === lineFeed || before === carriageReturn
}

/** The places of a block at which a test holds, as places of the whole. */
function kept(places: Int32Array, base: number, holds: (place: number) => boolean): Int32Array {
  const list = new Int32Array(places.length)
  let count = 0
  for (const place of places) if (holds(place)) list[count++] = base + place
  return list.subarray(0, count)
}

function joined(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0))
  lists.reduce((at, list) => {
    all.set(list, at)
    return at + list.length
  }, 0)
  return all
}

/** The first of places in order that is not before another and at which a test holds. */
function inOrder(places: Int32Array, holds: (place: number) => boolean): Places {
  let next = 0
  return from => {
    while (next < places.length && (places[next]! < from || !holds(places[next]!))) next++
    return places[next] ?? -1
  }
}

/** Fewest bytes that are worth a walk by the code. */
const worthCode = 2 * 1024

/**
 * Where matches of `marks` begin in UTF-8 that is read as characters, and runs of characters that may be base64: in one walk
 * for both. `marks` match nothing that begins otherwise than {@link beginnings}.
 */
export function marksAndRuns(
  bytes: string,
  marks: { search: RegExp; sticky: RegExp },
): { marks: Places; runs: Places } {
  if (bytes.length < worthCode) {
    const search: Places = from => {
      marks.search.lastIndex = from
      return marks.search.exec(bytes)?.index ?? -1
    }
    return { marks: search, runs: runsIn(bytes) }
  }
  const found = lookThrough(bytes)
  const isMark = (place: number) => {
    marks.sticky.lastIndex = place
    return marks.sticky.test(bytes)
  }
  return { marks: inOrder(found.marks, isMark), runs: inOrder(found.runs, () => true) }
}
