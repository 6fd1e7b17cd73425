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
export async function* arrayItems(pieces: AsyncIterable<string>): AsyncGenerator<Stretch[]> {
  const array = new CutArray()
  for await (const piece of pieces) yield array.cut(piece)
  yield array.end()
}

/** What is known of an array of which all comes piece by piece. */
class CutArray {
  /** What has come but for the stretches that were cut off, and how far it was looked at. */
  #text = ''
  #at = 0
  #start = 0
  #depth = 0
  #isQuoted = false
  /** Where in the array the reader stands. */
  #state: 'before' | 'first' | 'item' | 'after' = 'before'
  #cut: Stretch[] = []

  cut(piece: string): Stretch[] {
    this.#text = this.#text.slice(this.#start) + piece
    this.#at -= this.#start
    this.#start = 0
    this.#cut = []
    if (this.#text.length > longestItem) throw new EngineError('limit_exceeded', 'A record of the array is too long')
    while (this.#isQuoted ? this.#passString() : this.#passMarks()) {}
    return this.#cut
  }

  end(): Stretch[] {
    if (this.#state !== 'after') throw malformed()
    this.#cut = []
    this.#take(this.#text.length, false)
    return this.#cut
  }

  #take(end: number, item: boolean): void {
    if (end > this.#start) this.#cut.push({ text: this.#text.slice(this.#start, end), item })
    this.#start = end
  }

  /** Goes behind the end of a string; false where that is still to come. */
  #passString(): boolean {
    const text = this.#text
    let at = this.#at
    for (;;) {
      inString.lastIndex = at
      at = inString.test(text) ? inString.lastIndex : text.length + 1
      const isEnd = text.charCodeAt(at - 1) === 34
      // The character behind a backslash may come with the next piece.
      if (!isEnd && at >= text.length) {
        this.#at = Math.min(at - 1, text.length)
        return false
      }
      if (isEnd) break
      at++
    }
    this.#at = at
    this.#isQuoted = false
    return true
  }

  /** Goes behind the beginning of the next string within an item, and cuts at what parts items; false at the end. */
  #passMarks(): boolean {
    const text = this.#text
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#state === 'before' || this.#state === 'after' || (this.#depth === 0 && (code === 44 || code === 93)))
        this.#passBetween(at, code)
      else if (code === 34) {
        this.#at = at + 1
        this.#isQuoted = true
        return true
      } else if (code === 123 || code === 91) this.#depth++
      else if ((code === 125 || code === 93) && --this.#depth < 0) throw malformed()
    }
    this.#at = text.length
    return false
  }

  /** Looks at a character around the items of the array. */
  #passBetween(at: number, code: number): void {
    if (this.#state === 'before') {
      // A byte order mark.
      if (code === 0xfeff && at === 0) return
      if (code === 91) {
        this.#state = 'first'
        this.#take(at + 1, false)
      } else if (!blank.test(this.#text[at]!)) throw malformed()
    } else if (this.#state === 'after') {
      if (!blank.test(this.#text[at]!)) throw malformed()
    } else {
      // An array without items has nothing before its end.
      const isBlank = blank.test(this.#text.slice(this.#start, at))
      const isEmpty = isBlank && this.#state === 'first' && code === 93
      if (isBlank && !isEmpty) throw malformed()
      this.#take(at, !isEmpty)
      this.#take(at + 1, false)
      this.#state = code === 93 ? 'after' : 'item'
    }
  }
}
