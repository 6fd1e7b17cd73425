import type { Keyed } from './keyed.ts'
import { difference, groupsByWidth, widthOf } from './width.ts'

/** The words that no surrogate shall hold, as `fold` makes them. */
export type Avoid = { has(word: string): boolean }

/** Words of which each stands for another. */
export type Pool = {
  readonly size: number
  /**
   * Another word for one of the pool, of similar width first: none for two of them, and none that is to be avoided. Nothing
   * where it isn't in the pool.
   */
  another(word: string): string | undefined
  /** A word for one that isn't in the pool, of similar width first; the number says which. */
  any(number: number, word: string): string
}

/** Words that a group of similar width has at least, for a few would tell what they stand for. */
const least = 60

/**
 * Makes a pool of words: each becomes the next one of its group in an order of the key's, so that no word becomes itself and
 * no two become the same. What is to be avoided, because it stands in the text itself, is left out: a word that would become
 * one of these takes the next that is free, of another group where its own has none. Where a third of the pool is to be avoided,
 * nothing is.
 */
export function createPool(words: readonly string[], keyed: Keyed, purpose: string, unwanted: Avoid): Pool {
  const ring: string[] = []
  const groups = groupsByWidth(words, least).map((group, n) => {
    const begin = ring.length
    for (const index of keyed.order(`${purpose}|${n}`, group.length)) ring.push(group[index]!)
    return { begin, size: group.length, width: widthOf(group[group.length >> 1]!) }
  })
  const places = new Map(ring.map((word, place) => [word, place]))
  const avoided = new Set(ring.filter(word => unwanted.has(word)))
  const avoid = avoided.size < ring.length / 3 ? avoided : new Set<string>()
  const taken = new Set<string>()
  /** The places after one: first of its group, then all. */
  function* after(place: number) {
    const { begin, size } = groups.find(group => place < group.begin + group.size)!
    for (let step = 1; step < size; step++) yield begin + ((place - begin + step) % size)
    for (let step = 0; step < ring.length; step++) yield (begin + size + step) % ring.length
  }
  const free = (place: number) => {
    for (const at of after(place)) if (!avoid.has(ring[at]!) && !taken.has(ring[at]!)) return ring[at]!
    return ring[place]!
  }
  const instead = new Map<string, string>()
  for (const word of avoid) {
    instead.set(word, free(places.get(word)!))
    taken.add(instead.get(word)!)
  }
  return {
    size: ring.length,
    another(word) {
      const place = places.get(word)
      return place === undefined ? undefined : (instead.get(word) ?? ring[after(place).next().value!]!)
    },
    any(number, word) {
      const width = widthOf(word)
      const unlike = groups.map(group => difference(group.width, width))
      const { begin, size } = groups[unlike.indexOf(Math.min(...unlike))]!
      const drawn = begin + (number % size)
      if (!avoid.has(ring[drawn]!)) return ring[drawn]!
      for (const at of after(drawn)) if (!avoid.has(ring[at]!)) return ring[at]!
      return ring[drawn]!
    },
  }
}
