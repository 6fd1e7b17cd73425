/** Places of the filter of beginnings: three units each. */
const filterBits = 20

const filterOf = (a: number, b: number, c: number): number =>
  (Math.imul(Math.imul(a, 0x01000193) ^ b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b)) >>> (32 - filterBits)

/** Finds the end of the longest of many values that begins at a place of a text; -1 where none does. */
export type ExactSet = (text: string, at: number) => number

/** Makes the search for values as they are written, wherever they stand: they are sorted, and narrowed unit by unit. */
export function createExactSet(values: readonly string[]): ExactSet {
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))
  const begins = new Uint8Array(1 << filterBits)
  for (const value of sorted) begins[filterOf(value.charCodeAt(0), value.charCodeAt(1), value.charCodeAt(2))] = 1
  /** The first of those from `low` on, and before `high`, whose unit at `depth` is `unit` or above. */
  const from = (low: number, high: number, depth: number, unit: number) => {
    let [least, most] = [low, high]
    while (least < most) {
      const middle = (least + most) >> 1
      const value = sorted[middle]!
      if (depth >= value.length || value.charCodeAt(depth) < unit) least = middle + 1
      else most = middle
    }
    return least
  }
  return (text, at) => {
    if (at + 3 > text.length) return -1
    if (begins[filterOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))] === 0) return -1
    let [low, high, end] = [0, sorted.length, -1]
    for (let depth = 0; at + depth < text.length && low < high; depth++) {
      const unit = text.charCodeAt(at + depth)
      low = from(low, high, depth, unit)
      high = from(low, high, depth, unit + 1)
      if (low < high && sorted[low]!.length === depth + 1) end = at + depth + 1
    }
    return end
  }
}
