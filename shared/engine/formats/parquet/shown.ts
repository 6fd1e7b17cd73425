import { isAscii, isUtf8 } from 'node:buffer'
import { bytesShown, type Stored } from './values.ts'
import { type ByteEntries, type Entries, entryAt, entryCount, ofTexts, type Vector, vectorOf } from './vectors.ts'

/** The texts of some values, as UTF-8: stretches, by `ids` where they are those of a dictionary, from `from` on. */
export type ShownVector = {
  stretches: ByteEntries
  ids: Int32Array | undefined
  from: number
  to: number
  /** Stretches that are shown otherwise than they are stored. */
  converted?: ReadonlySet<number>
}

type Show = (value: Stored) => string

/** The texts of the entries of a page or of a dictionary, as they are needed for slice after slice. */
const known = new WeakMap<Entries, Pick<ShownVector, 'stretches' | 'converted'>>()

/** Bytes as they are, unless some are no text. */
function shownBytes(stretches: ByteEntries): Pick<ShownVector, 'stretches' | 'converted'> {
  const { bytes, starts, ends } = stretches
  if (isAscii(bytes)) return { stretches }
  const converted = new Set<number>()
  for (let entry = 0; entry < starts.length; entry++) {
    let at = starts[entry]!
    const end = ends[entry]!
    while (at < end && bytes[at]! < 0x80) at++
    if (at < end && !isUtf8(bytes.subarray(at, end))) converted.add(entry)
  }
  if (converted.size === 0) return { stretches }
  const texts = Array.from(starts, (start, entry) => bytes.toString('latin1', start, ends[entry]))
  return { stretches: ofTexts(texts.map(bytesShown)).stretches!, converted }
}

/** Decimal digits of a whole number below 2^31, the last first, from an offset on; gives how many there are. */
function putDigits(digits: Uint8Array, from: number, number: number): number {
  let rest = number
  let at = from
  do {
    const next = Math.floor(rest / 10)
    digits[at++] = 48 + rest - next * 10
    rest = next
  } while (rest > 0)
  return at - from
}

/** The greatest number that {@link putDigits} takes, and its longest text with a sign. */
const greatest = 2 ** 31 - 1
const longest = 11

/** Numbers as `String` shows them. */
function shownNumbers(list: ArrayLike<number | bigint | boolean>, from: number, to: number): ByteEntries {
  const starts = new Int32Array(to - from)
  const ends = new Int32Array(to - from)
  const digits = new Uint8Array(longest)
  let bytes = Buffer.allocUnsafe((to - from) * 16 + longest)
  let at = 0
  for (let index = 0; index < to - from; index++) {
    const value = list[from + index]!
    starts[index] = at
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= greatest) {
      if (at + longest > bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      if (value < 0) bytes[at++] = 45
      for (let digit = putDigits(digits, 0, Math.abs(value)) - 1; digit >= 0; digit--) bytes[at++] = digits[digit]!
    } else {
      const text = String(value)
      if (at + text.length > bytes.length) bytes = Buffer.concat([bytes], (bytes.length + text.length) * 2)
      for (let next = 0; next < text.length; next++) bytes[at++] = text.charCodeAt(next)
    }
    ends[index] = at
  }
  return { bytes, starts, ends, framed: false }
}

/** Texts from the values of some entries. */
function shownEach(entries: Entries, show: Show, from: number, to: number): ByteEntries {
  if (show === String && entries.numbers) return shownNumbers(entries.numbers, from, to)
  return ofTexts(Array.from({ length: to - from }, (_, at) => show(entryAt(entries, from + at)))).stretches!
}

/** The texts of the values of a vector. */
export function shownOf({ entries, ids, from, to }: Vector, show: Show): ShownVector {
  const { stretches } = entries
  const isBytes = show === bytesShown && stretches !== undefined
  if (!isBytes && !ids) return { stretches: shownEach(entries, show, from, to), ids, from: 0, to: to - from }
  const made =
    known.get(entries) ??
    (isBytes ? shownBytes(stretches) : { stretches: shownEach(entries, show, 0, entryCount(entries)) })
  known.set(entries, made)
  return { ...made, ids, from, to }
}

/** Dictionaries whose entries became their texts. */
const become = new WeakMap<Entries, Entries>()

/** The texts of the values of a vector, in place of the values. */
export function asTexts(vector: Vector, show: Show): Vector {
  const { stretches, ids, from, to } = shownOf(vector, show)
  if (!ids) return { ...vectorOf({ stretches }), from, to }
  const entries = become.get(vector.entries) ?? { stretches }
  become.set(vector.entries, entries)
  return { entries, ids, from, to }
}
