/** Stretches of rows, in order and apart from each other: from `at[2 * n]` to `at[2 * n + 1]`. */
export type Stretches = number[]

/** More stretches of one column become one over all of them. */
const most = 4096

/** The first stretch that ends at a row or behind it. */
function firstFrom(at: Stretches, row: number): number {
  let [low, high] = [0, at.length / 2]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at[2 * middle + 1]! < row) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether one of the stretches has a row of these. */
export function meets(at: Stretches, from: number, to: number): boolean {
  const first = firstFrom(at, from)
  return 2 * first < at.length && at[2 * first]! <= to
}

/** Adds rows. Tells whether one of them is new. */
export function addRows(at: Stretches, from: number, to: number): boolean {
  const first = firstFrom(at, from - 1)
  if (2 * first < at.length && at[2 * first]! <= from && at[2 * first + 1]! >= to) return false
  let [last, start, end] = [first, from, to]
  for (; 2 * last < at.length && at[2 * last]! <= to + 1; last++) {
    start = Math.min(start, at[2 * last]!)
    end = Math.max(end, at[2 * last + 1]!)
  }
  at.splice(2 * first, 2 * (last - first), start, end)
  if (at.length > 2 * most) at.splice(0, at.length, at[0]!, at.at(-1)!)
  return true
}
