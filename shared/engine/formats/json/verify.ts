import { EngineError } from '../../errors.ts'
import { type Reread, type Shown, wholePicture, withoutFiles } from '../text/reread.ts'

const quoted = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const number = /-?\d[\d.eE+-]*/g

/** Where the string ends that begins at a place of a text that is JSON. */
function endOf(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (text.charCodeAt(end - 1) !== 92) return end + 1
  quoted.lastIndex = start
  quoted.test(text)
  return quoted.lastIndex
}

/** Adds the numbers that stand between strings. */
function addNumbers(between: string, into: string[]): void {
  for (const found of between.match(number) ?? []) into.push(found)
}

/** Whether a colon comes next, as behind a key. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (text.charCodeAt(at) <= 32) at++
  return text.charCodeAt(at) === 58
}

/** Told where each key stands, quotes included. */
type KeyPlaces = (start: number, end: number) => void

/**
 * Reads a JSON text by the platform's own parser, each string and each number by itself, so that none hides behind another
 * of its name. Throws `corrupt_file`.
 */
export function jsonTexts(source: string, into: { shown: string[]; hidden: string[]; keys?: KeyPlaces }): void {
  const isMarked = source.charCodeAt(0) === 0xfeff
  const text = isMarked ? source.slice(1) : source
  try {
    JSON.parse(text)
    let at = 0
    for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', at)) {
      // More than one sign stands around a number.
      if (start - at > 1) addNumbers(text.slice(at, start), into.shown)
      at = endOf(text, start)
      const inside = text.slice(start + 1, at - 1)
      const string = inside.includes('\\') ? (JSON.parse(text.slice(start, at)) as string) : inside
      if (isKey(text, at)) {
        into.hidden.push(string)
        into.keys?.(start + Number(isMarked), at + Number(isMarked))
      } else into.shown.push(string)
    }
    addNumbers(text.slice(at), into.shown)
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
  return { shown, each: true, hidden: found.hidden, areNames: true, fixed: chance => fixedPlaces(source, chance) }
}

/** The words of keys that hold a value by chance. */
function fixedPlaces(source: string, chance: (name: string) => [number, number][] = () => []): [number, number][] {
  const places: [number, number][] = []
  const keys: KeyPlaces = (from, to) => {
    for (const [start, end] of chance(source.slice(from, to))) places.push([from + start, from + end])
  }
  jsonTexts(source, { shown: [], hidden: [], keys })
  return places
}
