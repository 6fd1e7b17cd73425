import { createHash } from 'node:crypto'

/** The tree over entries from one number up to, not including, another one. */
export type Range = readonly [from: number, to: number]

/** A complete tree over 2^level entries, the index-th of its kind from the left. */
export type Subtree = { level: number; index: number }

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Hash of an entry (RFC 6962, 2.1). */
export const leafHash = (entry: string): Buffer => sha256(Buffer.of(0), Buffer.from(entry))

/** Hash of two trees side by side. */
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(1), left, right)

/** The complete trees that a range is made of, from the left, each as large as can be. */
export function subtreesOf([from, to]: Range): Subtree[] {
  const subtrees: Subtree[] = []
  for (let at = from; at < to; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level++
    subtrees.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return subtrees
}

/** Hash of the tree over a range from the hashes of its {@link subtreesOf}; of nothing, where there are none. */
export const joined = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0 ? sha256() : hashes.reduceRight((right, left) => nodeHash(left, right))

/** Hashes of the complete trees over some entries, by level and index; the first level are the hashes of the entries. */
export function levelsOf(leaves: readonly Buffer[]): Buffer[][] {
  const levels = [[...leaves]]
  for (let below = levels[0]!; below.length > 1; below = levels.at(-1)!) {
    const pairs = Array.from({ length: Math.floor(below.length / 2) }, (_, n) => 2 * n)
    levels.push(pairs.map(n => nodeHash(below[n]!, below[n + 1]!)))
  }
  return levels
}

/** Hash of the tree over a range of entries whose {@link levelsOf} are known. */
export const hashWithin = (levels: readonly Buffer[][], range: Range): Buffer =>
  joined(subtreesOf(range).map(({ level, index }) => levels[level]![index]!))

/** Where a tree over more than one entry is divided: after the largest power of two below their number. */
const middleOf = ([from, to]: Range): number => {
  let half = 1
  while (half * 2 < to - from) half *= 2
  return from + half
}

/** The trees beside the way from an entry up to the root (RFC 6962, 2.1.1); `range` must hold the entry. */
export function inclusionPath(index: number, range: Range): Range[] {
  const [from, to] = range
  if (to - from === 1) return []
  const middle = middleOf(range)
  return index < middle
    ? [...inclusionPath(index, [from, middle]), [middle, to]]
    : [...inclusionPath(index, [middle, to]), [from, middle]]
}

/** The trees that show how the first `size` entries became all of them (RFC 6962, 2.1.2): from 1 up to their number. */
export function consistencyPath(size: number, total: number): Range[] {
  const within = (range: Range, known: boolean): Range[] => {
    const [from, to] = range
    if (to === size) return known ? [] : [range]
    const middle = middleOf(range)
    return size <= middle
      ? [...within([from, middle], known), [middle, to]]
      : [...within([middle, to], false), [from, middle]]
  }
  return within([0, total], true)
}
