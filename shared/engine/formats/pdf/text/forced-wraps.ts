import type { Units } from './gaps.ts'
import type { Line, Lines } from './lines.ts'

/** How lines of one column stand, in heights of a line: below each other, and on one edge or about one middle. */
const column = { least: 0.4, most: 2, aligned: 0.15 }

/** Lines above and below that are asked how wide a column is. */
const reach = 20

/** Signs that a value may be broken behind and before. */
const value = /[\p{L}\p{N}.@/_=&?%+#~:]/u
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

/** Tells at which ends of lines a word may be broken, see {@link goesOver}. */
export const forcedWraps = (
  { parts }: Units,
  breaks: readonly number[],
  { starts, lineAt, numberOf }: Lines,
): Set<number> => {
  const forced = new Set<number>()
  for (const at of breaks) {
    const [last = '', next = ''] = [parts[at - 1], parts[at + 1]]
    if (!mayBreak(last, next)) continue
    const number = numberOf(at)
    const word = { text: wordBefore(parts, at), isAlone: isWord(parts, starts[number]!, at), next }
    if (goesOver(word, number, lineAt)) forced.add(at)
  }
  return forced
}

/** The end of a line as far back as its last blank, whether that is all of the line, and what the next one begins with. */
type LineEnd = { text: string; isAlone: boolean; next: string }

/**
 * Whether a word may be broken at the end of a line because its column is too narrow for it: it is alone on its line, and not
 * even its next letter would have found room; or it is an address that ends with a sign that goes on.
 */
export const goesOver = ({ text, isAlone, next }: LineEnd, number: number, lineAt: Lines['lineAt']): boolean => {
  if (!mayBreak(text.at(-1) ?? '', next)) return false
  const isAddress = letterOrDigit.test(next) && endsInAddress(text)
  if (!isAddress && !isAlone) return false
  const [own, below] = [lineAt(number), lineAt(number + 1)]
  return (
    own !== undefined && below !== undefined && areOfColumn(own, below) && (isAddress || fills(number, below, lineAt))
  )
}

/** Letters of scripts whose lines end anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

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

/** Whether a line has no room for the first letter of the next one, as its column tells. */
const fills = (number: number, below: Line, lineAt: Lines['lineAt']): boolean => {
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
