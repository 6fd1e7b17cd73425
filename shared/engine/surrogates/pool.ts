import type { Keyed } from './keyed.ts'
import { createRing } from './ring.ts'

/** The words that no surrogate shall hold, as `fold` makes them. */
export type Avoid = {
  /** Whether a word stands in a value, or is one. */
  has(word: string): boolean
  /** Whether it is a value by itself; missing where surrogates may be values of the job. */
  isValue?(word: string): boolean
}

/** What no word by itself is. */
export const isNever = () => false

/** How words of a pool stand in texts, and which of them shall stand for none, as a title would. */
export type Forms = { some(word: string, test: (form: string) => boolean): boolean; isUnfit(word: string): boolean }

const asTheyAre: Forms = { some: (word, test) => test(word), isUnfit: () => false }

/** Words of which each stands for another. */
export type Pool = {
  readonly size: number
  /** Whether few of its words are to be avoided. */
  readonly isFew: boolean
  has(word: string): boolean
  /**
   * Another word for one of the pool, of similar width first: none for two of them, and none that is to be avoided. Nothing
   * where it isn't in the pool, or none is left for it.
   */
  another(word: string): string | undefined
  /** A word for one that isn't in the pool, of similar width first; the number says which. Nothing where few are left. */
  any(number: number, word: string): string | undefined
  /** A word of the pool that becomes one of it, where any does. */
  source(word: string): string | undefined
  /** The word behind one of the pool, or that of a number for another, whether or not it is a value. */
  behind(word: string, number: number): string
}

/**
 * Makes a pool of words: each becomes the next one of its group in an order of the key's, so that no word becomes itself and
 * no two become the same. What is to be avoided, because it stands in the text itself, is left out: a word that would become
 * one of these takes the next that is free, of another group where its own has none. Where a third of the pool is to be avoided,
 * only what is a value by itself is left out, of words that are one too: then there is none for them. `guests` are words of lists
 * that are too small to be pools.
 */
export function createPool(
  words: readonly string[],
  keyed: Keyed,
  purpose: string,
  unwanted: Avoid,
  { forms = asTheyAre, guests = [] }: { forms?: Forms; guests?: readonly string[] } = {},
): Pool {
  const { words: ring, places, after, before, drawn } = createRing(words, keyed, purpose)
  const avoided = new Set(ring.filter(word => unwanted.has(word)))
  const isFew = avoided.size < ring.length / 3
  const avoid = isFew ? avoided : new Set<string>()
  const { isValue } = unwanted
  const isUnfit = (word: string) => isValue !== undefined && forms.isUnfit(word)
  const taken = new Set<string>()
  const free = (place: number) => {
    for (const at of after(place)) {
      const word = ring[at]!
      if (!avoid.has(word) && !taken.has(word) && !isUnfit(word)) return word
    }
    return ring[place]!
  }
  const instead = new Map<string, string>()
  for (const word of avoid) {
    instead.set(word, free(places.get(word)!))
    taken.add(instead.get(word)!)
  }
  const fitting = (place: number) => {
    for (const at of after(place)) if (!isUnfit(ring[at]!)) return ring[at]!
    return ring[place]!
  }
  /** Whether a word would show what it is kept apart from, in any of its forms. */
  const isTaken = (word: string, own: string) => {
    if (isFew && avoid.has(word)) return true
    if (isValue === undefined || isValue === isNever) return false
    return (isFew || forms.some(own, isValue)) && forms.some(word, isValue)
  }
  /** Whether a word is left for one that isn't in the pool. */
  const isLeft = (word: string, own: string) =>
    !isUnfit(word) && !isTaken(word, own) && !taken.has(word) && !unwanted.has(before(word, isUnfit))
  return {
    size: ring.length,
    isFew,
    has: word => places.has(word),
    another(word) {
      const place = places.get(word)
      if (place === undefined) return undefined
      const own = instead.get(word)
      if (!isValue) return own ?? ring[after(place).next().value!]!
      const made = own ?? fitting(place)
      const isAnothers = own === undefined && taken.has(made)
      return isAnothers || forms.isUnfit(word) || isTaken(made, word) ? undefined : made
    },
    any(number, word) {
      const from = drawn(number, word)
      if (isValue && !isFew) return undefined
      const isFree = (at: number) => (isValue ? isLeft(ring[at]!, word) : !avoid.has(ring[at]!))
      if (isValue && guests.includes(word)) {
        const place = keyed.order(`${purpose}|guests`, ring.length)[guests.indexOf(word)]
        return place !== undefined && isFree(place) ? ring[place]! : undefined
      }
      if (isFree(from)) return ring[from]!
      for (const at of after(from)) if (isFree(at)) return ring[at]!
      return ring[from]!
    },
    source(word) {
      const [avoided] = [...instead].find(([, other]) => other === word) ?? []
      return avoided ?? (places.has(word) ? before(word, isUnfit) : undefined)
    },
    behind: (word, number) => fitting(places.get(word) ?? drawn(number, word)),
  }
}
