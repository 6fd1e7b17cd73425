import { EngineError } from '../../errors.ts'
import { type Reread, type Shown, wholePicture } from '../text/reread.ts'

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g

/** Reads a JSON text by the platform's own parser, each string and each number by itself, so that none hides behind another of its name. */
export function rereadJson(source: string): Reread {
  const shown: Shown[] = []
  const hidden: string[] = []
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  try {
    JSON.parse(text)
    for (const [found, colon] of text.matchAll(tokens)) {
      if (found[0] !== '"') shown.push({ text: found })
      else if (colon !== undefined) hidden.push(JSON.parse(found.slice(0, -colon.length)) as string)
      else {
        const value = JSON.parse(found) as string
        const picture = wholePicture(value)
        shown.push(picture ? { text: value, picture } : { text: value })
      }
    }
  } catch {
    throw new EngineError('corrupt_file', 'The JSON of the output cannot be read')
  }
  return { shown, each: true, hidden }
}
