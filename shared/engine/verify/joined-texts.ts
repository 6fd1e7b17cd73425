import { reading } from '../detect/normalise.ts'

/** Bytes that are searched at once: a search is slow to start anew for each of many short texts. */
const atOnce = 256 * 1024
/** Room for a text that is added to just less than that. */
const room = 2 * atOnce
/** Bytes of UTF-8 that a unit of UTF-16 may take. */
const widest = 3

/** Stands between two texts, so that nothing is found across their border. */
export const border = '\u0000\n'

/** Texts given one by one, to be searched many together. */
export type TextJoiner = { add(text: string): void; end(): void }

/** Gives texts as UTF-8, in every spelling, to `search`, which is done with the bytes when it returns. */
export function joinTexts(search: (bytes: Uint8Array) => void): TextJoiner {
  const bytes = Buffer.allocUnsafeSlow(room)
  let filled = 0
  const end = () => {
    if (filled > 0) search(bytes.subarray(0, filled))
    filled = 0
  }
  /** Adds one spelling; how many bytes it takes. */
  const put = (text: string): number => {
    const most = text.length * widest + border.length
    if (filled + most > room) end()
    if (most > room) {
      const whole = Buffer.from(text)
      search(whole)
      return whole.length
    }
    const written = bytes.write(text, filled)
    filled += written
    for (let at = 0; at < border.length; at++) bytes[filled++] = border.charCodeAt(at)
    if (filled >= atOnce) end()
    return written
  }
  return {
    add(text) {
      // In ASCII alone a character is a byte, and no text is spelt in a second way.
      if (put(text) === text.length) return
      const read = reading(text)
      if (read !== text) put(read)
    },
    end,
  }
}
