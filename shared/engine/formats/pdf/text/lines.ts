import type { Reader } from '../page-reader.ts'
import { type CharPlace, placeOf } from './char-place.ts'
import type { Units } from './gaps.ts'

/** A line as it stands on a page: where its first and its last letter do. */
export type Line = { first: CharPlace; last: CharPlace; width: number; height: number }

/** The lines of a page: the units that they begin with, how one stands, and which one ends at a break. */
export type Lines = {
  starts: readonly number[]
  /** Nothing where a line is not level, or holds nothing. */
  lineAt(number: number): Line | undefined
  numberOf(end: number): number
  /** Where a unit ends on its line. */
  rightOf(unit: number): number | undefined
}

/** Looks up lines by their numbers. `joined`: units that begin a line which the reader has joined to the one before. */
export const linesOf = (
  reader: Reader,
  text: number,
  units: Units,
  breaks: readonly number[],
  joined: readonly number[],
): Lines => {
  const starts = [0, ...breaks.map(at => at + 1), ...joined].sort((a, b) => a - b)
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
  return {
    starts,
    rightOf: unit => (units.ends[unit]! < 0 ? undefined : placeOf(reader, text, units.ends[unit]!)?.right),
    lineAt(number) {
      if (!known.has(number)) known.set(number, number < 0 ? undefined : read(number))
      return known.get(number)
    },
    numberOf(end) {
      let [low, high] = [0, starts.length]
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if (starts[middle]! <= end) low = middle
        else high = middle
      }
      return low
    },
  }
}
