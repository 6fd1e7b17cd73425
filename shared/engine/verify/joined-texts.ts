import { reading } from '../detect/normalise.ts'

/** Bytes that are searched at once: a search is slow to start anew for each of many short texts. */
const atOnce = 256 * 1024
/** Room for a text that is added to just less than that. */
const room = 2 * atOnce
/** Bytes of UTF-8 that a unit of UTF-16 may take. */
const widest = 3

/** Stands between two texts, so that nothing is found across their border. */
export const border = '\u0000\n'

/** Characters of a text that is written faster one by one than by a call of the runtime. */
const short = 64

/** Writes a text as UTF-8: how many bytes it takes. */
function writeAt(bytes: Buffer, at: number, text: string): number {
  if (text.length > short) return bytes.write(text, at)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return bytes.write(text, at)
    bytes[at + index] = code
  }
  return text.length
}

/** Gives texts, which are told one by one, to a search many together: as UTF-8, in every spelling. */
export class TextJoiner {
  readonly #bytes = Buffer.allocUnsafeSlow(room)
  #filled = 0
  readonly #search: (bytes: Uint8Array) => void

  /** `search` is done with the bytes when it returns. */
  constructor(search: (bytes: Uint8Array) => void) {
    this.#search = search
  }

  add(text: string): void {
    // In ASCII alone a character is a byte, and no text is spelt in a second way.
    if (this.#put(text) === text.length) return
    const read = reading(text)
    if (read !== text) this.#put(read)
  }

  end(): void {
    if (this.#filled > 0) this.#search(this.#bytes.subarray(0, this.#filled))
    this.#filled = 0
  }

  /** Adds one spelling; how many bytes it takes. */
  #put(text: string): number {
    const most = text.length * widest + border.length
    if (this.#filled + most > room) this.end()
    if (most > room) {
      const whole = Buffer.from(text)
      this.#search(whole)
      return whole.length
    }
    const bytes = this.#bytes
    const written = writeAt(bytes, this.#filled, text)
    let filled = this.#filled + written
    for (let at = 0; at < border.length; at++) bytes[filled++] = border.charCodeAt(at)
    this.#filled = filled
    if (filled >= atOnce) this.end()
    return written
  }
}
