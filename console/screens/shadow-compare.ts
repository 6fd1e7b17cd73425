import type { PlacedFinding } from '../../shared/api/findings.ts'

/** What another workflow would find in the inputs of a job that it did not find, and the other way round; without values. */
export type Compared = {
  newly: Difference
  gone: Difference
  same: number
  /** Names of files of which only numbers are kept, so that their places can't be compared. */
  uncompared: string[]
  /** Names of files that were left out, wholly or in part, because there are more findings than can be compared. */
  cut: string[]
}

/** Findings that only one side has: how many, the first of them, and how many in each column of a table. */
export type Difference = { count: number; first: Placed[]; columns: Map<string, { placed: Placed; count: number }> }

/** A finding with the name of its file. */
export type Placed = PlacedFinding & { file: string }

/** Some of what was found in a job, and the names of files of which only numbers are kept. */
export type Found = { findings: Placed[]; unlisted: string[] }

/** What stands at the same place of the same file under the same label is the same, whichever rule has found it. */
function keyOf({ file, label, place, start, end }: Placed): number {
  const { kind, part, page, row, rows, column } = place
  return hashOf(JSON.stringify([file, label, kind, part, page, row, rows, column, start, end]))
}

/** 53 bits that stand for a text: a million of them are alike by chance once in twenty thousand times. */
function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
    low ^= low >>> 15
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}

/** Differences that are shown one by one. */
export const SHOWN = 200

function note(difference: Difference, placed: Placed): void {
  difference.count++
  if (difference.first.length < SHOWN) difference.first.push(placed)
  const { file, label, place } = placed
  if (place.column === undefined) return
  const column = JSON.stringify([file, place.column, label])
  const counted = difference.columns.get(column) ?? { placed, count: 0 }
  difference.columns.set(column, { ...counted, count: counted.count + 1 })
}

/** Findings of a side that are compared at most: more of their numbers would fill the memory of a phone. */
export const MOST = 1_000_000

type Pages = () => AsyncIterable<Found>

/**
 * Compares what was found before with what is found now. Each side is read answer by answer, the first one twice, and only a
 * number of each finding is kept, of `most` findings a side.
 */
export async function compare(before: Pages, now: Pages, most = MOST): Promise<Compared> {
  const [known, current] = [new Set<number>(), new Set<number>()]
  const [uncompared, cut] = [new Set<string>(), new Set<string>()]
  const [newly, gone]: Difference[] = [1, 2].map(() => ({ count: 0, first: [], columns: new Map() }))
  let same = 0
  const isCompared = ({ file }: Placed) => !uncompared.has(file) && !cut.has(file)
  /** Keeps the number of a finding, or leaves its file out where that is too much. */
  const keep = (finding: Placed, numbers: Set<number>): number | undefined => {
    if (numbers.size < most) {
      const key = keyOf(finding)
      numbers.add(key)
      return key
    }
    cut.add(finding.file)
    return undefined
  }
  for await (const { findings, unlisted } of before()) {
    for (const file of unlisted) uncompared.add(file)
    for (const finding of findings) keep(finding, known)
  }
  for await (const { findings, unlisted } of now()) {
    for (const file of unlisted) uncompared.add(file)
    for (const finding of findings.filter(isCompared)) {
      const key = keep(finding, current)
      if (key === undefined) continue
      if (known.has(key)) same++
      else note(newly!, finding)
    }
  }
  for await (const { findings } of before()) {
    for (const finding of findings.filter(isCompared)) if (!current.has(keyOf(finding))) note(gone!, finding)
  }
  return { newly: newly!, gone: gone!, same, uncompared: [...uncompared], cut: [...cut] }
}
