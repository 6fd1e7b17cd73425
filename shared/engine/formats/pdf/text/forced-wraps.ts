import type { Reader } from '../page-reader.ts'
import { type CharPlace, placeOf } from './char-place.ts'
import type { Units } from './gaps.ts'

/** A line as it stands on a page: where its first and its last letter do. */
type Line = { first: CharPlace; last: CharPlace; width: number; height: number }

/** How lines of one column stand, in heights of a line: below each other, and on one edge or about one middle. */
const column = { least: 0.4, most: 2, aligned: 0.15 }

/** Lines above and below that are asked how wide a column is. */
const reach = 20

/** Signs that a value may be broken behind and before. */
const value = /[\p{L}\p{N}.@/_=&?%+#~:]/u
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
/** What ends no word: an address goes on behind it. */
const goesOn = /[\p{L}\p{N}:/](?:[/@_=&]|(?<=\/[^ ]*)\?)$/u
/** Whether a text ends within an address, as its last sign tells. */
export const endsInAddress = (text: string): boolean => goesOn.test(text)
const smallOrDigit = /[\p{Ll}\p{N}]/u
const letterOrDigit = /[\p{L}\p{N}]/u

/** The end of what stands before a place, as far as the last blank. */
const wordBefore = (parts: readonly string[], at: number): string => {
  let from = at
  while (from > 0 && at - from < longest && !/\s/.test(parts[from - 1] as string)) from--
  return parts.slice(from, at).join('')
}
const longest = 200

/**
 * Tells at which ends of lines a word may be broken because its column is too narrow for it: it is alone on its line, and not
 * even its next letter would have found room; or it is an address that ends with a sign that goes on. `joined`: units that begin a
 * line which the reader has joined to the one before.
 */
export const forcedWraps = (
  reader: Reader,
  text: number,
  units: Units,
  breaks: readonly number[],
  joined: readonly number[],
): Set<number> => {
  const { parts } = units
  const forced = new Set<number>()
  const starts = [0, ...breaks.map(at => at + 1), ...joined].sort((a, b) => a - b)
  const lineAt = lineReader(reader, text, units, starts)
  let number = 0
  for (const at of breaks) {
    while (starts[number + 1]! <= at) number++
    const [last = '', next = ''] = [parts[at - 1], parts[at + 1]]
    if (!mayBreak(last, next)) continue
    const isAddress = letterOrDigit.test(next) && endsInAddress(wordBefore(parts, at))
    if (!isAddress && !isWord(parts, starts[number]!, at)) continue
    const [own, below] = [lineAt(number), lineAt(number + 1)]
    if (own && below && areOfColumn(own, below) && (isAddress || fills(number, below, lineAt))) forced.add(at)
  }
  return forced
}

/** Whether a value may be broken between two characters. */
export const mayBreak = (last: string, next: string): boolean =>
  value.test(last) &&
  value.test(next) &&
  !unspaced.test(last) &&
  !unspaced.test(next) &&
  (last !== '.' || smallOrDigit.test(next))

/** Whether all between two units is one word. */
const isWord = (parts: readonly string[], from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (parts[at] !== '' && parts[at]!.trim() === '') return false
  return to - from > 1
}

type Lines = (number: number) => Line | undefined

/** Looks up lines by their number; none where it is not level, or holds nothing. */
const lineReader = (reader: Reader, text: number, units: Units, starts: readonly number[]): Lines => {
  const known = new Map<number, Line | undefined>()
  const read = (number: number): Line | undefined => {
    const { parts, chars, ends } = units
    let [first, last] = [starts[number] ?? parts.length, (starts[number + 1] ?? parts.length) - 1]
    const isShown = (at: number) => chars[at]! >= 0 && parts[at]!.trim() !== ''
    while (first <= last && !isShown(first)) first++
    while (last > first && !isShown(last)) last--
    if (first > last) return undefined
    const [from, to] = [placeOf(reader, text, chars[first]!), placeOf(reader, text, ends[last]!)]
    if (!from || !to || Math.abs(from.y - to.y) > 0.5 * (from.top - from.bottom)) return undefined
    return { first: from, last: to, width: to.right - from.left, height: from.top - from.bottom }
  }
  return number => {
    if (!known.has(number)) known.set(number, number < 0 ? undefined : read(number))
    return known.get(number)
  }
}

/** Whether a line has no room for the first letter of the next one, as its column tells. */
const fills = (number: number, below: Line, lineAt: Lines): boolean => {
  const own = lineAt(number)!
  const room = own.width + below.first.right - below.first.left + slack * own.height
  const isWidest = (step: 1 | -1): boolean => {
    let line = own
    for (let away = 1; away <= reach; away++) {
      const other = lineAt(number + step * away)
      if (!other || !(step > 0 ? areOfColumn(line, other) : areOfColumn(other, line))) return true
      if (other.width > room) return false
      line = other
    }
    return true
  }
  return isWidest(1) && isWidest(-1)
}
const slack = 0.05

/** Whether a line stands right below another in one column. */
const areOfColumn = (upper: Line, lower: Line): boolean => {
  const [drop, most] = [upper.first.y - lower.first.y, column.aligned * upper.height]
  if (drop < column.least * upper.height || drop > column.most * upper.height) return false
  const [left, right] = [upper.first.left - lower.first.left, upper.last.right - lower.last.right]
  return Math.abs(left) <= most || Math.abs(right) <= most || Math.abs(left + right) <= 2 * most
}
