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

/** For lines that another goes on, which that is; not where the reader has one behind the other already. */
const followers = (lines: readonly Line[]): Map<number, number> => {
  const endings = Map.groupBy(lines.keys(), line => Math.round(lines[line]!.last?.y ?? 0))
  const after = new Map<number, number>()
  lines.forEach(({ first, em }, line) => {
    if (!first || em === 0) return
    const near = [-1, 0, 1].flatMap(step => endings.get(Math.round(first.y) + step) ?? [])
    const before = near.filter(other => other !== line && goesOn(lines[other]!, first, em))
    if (before.length === 1 && before[0] !== line - 1 && !after.has(before[0]!)) after.set(before[0]!, line)
  })
  return after
}

const goesOn = ({ last, em }: Line, first: CharPlace, height: number): boolean => {
  if (!last || Math.abs(em - height) > piece.height * height || Math.abs(last.y - first.y) > piece.level * height)
    return false
  const gap = (first.left - last.right) / height
  return gap >= -piece.overlap && gap <= piece.gap && first.left > last.left
}
