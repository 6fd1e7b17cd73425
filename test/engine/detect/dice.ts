/** Repeatable numbers from 0 to below `most`. */
export function dice(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}
