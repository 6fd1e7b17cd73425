import { emptyHash, hashOn } from './phrase-set.ts'

/** Units at the beginning of a phrase whose slips are tried out; those behind are compared. */
const head = 8

/** How many slips of the pen a phrase of so many units may have: a letter missing, too many, another, or two changed. */
export const slipsIn = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2)

/** A text and all that is left of it without one or more of its units, at most so many. */
function variants(text: string, cuts: number, found = new Set([text])): Set<string> {
  if (cuts === 0) return found
  for (let at = 0; at < text.length; at++) {
    const shorter = text.slice(0, at) + text.slice(at + 1)
    if (found.has(shorter)) continue
    found.add(shorter)
    variants(shorter, cuts - 1, found)
  }
  return found
}

/** Whether two texts differ by at most so many slips: a band of the table of edit distances, neighbours swapped included. */
export function isWithin(one: string, other: string, slips: number): boolean {
  if (Math.abs(one.length - other.length) > slips) return false
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (swapped) cost = Math.min(cost, before[column - 2]! + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > slips) return false
    before = last
    last = next
  }
  return last[other.length]! <= slips
}

/** Bits of a hash that choose a bucket. */
const bucketBits = 16

/** Hashes by their buckets, each with the index of the phrase that it is of: eight bytes for each. */
function indexed(phrases: readonly string[]) {
  const starts = new Uint32Array((1 << bucketBits) + 1)
  const hashes: number[] = []
  const owners: number[] = []
  phrases.forEach((phrase, index) => {
    for (const variant of variants(phrase.slice(0, head), slipsIn(phrase.length))) {
      const hash = hashOn(emptyHash, variant).a >>> 0
      hashes.push(hash)
      owners.push(index)
      starts[(hash >>> (32 - bucketBits)) + 1]!++
    }
  })
  for (let bucket = 0; bucket < 1 << bucketBits; bucket++) starts[bucket + 1]! += starts[bucket]!
  const next = starts.slice()
  const sorted = { hashes: new Uint32Array(hashes.length), owners: new Uint32Array(hashes.length) }
  for (const [n, hash] of hashes.entries()) {
    const place = next[hash >>> (32 - bucketBits)]!++
    sorted.hashes[place] = hash
    sorted.owners[place] = owners[n]!
  }
  return { starts, ...sorted }
}

/**
 * Phrases that are found with slips of the pen: what is left of the beginning of a phrase without some units is looked up
 * under what is left of the beginnings of those that are known (the symmetric deletes of W. Garbe).
 */
export function createFuzzySet(phrases: readonly string[]): (phrase: string) => boolean {
  const { starts, hashes, owners } = indexed(phrases)
  const longest = phrases.reduce((most, { length }) => Math.max(most, length), 0)
  const shortest = phrases.reduce((least, { length }) => Math.min(least, length), longest)
  return phrase => {
    // A phrase may be shorter than the one that it is meant to be, which may have more slips then.
    const slips = slipsIn(phrase.length + 2)
    if (phrase.length > longest + slips || phrase.length < shortest - slips) return false
    const tried = new Set<number>()
    for (const variant of variants(phrase.slice(0, head), slips)) {
      const hash = hashOn(emptyHash, variant).a >>> 0
      const bucket = hash >>> (32 - bucketBits)
      for (let place = starts[bucket]!; place < starts[bucket + 1]!; place++) {
        const owner = owners[place]!
        if (hashes[place] !== hash || tried.has(owner)) continue
        tried.add(owner)
        const known = phrases[owner]!
        if (isWithin(phrase, known, slipsIn(known.length))) return true
      }
    }
    return false
  }
}
