import type { Keyed } from './keyed.ts'

/** Words of which each stands for another. */
export type Pool = {
  readonly size: number
  /** Another word for one of the pool: none for two of them, and none that is to be avoided. Nothing where it isn't in the pool. */
  another(word: string): string | undefined
  /** A word for what isn't in the pool. */
  any(number: number): string
}

/**
 * Makes a pool of words: each becomes the next one in an order of the key's, so that no word becomes itself and no two
 * become the same. What is to be avoided, because it stands in the text itself, is left out: a word that would become one of
 * these takes the next that is free.
 */
export function createPool(words: readonly string[], keyed: Keyed, purpose: string, avoid: ReadonlySet<string>): Pool {
  const order = keyed.order(purpose, words.length)
  const ring = Array.from(order, index => words[index]!)
  const places = new Map(ring.map((word, place) => [word, place]))
  const next = (place: number) => (place + 1) % ring.length
  const instead = new Map<string, string>()
  const taken = new Set<string>()
  const avoided = [...places].filter(([word]) => avoid.has(word))
  if (avoided.length < ring.length / 3) {
    for (const [word, place] of avoided) {
      let at = next(place)
      while (avoid.has(ring[at]!) || taken.has(ring[at]!)) at = next(at)
      taken.add(ring[at]!)
      instead.set(word, ring[at]!)
    }
  }
  return {
    size: ring.length,
    another(word) {
      const place = places.get(word)
      return place === undefined ? undefined : (instead.get(word) ?? ring[next(place)]!)
    },
    any(number) {
      let at = number % ring.length
      for (let tries = 0; tries < ring.length && avoid.has(ring[at]!); tries++) at = next(at)
      return ring[at]!
    },
  }
}
