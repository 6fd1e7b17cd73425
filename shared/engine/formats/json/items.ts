import { EngineError } from '../../errors.ts'

/** A stretch of a JSON array: one of its items, or what stands between them. */
export type Stretch = { text: string; item: boolean }

/** Longest item, in characters: each is held in memory. */
const longestItem = 64 * 1024 * 1024

const malformed = () => new EngineError('corrupt_file', 'The JSON is not one array of records')
/** What means something within a string. */
const inString = /["\\]/g
const blank = /^[ \t\r\n]*$/

/** Cuts the text of a JSON array, which comes in pieces, at its items. Whether an item is JSON is for others to say. */
export async function* arrayItems(pieces: AsyncIterable<string>): AsyncGenerator<Stretch> {
  let text = ''
  let at = 0
  let start = 0
  let depth = 0
  let quoted = false
  /** Where in the array the reader stands. */
  let state: 'before' | 'first' | 'item' | 'after' = 'before'
  const take = (end: number, item: boolean): Stretch[] => {
    const taken = text.slice(start, end)
    start = end
    return taken === '' ? [] : [{ text: taken, item }]
  }
  for await (const piece of pieces) {
    text = text.slice(start) + piece
    at -= start
    start = 0
    if (text.length > longestItem) throw new EngineError('limit_exceeded', 'A record of the array is too long')
    for (; at < text.length; at++) {
      if (quoted) {
        inString.lastIndex = at
        at = inString.test(text) ? inString.lastIndex - 1 : text.length
        if (at === text.length) break
      }
      const code = text.charCodeAt(at)
      if (quoted) {
        // The character behind a backslash may come with the next piece.
        if (code === 92) {
          if (at + 1 === text.length) break
          at++
        } else if (code === 34) quoted = false
        continue
      }
      if (state === 'before') {
        if (code === 0xfeff && at === 0) continue
        if (code === 91) {
          state = 'first'
          yield* take(at + 1, false)
        } else if (!blank.test(text[at]!)) throw malformed()
      } else if (state === 'after') {
        if (!blank.test(text[at]!)) throw malformed()
      } else if (depth === 0 && (code === 44 || code === 93)) {
        // An array without items has nothing before its end.
        const empty = state === 'first' && code === 93 && blank.test(text.slice(start, at))
        if (!empty && blank.test(text.slice(start, at))) throw malformed()
        yield* take(at, !empty)
        yield* take(at + 1, false)
        state = code === 93 ? 'after' : 'item'
      } else if (code === 34) quoted = true
      else if (code === 123 || code === 91) depth++
      else if (code === 125 || code === 93) depth--
      if (depth < 0) throw malformed()
    }
  }
  if (state !== 'after') throw malformed()
  yield* take(text.length, false)
}
