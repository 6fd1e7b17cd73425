/** A stretch of a text that is a text in base64 or hexadecimal, or a token of such texts, and what it says. */
export type Code = { start: number; end: number; text: string }

/** The first code that begins at a place or behind it, for places that are asked for in order. */
export type Codes = (from: number) => Code | undefined

/** Finds codes in turn by a search for the next from a place on, which no code crosses. */
export function codesBySearch(length: number, search: Codes): Codes {
  let last: Code | undefined
  let searched = 0
  return from => {
    if (last && last.start >= from) return last
    if (searched >= length) return undefined
    last = search(Math.max(from, searched))
    searched = last ? last.end : length
    return last
  }
}
