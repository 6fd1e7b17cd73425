import type { Value } from './merge.ts'

/** Values of a class with their counts. */
type Counts = readonly (readonly [id: number, count: number])[]

/** Adds numbers in their order, so that the sum is the same whatever order they came in. */
const sumOf = (terms: number[]) => terms.sort((a, b) => a - b).reduce((sum, term) => sum + term, 0)

/** Sum of n ln n over the counts of a class: what its entropy is made of. */
const logSum = (counts: Counts) => sumOf(counts.map(([, count]) => count * Math.log(count)))

/** Entropy l-diversity of a class of `size` records: e to the power of the entropy of its sensitive values. */
export const entropyL = (counts: Counts, size: number): number =>
  counts.length === 1 ? 1 : Math.exp(Math.log(size) - logSum(counts) / size)

/** What sums of logarithms may be wrong by. */
const rounding = 1e-12

/** Whether a class has entropy l-diversity. One that has it to a hair has not, as in ARX. */
export const hasEntropyL = (counts: Counts, size: number, l: number): boolean =>
  l <= 1 || (counts.length >= Math.floor(l) && Math.log(size) - logSum(counts) / size - Math.log(l) > rounding)

/** Distances of the distribution of a sensitive value in a class from the one in the whole table, 0 to 1. */
export type Distances = {
  /** Every two values equally far apart. */
  equal(counts: Counts, size: number): number
  /** Numbers, each one step from the next; absent unless all values are numbers. */
  ordered?: (counts: Counts, size: number) => number
}

/** Prepares the distances for a column with these values in `records` records. */
export function distancesOf(values: readonly Value[], records: number): Distances {
  const equal = (counts: Counts, size: number) => {
    let others = records
    const terms = counts.map(([id, count]) => {
      others -= values[id]!.count
      return Math.abs(values[id]!.count / records - count / size)
    })
    return (sumOf(terms) + others / records) / 2
  }
  if (values.length < 2 || values.some(({ number }) => Number.isNaN(number))) return { equal }
  const order = values.map((_, id) => id).sort((a, b) => values[a]!.number - values[b]!.number)
  const ranks = new Uint32Array(values.length)
  /** Records up to each value, and the sums of those before it. */
  const upTo = new Float64Array(values.length)
  const sums = new Float64Array(values.length + 1)
  order.forEach((id, rank) => {
    ranks[id] = rank
    upTo[rank] = values[id]!.count + (rank > 0 ? upTo[rank - 1]! : 0)
    sums[rank + 1] = sums[rank]! + upTo[rank]!
  })
  /** Sum of |share of records up to the value - share| over the values from one rank to another. */
  const between = (from: number, to: number, share: number): number => {
    let low = from
    for (let high = to; low < high; ) {
      const middle = (low + high) >> 1
      if (upTo[middle]! < share * records) low = middle + 1
      else high = middle
    }
    const below = (low - from) * share - (sums[low]! - sums[from]!) / records
    return below + (sums[to]! - sums[low]!) / records - (to - low) * share
  }
  const ordered = (counts: Counts, size: number) => {
    const sorted = counts.map(([id, count]) => [ranks[id]!, count] as const).sort(([a], [b]) => a - b)
    let [at, seen, sum] = [0, 0, 0]
    for (const [rank, count] of sorted) {
      sum += between(at, rank, seen / size)
      seen += count
      at = rank
    }
    return (sum + between(at, values.length, seen / size)) / (values.length - 1)
  }
  return { equal, ordered }
}
