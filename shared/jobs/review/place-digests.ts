import { createHash, type Hash } from 'node:crypto'
import type { Addition, ProposedText } from 'anonymisation-engine'

type PlaceInText = Extract<Addition, { textId: string }>

/** Names a place of a text. */
export const placeKey = ({ textId, start, end }: PlaceInText): string => `${textId} ${start} ${end}`

/** Starts to take the digests of what stands at some places. Is told of the pieces of every text in order. */
export function createPlaceDigests(places: Iterable<PlaceInText>) {
  const open = new Map<string, { place: PlaceInText; at: number; hash: Hash }[]>()
  for (const place of new Map(Array.from(places, place => [placeKey(place), place])).values()) {
    const { textId, start } = place
    open.set(textId, [...(open.get(textId) ?? []), { place, at: start, hash: createHash('sha256') }])
  }
  return {
    see({ id, text, place: { offset = 0 } }: ProposedText): void {
      for (const one of open.get(id) ?? []) {
        const from = one.at - offset
        const piece = from < 0 ? '' : text.slice(from, one.place.end - offset)
        one.hash.update(piece, 'utf16le')
        one.at += piece.length
      }
    },
    /** The digests of the places that were there to their end. */
    end: (): Map<string, string> =>
      new Map(
        [...open.values()]
          .flat()
          .filter(({ place, at }) => at === place.end)
          .map(({ place, hash }) => [placeKey(place), hash.digest('hex')]),
      ),
  }
}
