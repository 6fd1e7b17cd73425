import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, placeOf } from './char-place.ts'
import type { Units } from './gaps.ts'

/** A stretch of a text that the reader takes for a line: its units, and where its first and last letter stand. */
type Line = { from: number; to: number; first?: CharPlace; last?: CharPlace; em: number }

/** How two pieces of a line stand, in heights of the font: on one level, from a little over each other to a blank apart. */
const piece = { level: 0.05, overlap: 0.1, space: 0.1, gap: 0.5, height: 0.1 }

/**
 * Puts a piece of a line that is shown after other lines, or before its beginning, to where it stands: the reader takes it for
 * a line of its own, and others read a word there. `breaks`, where lines end, moves along.
 */
export const joinParted = (reader: Reader, text: number, units: Units, breaks: number[]): void => {
  if (breaks.length < 2) return
  const lines = linesOf(reader, text, units, breaks)
  const after = followers(lines)
  if (after.size === 0) return
  const moved = new Set(after.values())
  const order = lines.keys().filter(line => !moved.has(line))
  const joined: Units = { parts: [], chars: [], ends: [] }
  const add = (part: string, char: number, end: number) => {
    joined.parts.push(part)
    joined.chars.push(char)
    joined.ends.push(end)
  }
  breaks.length = 0
  let begun = false
  for (const head of order) {
    if (begun) {
      breaks.push(joined.parts.length)
      add('\n', -1, -1)
    }
    begun = true
    for (let line: number | undefined = head, before: Line | undefined; line !== undefined; line = after.get(line)) {
      const own: Line = lines[line]!
      if (before && own.first!.left - before.last!.right >= piece.space * own.em) add(' ', -1, -1)
      for (let at = own.from; at < own.to; at++) add(units.parts[at]!, units.chars[at]!, units.ends[at]!)
      before = own
    }
  }
  Object.assign(units, joined)
}

const linesOf = (reader: Reader, text: number, { parts, chars, ends }: Units, breaks: readonly number[]): Line[] =>
  [...breaks, parts.length].map((to, n) => {
    const from = n === 0 ? 0 : breaks[n - 1]! + 1
    const isLetter = (at: number) => chars[at]! >= 0 && parts[at]!.trim() !== ''
    let [start, end] = [from, to - 1]
    while (start < to && !isLetter(start)) start++
    while (end > start && !isLetter(end)) end--
    if (start >= to) return { from, to, em: 0 }
    const [first, last] = [placeOf(reader, text, chars[start]!), placeOf(reader, text, ends[end]!)]
    return { from, to, first, last, em: heightOf(reader, text, chars[start]!) ?? 0 }
  })

/** Lines that end about where one begins, more of which nobody could read: then none is taken to go on. */
const most = 50

/** For lines that another goes on, which that is; not where the reader has one behind the other already. */
const followers = (lines: readonly Line[]): Map<number, number> => {
  const endingAt = endingsOf(lines)
  const after = new Map<number, number>()
  lines.forEach(({ first, em }, line) => {
    if (!first || em === 0) return
    const ending = endingAt(first.y, first.left - piece.gap * em, first.left + piece.overlap * em)
    const before = ending.filter(other => other !== line && goesOn(lines[other]!, first, em))
    const [one] = before
    if (one === undefined || before.length > 1 || ending.length > most || one === line - 1 || after.has(one)) return
    // Of copies on top of each other, each may seem to go on from the other.
    if (!leadsTo(line, one, after)) after.set(one, line)
  })
  return after
}

/** Says which lines end at about a height, between two places from the left; of many, only some. */
function endingsOf(lines: readonly Line[]) {
  const rightOf = (line: number) => lines[line]!.last!.right
  const ended = lines.keys().filter(line => lines[line]!.last !== undefined)
  const levels = Map.groupBy(ended, line => Math.round(lines[line]!.last!.y))
  for (const level of levels.values()) level.sort((one, other) => rightOf(one) - rightOf(other))
  const firstFrom = (level: readonly number[], left: number) => {
    let [low, high] = [0, level.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (rightOf(level[middle]!) < left) low = middle + 1
      else high = middle
    }
    return low
  }
  return (y: number, left: number, right: number): number[] =>
    [-1, 0, 1].flatMap(step => {
      const level = levels.get(Math.round(y) + step) ?? []
      const found: number[] = []
      for (let at = firstFrom(level, left); at < level.length && rightOf(level[at]!) <= right; at++) {
        if (found.push(level[at]!) > most) break
      }
      return found
    })
}

function leadsTo(from: number, to: number, after: ReadonlyMap<number, number>): boolean {
  for (let line: number | undefined = from; line !== undefined; line = after.get(line)) if (line === to) return true
  return false
}

const goesOn = ({ last, em }: Line, first: CharPlace, height: number): boolean => {
  if (!last || Math.abs(em - height) > piece.height * height || Math.abs(last.y - first.y) > piece.level * height)
    return false
  const gap = (first.left - last.right) / height
  return gap >= -piece.overlap && gap <= piece.gap && first.left > last.left
}
