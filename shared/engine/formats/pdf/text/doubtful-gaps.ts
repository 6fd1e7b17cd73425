import { aside } from '../../../detect/normalise.ts'
import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, placeOf } from './char-place.ts'
import { flagsOf, type Units } from './gaps.ts'
import { joiner } from './unspaced.ts'

/** Stands between letters of two sizes on two levels, which some readers join and others part: rules read it both ways. */
const parter = '\u200b'

const letter = /[\p{L}\p{N}]/u
const digit = /\p{N}/u

/** Share by which the heights of two letters of two sizes differ at least. */
const otherHeight = 0.1

/**
 * How a letter stands to the one before it where readers disagree on whether a word ends between them, in heights of the
 * larger: the numbers of notes and exponents stand higher, and the widest gap that a reader takes for none is wider than the
 * narrowest that another takes for a space.
 */
const doubtful = { overlap: 0.2, gap: 0.16, step: 0.02, level: 0.6 }

/** How a letter stands to another before it, in heights of the larger font. */
type Stand = { gap: number; rise: number; isOfOtherSize: boolean; isSmaller: boolean }

/** The longer side of the box of a letter, of which one may be flat. */
const sizeOf = ({ left, right, bottom, top }: CharPlace): number => Math.max(right - left, top - bottom)

/** How far apart letters stand that are of no word, in sizes of their boxes. */
const far = 3

/** How two characters of an open text stand; undefined where the reader does not know, and where they are far apart. */
export const standOf = (reader: Reader, text: number, before: number, after: number): Stand | undefined => {
  const [from, to] = [placeOf(reader, text, before), placeOf(reader, text, after)]
  if (!from || !to) return undefined
  const apart = far * Math.max(sizeOf(from), sizeOf(to))
  if (Math.abs(to.y - from.y) > apart || Math.abs(to.left - from.right) > apart) return undefined
  const [first, second] = [heightOf(reader, text, before), heightOf(reader, text, after)]
  if (!first || !second) return undefined
  const em = Math.max(first, second)
  const isOfOtherSize = Math.abs(first - second) > otherHeight * em
  return {
    gap: (to.left - from.right) / em,
    rise: Math.abs(to.y - from.y) / em,
    isOfOtherSize,
    isSmaller: second < first,
  }
}

/** Whether some reader takes the second of two letters for the next one of a word. */
export const mayJoin = ({ gap, rise }: Stand): boolean =>
  gap > -doubtful.overlap && gap < doubtful.gap && rise < doubtful.level

/** Whether some reader takes the second of two letters without a gap for the first one of a word. */
const mayPart = ({ rise, isOfOtherSize }: Stand): boolean => isOfOtherSize && rise > doubtful.step

/** The mark of a note, whole: what the text of a page would say without it is a reading too. */
const noteMark = /^(?:[\d,*†‡§¶#]{1,3}|\p{L})$/u
const longestMark = 3

/** Where a stretch on one level ends that begins at a unit, if it is the mark of a note; undefined if it is none. */
const noteEnd = ({ parts, chars }: Units, isStep: Uint8Array, from: number): number | undefined => {
  let to = from + 1
  const goesOn = () => (chars[to] ?? -1) >= 0 && isStep[chars[to] as number] !== 1 && parts[to] !== ' '
  while (to - from <= longestMark && goesOn()) to++
  return noteMark.test(parts.slice(from, to).join('')) ? to : undefined
}

/** Fewest letters that somebody spaced out by hand, a blank behind each. */
const fewestSpaced = 5
const inSpaced = /[\p{L}\p{N}.@_-]/u
const small = /\p{Ll}/u
const capital = /\p{Lu}/u

/** Units behind blanks between letters that are spaced out; a capital behind a small letter begins a word. */
const spacedByHand = (parts: readonly string[]): number[] => {
  const found: number[] = []
  const isBlank = (at: number) => parts[at] === ' '
  const isOne = (at: number) =>
    inSpaced.test(parts[at] ?? '') && (at === 0 || !parts[at - 1]!.trim()) && !parts[at + 1]?.trim()
  for (let from = 0; from < parts.length; from++) {
    if (!isBlank(from + 1) || !isOne(from)) continue
    let [to, letters] = [from, 0]
    while (isOne(to)) {
      if (letter.test(parts[to]!) && !digit.test(parts[to]!)) letters++
      if (!isBlank(to + 1) || !isOne(to + 2)) break
      to += 2
    }
    for (let at = from + 2; letters >= fewestSpaced && at <= to; at += 2)
      if (!(small.test(parts[at - 2]!) && capital.test(parts[at]!))) found.push(at)
    from = to
  }
  return found
}

/**
 * Marks where readers disagree on the end of a word, and where letters that are spaced out by hand may be one. `steps`: characters that stand on another level than those before them;
 * `covered`: spaces that something is shown over.
 */
export const markDoubtful = (
  reader: Reader,
  text: number,
  units: Units,
  { steps, covered }: { steps: ReadonlySet<number>; covered: ReadonlySet<number> },
): void => {
  const { parts, chars, ends } = units
  const isLetter = (at: number) => (chars[at] ?? -1) >= 0 && letter.test(parts[at] as string)
  const stand = (before: number, after: number) =>
    isLetter(before) && isLetter(after)
      ? standOf(reader, text, ends[before] as number, chars[after] as number)
      : undefined
  const isHyphenated = (at: number) => parts[at - 1] === '-' && isLetter(at - 2) && isLetter(at + 1)
  const marks = new Map<number, string>()
  const [isStep, isCovered] = [flagsOf(steps), flagsOf(covered)]
  parts.forEach((part, at) => {
    const char = chars[at] as number
    const isGap = (part === ' ' || part === '\n') && (char < 0 || isCovered[char] === 1)
    if (!isGap && (char < 0 || isStep[char] !== 1 || marks.has(at))) return
    const found = isGap ? stand(at - 1, at + 1) : stand(at - 1, at)
    const isDoubtful = found ? (isGap ? mayJoin(found) : mayPart(found)) : part === ' ' && isHyphenated(at)
    if (!isDoubtful) return
    if (isGap) parts[at] = ' '
    const end = !isGap && found?.isSmaller ? noteEnd(units, isStep, at) : undefined
    if (end !== undefined) marks.set(at, aside).set(end, aside)
    else marks.set(isGap ? at + 1 : at, isGap ? joiner : parter)
  })
  for (const at of spacedByHand(parts)) marks.set(at, joiner)
  if (marks.size > 0) Object.assign(units, withMarks(units, marks))
}

/** The units with a mark before some of them, or behind the last one. */
export const withMarks = ({ parts, chars, ends }: Units, marks: ReadonlyMap<number, string>): Units => {
  const insert = <T>(list: readonly T[], fresh: (sign: string) => T): T[] => {
    const marksAt = (at: number) => Array.from(marks.get(at) ?? '', fresh)
    return [...list.flatMap((item, at) => (marks.has(at) ? [...marksAt(at), item] : [item])), ...marksAt(list.length)]
  }
  return { parts: insert(parts, sign => sign), chars: insert(chars, () => -1), ends: insert(ends, () => -1) }
}
