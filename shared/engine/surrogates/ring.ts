import type { Keyed } from './keyed.ts'
import { difference, groupsByWidth, widthOf } from './width.ts'

/** Words that a group of similar width has at least, for a few would tell what they stand for. */
const least = 60

/** Words in an order of the key's, in groups of similar width. */
export function createRing(words: readonly string[], keyed: Keyed, purpose: string) {
  const ring: string[] = []
  const groups = groupsByWidth(words, least).map((group, n) => {
    const begin = ring.length
    for (const index of keyed.order(`${purpose}|${n}`, group.length)) ring.push(group[index]!)
    return { begin, size: group.length, width: widthOf(group[group.length >> 1]!) }
  })
  const places = new Map(ring.map((word, place) => [word, place]))
  const groupOf = (place: number) => groups.find(group => place < group.begin + group.size)!
  return {
    words: ring,
    places,
    /** The places after one: first of its group, then all. */
    *after(place: number) {
      const { begin, size } = groupOf(place)
      for (let step = 1; step < size; step++) yield begin + ((place - begin + step) % size)
      for (let step = 0; step < ring.length; step++) yield (begin + size + step) % ring.length
    },
    /** The word before one in its group, without those that are left out. */
    before(word: string, isOut: (word: string) => boolean): string {
      const place = places.get(word)!
      const { begin, size } = groupOf(place)
      const earlier = (step: number) => ring[begin + ((place - begin + size - step) % size)]!
      let step = 1
      while (step < size && isOut(earlier(step))) step++
      return earlier(step)
    },
    /** The place of a number among the words of about the width of one. */
    drawn(number: number, word: string): number {
      const width = widthOf(word)
      const unlike = groups.map(group => difference(group.width, width))
      const { begin, size } = groups[unlike.indexOf(Math.min(...unlike))]!
      return begin + (number % size)
    },
  }
}
