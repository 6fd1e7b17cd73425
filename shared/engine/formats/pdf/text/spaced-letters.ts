import { extentOf } from '../../../lists.ts'
import type { FieldBox } from '../objects/comb-fields.ts'
import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, placeOf } from './char-place.ts'
import { isLevel, type Units } from './gaps.ts'

/** Fewest letters that are one text spaced out: a heading, a number in the cells of a form. */
const fewest = 5

/** Most letters of such a text that the reader may have put together. */
const together = 3

/** Widest gaps between letters that are spaced out, and between words of them, in heights of the font. */
const widest = { letters: 2.5, words: 5 }

/** Least gap between two letters that stand together, as a share of the others. */
const leastShare = 0.6

/** How many times as wide a gap between words is, and as long a step from cell to cell over an empty one. */
const between = { gap: 1.6, step: 1.5 }

/** A letter after another: the unit of the space that the reader made up before it, the gap and the steps in heights of the font. */
type Next = { space?: number; isReal: boolean; gap: number; steps: readonly [left: number, middle: number] }

/**
 * Takes back the ends of lines that the reader sees between the letters of a text that is spaced out: single letters on one level.
 * Returns those of the `breaks` at which a line does end.
 */
export const joinSpacedLines = (reader: Reader, text: number, units: Units, breaks: number[]): number[] => {
  const { parts, chars, ends } = units
  const isBlank = (at: number) => parts[at] === undefined || parts[at]!.trim() === ''
  const isSingle = (at: number) => !isBlank(at) && chars[at]! >= 0 && isBlank(at - 1) && isBlank(at + 1)
  const isWithin = (at: number) => {
    if (!isSingle(at - 1) || !isSingle(at + 1)) return false
    const { gap, steps } = distance(reader, text, ends[at - 1]!, chars[at + 1]!)
    return gap > 0 && gap <= widest.letters && steps[0] > 0
  }
  const joined = new Set(breaks.filter(isWithin))
  const goesOn = (at: number) => (parts[at] === '\n' ? joined.has(at) : isWithin(at))
  /** How many more letters there are on one side of a gap, up to as many as it takes. */
  const lettersFrom = (at: number, side: 2 | -2) => {
    let letters = 1
    while (letters < fewest && goesOn(at + side * letters)) letters++
    return letters
  }
  return breaks.filter(at => {
    if (!joined.has(at) || lettersFrom(at, -2) + lettersFrom(at, 2) < fewest) return true
    parts[at] = ' '
    return false
  })
}

/** Takes the spaces that the reader made up out of texts whose letters are spaced out, but for those between their words. */
export const joinSpaced = (reader: Reader, text: number, units: Units): void => {
  const { parts, chars } = units
  const isOne = (at: number) => (chars[at] as number) >= 0 && (parts[at] as string).trim() !== ''
  let [start, word, length, made] = [0, 0, 0, 0]
  const end = (at: number, next: number) => {
    if (made >= fewest - 1 && made >= (at - start) / 3) joinWithin(reader, text, units, start, at)
    ;[start, word, length, made] = [next, next, 0, 0]
  }
  for (let at = 0; at < parts.length; at++) {
    if (parts[at] === '\n') end(at, at + 1)
    else if (isOne(at)) {
      if (++length <= together) continue
      // A word like any other, from its beginning on.
      let after = at
      while (after + 1 < parts.length && isOne(after + 1)) after++
      end(word, after + 1)
      at = after
    } else {
      if (parts[at] === ' ' && (chars[at] as number) < 0) made++
      word = at + 1
      length = 0
    }
  }
  end(parts.length, parts.length)
}

/** Does so with short words of one line, each of which may be a part of a word. */
const joinWithin = (reader: Reader, text: number, { parts, chars, ends }: Units, from: number, to: number): void => {
  const nexts: Next[] = []
  let last = -1
  let [space, isReal] = [undefined as number | undefined, false]
  for (let at = from; at < to; at++) {
    if ((parts[at] as string).trim() === '') {
      if ((chars[at] as number) < 0) space = at
      else isReal = true
      continue
    }
    // Letters that one sign stands for have no gap.
    if ((chars[at] as number) < 0 || chars[at] === chars[last]) continue
    if (last >= 0) nexts.push({ space, isReal, ...distance(reader, text, ends[last] as number, chars[at] as number) })
    ;[last, space, isReal] = [at, undefined, false]
  }
  const typical = median(nexts.flatMap(next => (isMade(next) ? [next.gap] : [])))
  let run: Next[] = []
  for (const next of nexts) {
    const fits = next.isReal || (isMade(next) ? next.gap <= widest.words : next.gap >= leastShare * typical)
    if (fits) run.push(next)
    else {
      joinRun(parts, run)
      run = []
    }
  }
  joinRun(parts, run)
}

const isMade = ({ space, isReal }: Next): boolean => space !== undefined && !isReal

/** Takes out the spaces of letters that are all spaced out. */
const joinRun = (parts: string[], run: readonly Next[]): void => {
  const made = run.filter(isMade)
  if (made.length < fewest - 1) return
  const isWide = wideOnes(made)
  for (const next of made) if (next.gap <= widest.letters && !isWide(next)) parts[next.space as number] = ''
}

/** Tells the gaps between words from those between letters, which are even, or stand in even cells. */
const wideOnes = (made: readonly Next[]): ((next: Next) => boolean) => {
  const ways = [
    { of: ({ gap }: Next) => gap, most: between.gap },
    { of: ({ steps }: Next) => steps[0], most: between.step },
    { of: ({ steps }: Next) => steps[1], most: between.step },
  ].map(({ of, most }) => {
    const middle = median(made.map(of))
    return {
      isWide: (next: Next) => of(next) > most * middle,
      spread: median(made.map(next => Math.abs(of(next) - middle))),
    }
  })
  return ways.reduce((best, way) => (way.spread < best.spread ? way : best)).isWide
}

/** How far one character stands from another of the same line; infinitely where that is not known or the line is another. */
const distance = (reader: Reader, text: number, before: number, after: number): Pick<Next, 'gap' | 'steps'> => {
  const [from, to] = [placeOf(reader, text, before), placeOf(reader, text, after)]
  const em = heightOf(reader, text, after)
  const far = Number.POSITIVE_INFINITY
  if (!from || !to || !em || !isLevel(from, to, em)) return { gap: far, steps: [far, far] }
  const middle = ({ left, right }: CharPlace) => (left + right) / 2
  return {
    gap: Math.max(to.left - from.right, from.left - to.right) / em,
    steps: [Math.abs(to.left - from.left) / em, Math.abs(middle(to) - middle(from)) / em],
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/**
 * Takes out the spaces that the reader made up between the letters of form fields with a cell for each, however few there are;
 * one stays where a cell is empty.
 */
export const joinCells = (reader: Reader, text: number, units: Units, fields: readonly FieldBox[]): void => {
  if (fields.length === 0) return
  const { parts, chars, ends } = units
  const middles = parts.map((_, at) => middleOf(reader, text, chars[at] as number, ends[at] as number))
  for (const { left, bottom, right, top } of fields) {
    const inside = middles.flatMap((middle, at) =>
      middle && middle.x > left && middle.x < right && middle.y > bottom && middle.y < top ? [{ at, ...middle }] : [],
    )
    const steps = inside.slice(1).map(({ at, x, y }, i) => {
      const last = inside[i]!
      return { from: last.at, to: at, step: Math.hypot(x - last.x, y - last.y) }
    })
    // Letters that one sign stands for have one place.
    const [cell] = extentOf(steps.map(({ step }) => step || Number.POSITIVE_INFINITY))
    for (const { from, to, step } of steps) {
      const isSpace = to === from + 2 && parts[from + 1] === ' ' && (chars[from + 1] as number) < 0
      if (isSpace && step <= between.step * cell) parts[from + 1] = ''
    }
  }
}

/** The middle of what stands for a unit on the page; none of what the reader made up. */
const middleOf = (reader: Reader, text: number, first: number, last: number): { x: number; y: number } | undefined => {
  const [from, to] = first < 0 ? [] : [placeOf(reader, text, first), placeOf(reader, text, last)]
  return from && to && { x: (from.left + to.right) / 2, y: (from.bottom + from.top) / 2 }
}
