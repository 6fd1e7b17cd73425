import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, placeOf } from './char-place.ts'
import { mayJoin, standOf } from './doubtful-gaps.ts'
import { flagsOf, type Units } from './gaps.ts'
import { letterFromRight } from './right-to-left.ts'

const letter = /^[\p{L}\p{N}]/u

/** A stretch of a text on one level: its units, where its first letter stands, and the height of its font. */
type Run = { from: number; to: number; first: CharPlace; em: number }

/** Share of the height of a letter that what is raised or lowered beside it has at most. */
const smaller = 0.9

/** How far it stands above or below that letter, in its heights. */
const step = { least: 0.02, most: 0.6 }

/** More stretches than a page has whose lines are level: a slope, or text that is turned. */
const most = 500

/**
 * Puts what is raised or lowered, as exponents are, behind the letter that it stands at, where the reader has it elsewhere: it
 * puts lines in order by their heights. `steps`: characters on another level than those before them; `breaks`, where lines
 * end, moves along.
 */
export const joinRaised = (
  reader: Reader,
  text: number,
  units: Units,
  steps: ReadonlySet<number>,
  breaks: number[],
): void => {
  const runs = runsOf(reader, text, units, steps)
  if (runs.length < 2) return
  const behind = new Map<number, Run>()
  for (const run of runs) {
    const bases = runs.filter(base => isRaised(run, base))
    if (bases.length === 0 || !isWord(units, run) || isPlaced(reader, text, units, run)) continue
    const letters = bases.map(base => letterBefore(reader, text, units, base, run))
    const at = letters.find(letter => letter !== undefined && !behind.has(letter))
    if (at !== undefined) behind.set(at, run)
  }
  if (behind.size > 0) move(units, behind, breaks)
}

const runsOf = (reader: Reader, text: number, { parts, chars }: Units, steps: ReadonlySet<number>): Run[] => {
  const isStep = flagsOf(steps)
  const starts = [0]
  for (let at = 0; at < chars.length; at++) if (isStep[chars[at] as number] === 1) starts.push(at)
  if (starts.length > most) return []
  return starts.flatMap((from, n) => {
    let to = starts[n + 1] ?? chars.length
    while (to > from && ((chars[to - 1] as number) < 0 || parts[to - 1] === ' ')) to--
    if (to <= from) return []
    const first = placeOf(reader, text, chars[from] as number)
    const em = heightOf(reader, text, chars[from] as number)
    return first && em ? [{ from, to, first, em }] : []
  })
}

/** Whether a stretch is one word, of a script that goes to the right. */
const isWord = ({ parts, chars }: Units, { from, to }: Run): boolean =>
  letter.test(parts[from] as string) &&
  !letterFromRight.test(parts[from] as string) &&
  chars.slice(from, to).every((char, at) => char >= 0 && parts[from + at] !== ' ')

const isRaised = (run: Run, base: Run): boolean => {
  const rise = Math.abs(run.first.y - base.first.y)
  return (
    run.em <= smaller * base.em &&
    rise > step.least * base.em &&
    rise < step.most * base.em &&
    run.first.left > base.first.left
  )
}

/** How far what is raised reaches over the next letter of its line at most, in heights of that line. */
const overlap = 0.1

/** The letter of a line behind which something stands, in front of the next one. */
const letterBefore = (
  reader: Reader,
  text: number,
  { parts, chars, ends }: Units,
  base: Run,
  { from, to, first }: Run,
): number | undefined => {
  let [nearest, right] = [-1, Number.NEGATIVE_INFINITY]
  for (let at = base.from; at < base.to; at++) {
    const place = letter.test(parts[at] as string) ? placeOf(reader, text, ends[at] as number) : undefined
    if (!place || place.left >= first.left || place.right <= right) continue
    ;[nearest, right] = [at, place.right]
  }
  const stand = nearest < 0 ? undefined : standOf(reader, text, ends[nearest] as number, chars[from] as number)
  if (!stand || !mayJoin(stand)) return undefined
  const next = chars.slice(nearest + 1, base.to).find(char => char >= 0)
  const room = next === undefined ? undefined : placeOf(reader, text, next)
  const last = placeOf(reader, text, ends[to - 1] as number)
  return !last || (room && room.left < last.right - overlap * base.em) ? undefined : nearest
}

/** Whether the reader has a stretch behind a letter that it may belong to. */
const isPlaced = (reader: Reader, text: number, { chars, ends }: Units, { from }: Run): boolean => {
  let before = from - 1
  while (before >= 0 && (chars[before] as number) < 0) before--
  const stand = before < 0 ? undefined : standOf(reader, text, ends[before] as number, chars[from] as number)
  return stand !== undefined && mayJoin(stand)
}

const move = (units: Units, behind: ReadonlyMap<number, Run>, breaks: number[]): void => {
  const { parts, chars, ends } = units
  const moved = new Set<number>()
  for (const { from, to } of behind.values()) for (let at = from; at < to; at++) moved.add(at)
  const fresh: Units = { parts: [], chars: [], ends: [] }
  const places = new Map<number, number>()
  const add = (part: string, char: number, end: number) => {
    fresh.parts.push(part)
    fresh.chars.push(char)
    fresh.ends.push(end)
  }
  const put = (at: number) => {
    places.set(at, fresh.parts.length)
    add(parts[at] as string, chars[at] as number, ends[at] as number)
    const run = behind.get(at)
    if (!run) return
    add(' ', -1, -1)
    for (let unit = run.from; unit < run.to; unit++) put(unit)
    if ((chars[at + 1] ?? -1) >= 0) add(' ', -1, -1)
  }
  for (let at = 0; at < parts.length; at++) if (!moved.has(at)) put(at)
  Object.assign(units, fresh)
  breaks.forEach((at, line) => {
    breaks[line] = places.get(at) as number
  })
}
