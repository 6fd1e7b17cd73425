import type { Reader } from '../page-reader.ts'
import { heightOf, isUpright, placeOf } from './char-place.ts'
import { flagsOf, type Units } from './gaps.ts'
import { letterFromRight } from './right-to-left.ts'

/**
 * Letters of a line with no hole between them: their units, on which level the first and the last one stand, where they begin and
 * end, and the height of their font; 0 for what stays where it is: text that is turned or goes to the left. `goesOn`: the next run
 * is of the same line to the reader.
 */
export type Run = {
  from: number
  to: number
  y: number
  lastY: number
  left: number
  right: number
  em: number
  goesOn: boolean
}

/** The narrowest hole that a letter fits into, in heights of the font. */
export const hole = 0.15

/** How far apart two lines are, in heights of the font. */
const otherLine = 0.6

/** How far up or down of each other pieces of one line are, and how much their fonts differ, in heights of the font. */
export const sameLine = { level: 0.05, height: 0.1 }

const isLetter = ({ parts, chars }: Units, at: number): boolean => (chars[at] ?? -1) >= 0 && parts[at]!.trim() !== ''

/** The runs of a text in the order of the reader. A line on whose level nothing else stands is one. */
export const runsOf = (
  reader: Reader,
  text: number,
  units: Units,
  steps: ReadonlySet<number>,
  breaks: readonly number[],
): Run[] => {
  const lines = readerLines(reader, text, units, steps, breaks)
  const shared = new Set(levelsOf(lines).flat())
  return lines.flatMap((line, n) => (shared.has(n) ? partsOf(reader, text, units, line) : [line]))
}

/** What the reader takes for a line, and of lines that it puts behind each other each by itself; a hyphen may join two. */
const readerLines = (
  reader: Reader,
  text: number,
  units: Units,
  steps: ReadonlySet<number>,
  breaks: readonly number[],
): Run[] => {
  const { parts, chars, ends } = units
  const isStep = flagsOf(steps)
  const lines: Run[] = []
  let [last, line] = [-1, 0]
  for (let at = 0; at < parts.length; at++) {
    if (!isLetter(units, at)) continue
    const isBroken = breaks[line] !== undefined && breaks[line]! < at
    while (breaks[line] !== undefined && breaks[line]! < at) line++
    const isNew =
      last < 0 || isBroken || (isStep[chars[at]!] === 1 && isOtherLine(reader, text, ends[last]!, chars[at]!))
    if (isNew) {
      if (last >= 0) endAt(reader, text, units, lines.at(-1)!, last, !isBroken && last === at - 1)
      lines.push(runFrom(reader, text, units, at))
    }
    last = at
  }
  if (last >= 0) endAt(reader, text, units, lines.at(-1)!, last)
  return lines
}

const runFrom = (reader: Reader, text: number, { parts, chars }: Units, at: number): Run => {
  const place = placeOf(reader, text, chars[at]!)
  const stays = !place || letterFromRight.test(parts[at]!) || !isUpright(reader, text, chars[at]!)
  const em = stays ? 0 : (heightOf(reader, text, chars[at]!) ?? 0)
  const { y, left, right } = place ?? { y: 0, left: 0, right: 0 }
  return { from: at, to: at + 1, y, lastY: y, left, right, em, goesOn: false }
}

const endAt = (reader: Reader, text: number, { ends }: Units, run: Run, last: number, goesOn = false): void => {
  const place = placeOf(reader, text, ends[last]!)
  run.to = last + 1
  run.goesOn = goesOn
  if (place) [run.right, run.lastY] = [place.right, place.y]
}

const isOtherLine = (reader: Reader, text: number, before: number, after: number): boolean => {
  const [from, to, em] = [placeOf(reader, text, before), placeOf(reader, text, after), heightOf(reader, text, after)]
  return from !== undefined && to !== undefined && Math.abs(from.y - to.y) >= otherLine * (em ?? 0)
}

/** The numbers of the runs on each level that has several of one height, none of them turned. */
export const levelsOf = (runs: readonly Run[]): number[][] => {
  const upright = [...runs.keys()].filter(run => runs[run]!.em > 0)
  const heights = clusters(
    upright,
    run => runs[run]!.em,
    run => sameLine.height * runs[run]!.em,
  )
  return heights
    .flatMap(height =>
      clusters(
        height,
        run => runs[run]!.y,
        run => sameLine.level * runs[run]!.em,
      ),
    )
    .filter(level => level.length > 1)
}

/** Puts together what is next to each other by its size. */
const clusters = (runs: number[], sizeOf: (run: number) => number, most: (run: number) => number): number[][] => {
  const sorted = runs.toSorted((one, other) => sizeOf(one) - sizeOf(other))
  const found: number[][] = []
  sorted.forEach((run, n) => {
    if (n > 0 && sizeOf(run) - sizeOf(sorted[n - 1]!) <= most(run)) found.at(-1)!.push(run)
    else found.push([run])
  })
  return found
}

/** A line in the parts between its holes; whole where a letter of it goes to the left. */
const partsOf = (reader: Reader, text: number, units: Units, line: Run): Run[] => {
  const { parts, chars, ends } = units
  const found: Run[] = []
  let [right, last] = [0, -1]
  for (let at = line.from; at < line.to; at++) {
    if (chars[at]! < 0) continue
    const isBlank = parts[at]!.trim() === ''
    if (!isBlank && letterFromRight.test(parts[at]!)) return [{ ...line, em: 0 }]
    const place = placeOf(reader, text, chars[at]!)
    const run = found.at(-1)
    if (!place) continue
    const isApart = !run || place.left - right >= hole * run.em || place.left < run.left
    if (isApart && isBlank) continue
    if (isApart) {
      if (run) {
        endAt(reader, text, units, run, last)
        run.goesOn = place.left >= run.left
      }
      found.push(runFrom(reader, text, units, at))
    }
    right = ends[at] === chars[at] ? place.right : (placeOf(reader, text, ends[at]!)?.right ?? place.right)
    if (!isBlank) last = at
  }
  if (last >= 0) endAt(reader, text, units, found.at(-1)!, last, line.goesOn)
  return found
}
