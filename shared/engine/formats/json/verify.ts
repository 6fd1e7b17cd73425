import { EngineError } from '../../errors.ts'
import { type Reread, type Shown, wholePicture, withoutFiles } from '../text/reread.ts'

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g

/**
 * Reads a JSON text by the platform's own parser, each string and each number by itself, so that none hides behind another
 * of its name. Throws `corrupt_file`.
 */
export function jsonTexts(source: string, into: { shown: string[]; hidden: string[] }): void {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  const decoded = (token: string) => (token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1))
  try {
    JSON.parse(text)
    for (const [found, colon] of text.matchAll(tokens)) {
      if (found[0] !== '"') into.shown.push(found)
      else if (colon === undefined) into.shown.push(decoded(found))
      else into.hidden.push(decoded(found.slice(0, -colon.length)))
    }
  } catch {
    throw new EngineError('corrupt_file', 'The JSON of the output cannot be read')
  }
}

/** Reads a JSON document: its values, those that are pictures among them, and its keys. */
export function rereadJson(source: string): Reread {
  const found = { shown: [] as string[], hidden: [] as string[] }
  jsonTexts(source, found)
  const shown = found.shown.map((decoded): Shown => {
    const { texts, files } = withoutFiles(decoded)
    return texts.length > 1 ? { text: texts.join(''), files } : { text: decoded, picture: wholePicture(decoded) }
  })
  return { shown, each: true, hidden: found.hidden }
}
