import type { Reader } from '../page-reader.ts'
import { placeOf } from './char-place.ts'
import type { Units } from './gaps.ts'
import { hole, levelsOf, type Run, runsOf, sameLine } from './line-runs.ts'

/** How two pieces of a line stand, in heights of the font: from a little over each other to a blank apart. */
const piece = { overlap: 0.1, space: 0.1, gap: 0.5 }

/**
 * Puts a piece of a line that is shown after other lines, or before its beginning, to where it stands, at an end of the rest or
 * in a hole of it: the reader takes it for a line of its own, and others read a word there. `steps`: characters on another level
 * than those before them; `breaks`, where lines end, moves along.
 */
export const joinParted = (
  reader: Reader,
  text: number,
  units: Units,
  steps: ReadonlySet<number>,
  breaks: number[],
): void => {
  const runs = runsOf(reader, text, units, steps, breaks)
  const lines = joinedLines(runs)
  if (lines.length > 0) rewrite(reader, text, units, runs, lines, breaks)
}

/** The runs of each line, if they are others than those that the reader has. */
const joinedLines = (runs: readonly Run[]): number[][] => {
  const next: (number | undefined)[] = runs.map((run, n) => (run.goesOn ? n + 1 : undefined))
  const before: (number | undefined)[] = runs.map((_, n) => (runs[n - 1]?.goesOn ? n - 1 : undefined))
  const rank: number[] = []
  const head: (number | undefined)[] = []
  let changed = false
  const join = (one: number, other: number) => {
    next[one] = other
    before[other] = one
    changed = true
  }
  const isBefore = (one: number, other: number) =>
    rank[one]! < rank[other]! &&
    isLevel(runs[one]!, runs[other]!) &&
    runs[one]!.right <= runs[other]!.left + piece.overlap * runs[other]!.em

  /** Puts a line that begins with a run behind another: as much of it as fits in front of what stands there. */
  const append = (one: number, run: number) => {
    const behind = next[one]
    if (behind === undefined) return join(one, run)
    if (!isBefore(run, behind)) return
    let last = run
    for (let at = next[last]; at !== undefined && isBefore(at, behind); at = next[last]) last = at
    const rest = next[last]
    if (rest !== undefined && !isBefore(behind, rest)) return
    join(one, run)
    join(last, behind)
    if (rest !== undefined) before[rest] = undefined
  }

  /** Puts a line that ends with a run in front of another. */
  const insert = (run: number, other: number) => {
    const first = head[run]
    if (next[run] !== undefined || first === undefined || !isBefore(before[other]!, first)) return
    head[run] = head[before[other]!]
    join(before[other]!, first)
    join(run, other)
  }

  for (const level of levelsOf(runs)) {
    level.sort((one, other) => runs[one]!.left - runs[other]!.left || one - other)
    level.forEach((run, n) => {
      rank[run] = n
    })
    let furthest: number[] = []
    for (const run of level) {
      const ending = furthest.filter(other => goesOn(runs[other]!, runs[run]!))
      const [one, another] = ending
      const isSure = one !== undefined && (another === undefined || isBefore(another, one))
      if (isSure && next[one] !== run) (before[run] === undefined ? append : insert)(one, run)
      head[run] = before[run] === undefined ? run : head[before[run]]
      furthest = [...furthest, run].sort((a, b) => runs[b]!.right - runs[a]!.right).slice(0, 2)
    }
  }
  if (!changed) return []
  const lines = [...runs.keys()].filter(run => before[run] === undefined).map(first => from(first, next))
  // Lines that lead to each other have no first run.
  return lines.flat().length === runs.length ? lines : []
}

const from = (first: number, next: readonly (number | undefined)[]): number[] => {
  const line: number[] = []
  for (let run: number | undefined = first; run !== undefined; run = next[run]) line.push(run)
  return line
}

const isLevel = (one: Run, other: Run): boolean => Math.abs(one.lastY - other.y) <= sameLine.level * other.em

const goesOn = (one: Run, other: Run): boolean => {
  const { em } = other
  if (Math.abs(one.em - em) > sameLine.height * em || !isLevel(one, other)) return false
  const gap = (other.left - one.right) / em
  return gap >= -piece.overlap && gap <= piece.gap && other.left > one.left
}

/** Writes lines of runs, and between those that the reader has behind each other what it has there. */
const rewrite = (
  reader: Reader,
  text: number,
  units: Units,
  runs: readonly Run[],
  lines: readonly (readonly number[])[],
  breaks: number[],
): void => {
  const fresh: Units = { parts: [], chars: [], ends: [] }
  const wasBreak = new Set(breaks)
  breaks.length = 0
  const add = (part: string, char = -1, end = -1) => {
    fresh.parts.push(part)
    fresh.chars.push(char)
    fresh.ends.push(end)
  }
  const copy = (start: number, end: number) => {
    for (let at = start; at < end; at++) {
      if (wasBreak.has(at)) breaks.push(fresh.parts.length)
      add(units.parts[at]!, units.chars[at]!, units.ends[at]!)
    }
  }
  let last = -1
  for (const line of lines) {
    line.forEach((run, n) => {
      const [before, own] = [runs[last], runs[run]!]
      if (run === last + 1 && (n === 0 || before?.goesOn)) copy(before?.to ?? 0, own.from)
      else if (n > 0 && before) {
        // Where the reader ends a line between letters that touch, rules read both, as `doubtful-gaps.ts` tells.
        if (run === last + 1 || isBlankBetween(reader, text, units, before, own)) add(' ')
      } else if (before) {
        breaks.push(fresh.parts.length)
        add('\n')
      }
      copy(own.from, own.to)
      last = run
    })
  }
  if (last === runs.length - 1) copy(runs[last]!.to, units.parts.length)
  Object.assign(units, fresh)
}

/** Whether a blank stands between two runs, or is shown right at one of them. */
const isBlankBetween = (reader: Reader, text: number, units: Units, one: Run, other: Run): boolean => {
  if (other.left - one.right >= piece.space * other.em) return true
  const blank = (at: number) => (units.parts[at] === ' ' ? placeOf(reader, text, units.chars[at]!) : undefined)
  const [behind, ahead] = [blank(one.to), blank(other.from - 1)]
  const most = hole * other.em
  return (
    (behind !== undefined && Math.abs(behind.left - one.right) < most) ||
    (ahead !== undefined && Math.abs(other.left - ahead.right) < most)
  )
}
