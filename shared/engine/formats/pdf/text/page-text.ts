import { wrapMark } from '../../../detect/normalise.ts'
import { extentOf } from '../../../lists.ts'
import type { FieldBox } from '../objects/comb-fields.ts'
import type { Reader } from '../page-reader.ts'
import { borrow } from '../pdfium.ts'
import { type CharPlace, placeOf } from './char-place.ts'
import { markDoubtful, withMarks } from './doubtful-gaps.ts'
import { joinPitch } from './fixed-pitch.ts'
import { forcedWraps } from './forced-wraps.ts'
import { fullLines } from './full-lines.ts'
import { joinCopies, joinSteps, placesBetween, splitGlued, type Units } from './gaps.ts'
import { linesOf } from './lines.ts'
import { mirroredLines } from './mirrored.ts'
import { orderDirections } from './mixed-directions.ts'
import { accented, markOf, softHyphen, spellingOf } from './normalise-text.ts'
import type { OtherWord } from './other-words.ts'
import { edgesOf, type PageEdges } from './page-edges.ts'
import { pairedLines } from './paired-bytes.ts'
import { joinParted } from './parted-lines.ts'
import { joinRaised } from './raised-runs.ts'
import { orderLigatures, turnBackwards } from './right-to-left.ts'
import { orderShown } from './shown-backwards.ts'
import { joinCells, joinSpaced, joinSpacedLines } from './spaced-letters.ts'
import { type TurnedText, withTurned } from './turned-text.ts'
import { jointOf, known } from './unspaced.ts'

/** The text of a page in reading order, and the reader's characters behind each UTF-16 unit of it. */
export type PageText = {
  text: string
  /** For each unit of `text`: index of the reader's character, or -1 where the unit is not on the page. */
  chars: Int32Array
  /** For each unit of `text`: index of the last of the characters that make it up; a letter and its accent may be two. */
  ends: Int32Array
  /** Lines that other readers put together otherwise, if there are any: what stands in a mirror, and what they read by its bytes. */
  otherwise?: OtherWord[][]
  /** Its first and last lines, where the text may go on from another page or on it. */
  edges?: PageEdges
}

/** Uses the text of a page that the reader has loaded. */
export const withText = <T>(reader: Reader, page: number, use: (text: number, count: number) => T): T => {
  const text = reader.text(page)
  return text === 0 ? use(0, 0) : use(text, Math.max(0, reader.pdfium.FPDFText_CountChars(text)))
}

/** Hebrew comes first of the scripts that are written from right to left. */
const firstFromRight = 0x590
const firstOfChinese = 0x2e80
const hyphen = 0x02
const brokenHyphen = 0xfffe

/**
 * Reads a page's text as rules are to see it, see `spelling.ts`. Words that a line end hyphenates are joined, the hyphen
 * marked as one that may be none, as are the lines of a paragraph: a line that reaches as far as the longest ones does not end one. `combs` are form fields with a cell
 * for each letter.
 */
export const readPage = (reader: Reader, index: number, combs: readonly FieldBox[] = []): PageText =>
  reader.page(index, page =>
    withText(reader, page, (text, count) => {
      const { units, breaks, hyphens, plain, mayTurn, mayPair } = withTurned(reader, page, text, count, turned =>
        lettersOf(reader, text, count, turned),
      )
      joinCopies(reader, text, units, breaks)
      let between = placesBetween(reader, text, units)
      if (orderShown(reader, text, units, between.falling, breaks)) between = placesBetween(reader, text, units)
      const otherwise = mirroredLines(reader, text, units, between.turned, breaks)
      if (mayPair) otherwise.push(...pairedLines(reader, text, units))
      splitGlued(units, between.glued, breaks)
      if (!plain) joinAccents(reader, text, units)
      if (mayTurn) orderLigatures(reader, text, units)
      if (mayTurn) turnBackwards(reader, text, units)
      if (mayTurn) orderDirections(reader, text, units)
      const lines = joinSpacedLines(reader, text, units, breaks)
      joinSpaced(reader, text, units)
      joinPitch(reader, text, units, between.evenly)
      joinCells(reader, text, units, combs)
      const left = joinSteps(reader, text, units, lines)
      joinParted(reader, text, units, between.steps, left)
      joinRaised(reader, text, units, between.steps, left)
      joinLines(reader, text, units, left, hyphens)
      if (hyphens.size > 0) writeHyphens(units, hyphens)
      markDoubtful(reader, text, units, between)
      const own: PageText = pageText(units)
      if (otherwise.length > 0) own.otherwise = otherwise
      if (reader.pages > 1) own.edges = edgesOf(reader, page, text, own)
      return own
    }),
  )

/** Every character of a text as the reader has it, where its lines end, which hyphens join two, and which letters there are. */
const lettersOf = ({ pdfium }: Reader, page: number, count: number, turned?: TurnedText) => {
  const units: Units = { parts: [], chars: [], ends: [] }
  const breaks: number[] = []
  const hyphens = new Map<number, number>()
  let [plain, mayTurn, mayPair] = [true, false, false]
  for (let n = 0, all = turned?.chars.length ?? count; n < all; n++) {
    const i = turned ? (turned.chars[n] as number) : n
    const isTurned = turned !== undefined && (turned.turned[n] as number) >= 0
    const [text, char] = isTurned ? [turned.text, turned.turned[n] as number] : [page, i]
    const read = pdfium.FPDFText_GetUnicode(text, char) >>> 0
    if (read > 0x20 && read < 0x7f && read !== 0x5e && read !== 0x60 && read !== 0x7e) {
      units.parts.push(ascii[read] as string)
      units.chars.push(i)
      units.ends.push(i)
      continue
    }
    // Of what is no letter's number the reader writes the last sixteen bits.
    const code = read > 0x10ffff ? read & 0xffff : read
    if (code === hyphen && pdfium.FPDFText_IsHyphen(text, char) === 1) hyphens.set(units.ends.at(-1) ?? -1, i)
    if (code === 0 || code === hyphen || code === brokenHyphen || code === 0x0d) continue
    const generated = code === 0x20 || code === 0x0a ? pdfium.FPDFText_IsGenerated(text, char) === 1 : false
    if (code === 0x0a) breaks.push(units.parts.length)
    const written = spellingOf(code)
    if (code > 0x20) {
      plain = false
      mayTurn ||= code >= firstFromRight
      mayPair ||= code >= firstOfChinese
      if (joinsLast(units, written, i)) continue
      if (isGap(units, written)) for (const list of Object.values(units)) list.pop()
    }
    for (let unit = 0; unit < written.length; unit++) {
      units.parts.push(written[unit] as string)
      units.chars.push(generated ? -1 : i)
      units.ends.push(generated ? -1 : i)
    }
  }
  return { units, breaks, hyphens, plain, mayTurn, mayPair }
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

const pageText = ({ parts, chars, ends }: Units): PageText => {
  const stays = (_: unknown, at: number) => parts[at] !== ''
  const text = parts.join('')
  if (text.length === parts.length) return { text, chars: new Int32Array(chars), ends: new Int32Array(ends) }
  return { text, chars: new Int32Array(chars.filter(stays)), ends: new Int32Array(ends.filter(stays)) }
}

const marks = /^\p{M}+$/u

/** Vowels of Thai and Lao that are written behind or around a letter and never begin a word; some programs draw a space too. */
const dependent = /^[\u0e30-\u0e33\u0eb0-\u0eb3]/

/** Whether the last unit is a space that belongs to what is written next. */
const isGap = ({ parts, chars }: Units, next: string): boolean =>
  parts.length > 1 && parts.at(-1) === ' ' && (dependent.test(next) || (chars.at(-1) === -1 && marks.test(next)))

/** Puts marks to the letter before them, where the two are one letter. */
const joinsLast = ({ parts, chars, ends }: Units, written: string, char: number): boolean => {
  const at = parts.length - 1
  if (at < 0 || !marks.test(written)) return false
  const joined = ((parts[at] as string) + written).normalize('NFC')
  if (joined.length !== 1 || (chars[at] as number) < 0) return false
  parts[at] = joined
  ends[at] = char
  return true
}

/** Puts accents that are drawn over the letter behind or before them to that letter. */
const joinAccents = (reader: Reader, text: number, { parts, chars, ends }: Units): void => {
  for (let at = 0; at < parts.length; at++) {
    const mark = markOf(parts[at] as string)
    if (!mark || (chars[at] as number) < 0) continue
    const own = placeOf(reader, text, chars[at] as number)
    for (const [letter, first, last] of [
      [at + 1, at, at + 1],
      [at - 1, at - 1, at],
    ] as const) {
      const whole = own && (chars[letter] ?? -1) >= 0 ? accented(parts[letter] as string, mark) : undefined
      const under = whole && placeOf(reader, text, chars[letter] as number)
      if (!own || !under || !coversMiddle(own, under)) continue
      parts[letter] = whole
      chars[letter] = chars[first] as number
      ends[letter] = ends[last] as number
      parts[at] = ''
      break
    }
  }
}

const coversMiddle = (accent: CharPlace, letter: CharPlace): boolean => {
  const middle = (accent.left + accent.right) / 2
  return letter.left < middle && middle < letter.right && accent.bottom < letter.top && accent.top > letter.bottom
}

/** Whether a number that the reader gives for a letter is none: that of a glyph in its font, or of no character at all. */
const isUnnamed = (code: number): boolean =>
  (code > 0 && code < 0x20 && code !== hyphen && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
  (code >= 0x7f && code < 0xa0) ||
  code === 0xfffd ||
  code > 0x10ffff

/** Whether a loaded page has words with letters that the reader can't name; signs that stand alone are none. */
export const isMisread = (reader: Reader, page: number): boolean =>
  withText(reader, page, (text, count) => {
    let before = 0
    for (let i = 0; i < count; i++) {
      const code = reader.pdfium.FPDFText_GetUnicode(text, i) >>> 0
      if ((isUnnamed(code) && isWord(before)) || (isUnnamed(before) && isWord(code))) return true
      before = code
    }
    return false
  })

const isWord = (code: number): boolean => isUnnamed(code) || letter.test(String.fromCharCode(code & 0xffff))

/** The text of a page as the reader puts it, hyphens at line ends marked. */
export const plainText = (reader: Reader, index: number): string =>
  reader.page(index, page => plainTextOf(reader, page))

/** The same of a loaded page. */
export const plainTextOf = (reader: Reader, page: number): string =>
  withText(reader, page, (text, count) => {
    if (count === 0) return ''
    const units = borrow(reader.pdfium, 2 * (count + 1), pointer => {
      const written = reader.pdfium.FPDFText_GetText(text, 0, count, pointer)
      return reader.pdfium.pdfium.HEAPU8.slice(pointer, pointer + 2 * Math.max(0, written - 1))
    })
    return Buffer.from(units.buffer).toString('utf16le').replace(noLetter, '').replaceAll(broken, `-${softHyphen}`)
  })

const noLetter = /[\0\x02]/g
// The reader marks a hyphen at a line end so.
const broken = '\ufffe'

const letter = /\p{L}/u
const inWord = /[\p{L}\p{N}]/u

/** The end of a line before a unit, and the beginning of one from it on, as far as they tell how the two are joined. */
const lineEnd = (parts: readonly string[], at: number): string =>
  parts
    .slice(Math.max(0, at - known), at)
    .join('')
    .split('\n')
    .at(-1)!
const lineBeginning = (parts: readonly string[], at: number): string =>
  parts
    .slice(at, at + known)
    .join('')
    .split('\n', 1)[0]!

const joinLines = (
  reader: Reader,
  text: number,
  units: Units,
  breaks: number[],
  hyphens: ReadonlyMap<number, number>,
): void => {
  if (breaks.length === 0) return
  const { parts, chars } = units
  const joined = hyphens.size > 0 ? lineStarts(units, hyphens) : []
  const lines = linesOf(reader, text, units, breaks, joined)
  const forced = forcedWraps(units, breaks, lines)
  const full = fullLines(units, lines)
  const ends = breaks.map(at => {
    for (let unit = at - 1; unit >= 0 && parts[unit] !== '\n'; unit--) {
      const char = chars[unit] as number
      if (char >= 0 && parts[unit] !== ' ') return placeOf(reader, text, char)?.right
    }
    return undefined
  })
  const [, far] = extentOf(ends.filter(end => end !== undefined))
  const marks = new Map(Array.from(forced, at => [at + 1, wrapMark]))
  breaks.forEach((at, line) => {
    const end = ends[line]
    const [before = '', last = '', next = ''] = [parts[at - 2], parts[at - 1], parts[at + 1]]
    // The reader has joined what it takes for hyphenated, and misses some.
    if (last === '-' && inWord.test(before) && inWord.test(next)) parts[at] = softHyphen
    else if (end !== undefined && far > 0 && (end >= 0.85 * far || full.has(at))) {
      const [blank = '', mark] = jointOf(lineEnd(parts, at), lineBeginning(parts, at + 1))
      parts[at] = blank
      if (mark && !forced.has(at)) marks.set(at + 1, mark)
    }
  })
  if (marks.size > 0) Object.assign(units, withMarks(units, marks))
}

/** The units behind the hyphens at which the reader has joined two lines. */
const lineStarts = ({ parts, ends }: Units, hyphens: ReadonlyMap<number, number>): number[] =>
  [...parts.keys()].filter(at => at > 0 && ends[at] !== ends[at - 1] && hyphens.has(ends[at - 1]!))

/** The next part with something in it. */
function partBehind(parts: readonly string[], at: number): string {
  let next = at + 1
  while (parts[next] === '') next++
  return parts[next] ?? ''
}

/** Writes the hyphens at which the reader has joined two lines; each is named by the character before it. */
const writeHyphens = (units: Units, hyphens: ReadonlyMap<number, number>): void => {
  const written: Units = { parts: [], chars: [], ends: [] }
  const put = (part: string, char: number, end = char) => {
    written.parts.push(part)
    written.chars.push(char)
    written.ends.push(end)
  }
  const { parts, chars, ends } = units
  parts.forEach((part, at) => {
    const [char, end] = [chars[at] as number, ends[at] as number]
    const hyphenAt = part !== '' && end >= 0 && end !== ends[at + 1] ? hyphens.get(end) : undefined
    const isBroken = hyphenAt !== undefined && /^\S/u.test(partBehind(parts, at))
    // A hyphen that is drawn twice stands there already.
    if (isBroken && part === '-') put(part, char, hyphenAt)
    else put(part, char, end)
    if (!isBroken) return
    if (part !== '-') put('-', hyphenAt)
    put(softHyphen, -1)
  })
  Object.assign(units, written)
}
