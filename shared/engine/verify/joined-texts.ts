import { spellings } from '../detect/normalise.ts'

/** Characters that are joined at once: a search is slow to start anew for each of many short texts. */
const atOnce = 256 * 1024

/** Stands between two texts, so that nothing is found across their border. */
export const border = '\u0000\n'

/** Texts as UTF-8, in every spelling, many of them together. */
export function* joinedTexts(texts: Iterable<string>): Generator<Buffer> {
  let waiting: string[] = []
  let size = 0
  for (const text of texts) {
    waiting.push(text)
    size += text.length
    if (size < atOnce) continue
    yield joined(waiting)
    waiting = []
    size = 0
  }
  if (waiting.length > 0) yield joined(waiting)
}

function joined(texts: readonly string[]): Buffer {
  const whole = texts.join(border)
  const bytes = Buffer.from(whole)
  // In ASCII alone a character is a byte, and no text is spelt in a second way.
  return bytes.length === whole.length ? bytes : Buffer.from(texts.flatMap(spellings).join(border))
}
