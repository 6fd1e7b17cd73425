import type { Units } from './gaps.ts'
import type { Line, Lines } from './lines.ts'

/** How lines of one paragraph follow each other, in heights of a line: below each other, indented or not, in one size. */
const following = { least: 0.4, most: 2, indent: 2, height: 0.15 }

/**
 * What tells that lines are sentences that their column breaks, and no rows or parts of an address: how many there are, and the shares of
 * those that begin with a small letter, of those with no room for the next word, and at most of those that end with a digit, as
 * entries of a list do.
 */
const prose = { lines: 4, small: 0.4, full: 0.5, numbers: 0.5 }

/** Width of a blank at least, in heights of a line. */
const blank = 0.15

const small = /\p{Ll}/u
const digit = /\p{N}/u

/** The ends of lines at which a paragraph goes on because there was no room for the next word in its column. */
export const fullLines = (units: Units, lines: Lines): Set<number> => {
  const full = new Set<number>()
  for (const { from, to } of blocksOf(lines)) {
    const count = to - from
    if (count < prose.lines) continue
    const starts = lines.starts.slice(from + 1, to)
    const areSuch = (share: number, sign: RegExp, step: number) =>
      starts.filter(at => sign.test(units.parts[at + step] ?? '')).length >= share * starts.length
    if (!areSuch(prose.small, small, 0) || areSuch(prose.numbers, digit, -2)) continue
    const ends = fullEnds(units, lines, from, to)
    if (ends.length >= prose.full * starts.length) for (const end of ends) full.add(end)
  }
  return full
}

/** Lines that follow each other in one column: the number of the first one, and of the one behind the last. */
function* blocksOf({ starts, lineAt }: Lines): Generator<{ from: number; to: number }> {
  let from = 0
  for (let number = 1; number <= starts.length; number++) {
    const [upper, lower] = [lineAt(number - 1), lineAt(number)]
    if (upper && lower && follows(upper, lower)) continue
    yield { from, to: number }
    from = number
  }
}

const follows = (upper: Line, lower: Line): boolean => {
  const drop = (upper.first.y - lower.first.y) / upper.height
  return (
    drop >= following.least &&
    drop <= following.most &&
    Math.abs(upper.first.left - lower.first.left) <= following.indent * upper.height &&
    Math.abs(upper.height - lower.height) <= following.height * upper.height
  )
}

/** The ends of those of some lines that had no room for the first word of the next one. */
function fullEnds({ parts }: Units, { starts, lineAt, rightOf }: Lines, from: number, to: number): number[] {
  let far = Number.NEGATIVE_INFINITY
  for (let number = from; number < to; number++) far = Math.max(far, lineAt(number)!.last.right)
  const ends: number[] = []
  for (let number = from + 1; number < to; number++) {
    const start = starts[number]!
    let end = start
    while (end + 1 < parts.length && (parts[end + 1] === '' || parts[end + 1]!.trim() !== '')) end++
    const [upper, lower] = [lineAt(number - 1)!, lineAt(number)!]
    const word = (rightOf(end) ?? lower.first.right) - lower.first.left
    if (upper.last.right + blank * upper.height + word > far) ends.push(start - 1)
  }
  return ends
}
