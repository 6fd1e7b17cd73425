import { EngineError } from '../../errors.ts'
import { type Reread, type Shown, wholePicture, withoutFiles } from '../text/reread.ts'
import { type FormatWords, isNotebook, notebookWords } from './verify-notebook.ts'

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

/** What a JSON text holds: its values, its keys, and where keys stand and words of its format, of which it is told, quotes included. */
type JsonTexts = {
  shown: string[]
  hidden: string[]
  words?: FormatWords
  keyAt?(start: number, end: number): void
  wordAt?(start: number, end: number): void
}

/** Adds the numbers between two strings, but for one that is a word of the format. */
function addBetween(text: string, from: number, to: number, into: JsonTexts): void {
  const between = text.slice(from, to)
  const [lead = '', digits = ''] = into.words ? (/^\s*:\s*(?=(\d+))/.exec(between) ?? []) : []
  const isWord = digits !== '' && into.words!.value(digits)
  if (isWord) into.wordAt?.(from + lead.length, from + lead.length + digits.length)
  addNumbers(isWord ? between.slice(lead.length + digits.length) : between, into.shown)
  into.words?.between(between)
}

/**
 * Reads a JSON text by the platform's own parser, each string and each number by itself, so that none hides behind another
 * of its name. Throws `corrupt_file`.
 */
export function jsonTexts(source: string, into: JsonTexts): void {
  const text = source.charCodeAt(0) === 0xfeff ? ` ${source.slice(1)}` : source
  try {
    JSON.parse(text)
    let at = 0
    for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', at)) {
      // More than one sign stands around a number.
      if (into.words !== undefined || start - at > 1) addBetween(text, at, start, into)
      at = endOf(text, start)
      const inside = text.slice(start + 1, at - 1)
      const string = inside.includes('\\') ? (JSON.parse(text.slice(start, at)) as string) : inside
      const isName = isKey(text, at)
      if (into.words !== undefined && (isName ? into.words.key(inside) : into.words.value(inside)))
        into.wordAt?.(start, at)
      else if (!isName) into.shown.push(string)
      else {
        into.hidden.push(string)
        into.keyAt?.(start, at)
      }
    }
    addBetween(text, at, text.length, into)
  } catch {
    throw new EngineError('corrupt_file', 'The JSON of the output cannot be read')
  }
}

const wordsOf = (source: string) => (isNotebook(source) ? notebookWords() : undefined)

const mayBeLoose = /\/[/*]|,\s*[\]}]/
const strings = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const comments = new RegExp(String.raw`${strings}|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/`, 'g')
const lastCommas = new RegExp(String.raw`${strings}|,(?=\s*[\]}])`, 'g')

/** A JSON text with blanks in place of what only editors read in it, comments and commas behind the last item, and those comments. */
function withoutComments(source: string): { json: string; said: string[] } {
  const said: string[] = []
  const bare = source.replace(comments, found => {
    if (found.startsWith('"')) return found
    said.push(found.slice(2, found[1] === '*' ? -2 : undefined))
    return found.replace(/[^\r\n]/g, ' ')
  })
  return { json: bare.replace(lastCommas, found => (found === ',' ? ' ' : found)), said }
}

/** The drawing that a whole text is. */
const drawingOf = (text: string) =>
  text.trimStart().startsWith('<') && text.trimEnd().endsWith('>') && /<\/svg\s*>$/.test(text.trimEnd().slice(-20))
    ? Buffer.from(text)
    : undefined

/** Reads a JSON document: its values, those that are pictures among them, its comments and its keys. */
export function rereadJson(source: string): Reread {
  const found = { shown: [] as string[], hidden: [] as string[] }
  const { json, said } = mayBeLoose.test(source) ? withoutComments(source) : { json: source, said: [] }
  jsonTexts(json, { ...found, words: wordsOf(json) })
  const shown = found.shown.map((decoded): Shown => {
    const { texts, files } = withoutFiles(decoded)
    return texts.length > 1
      ? { text: texts.join(''), files }
      : { text: decoded, picture: drawingOf(decoded) ?? wholePicture(decoded) }
  })
  for (const text of said) shown.push({ text })
  return { shown, each: true, hidden: found.hidden, areNames: true, fixed: chance => fixedPlaces(json, chance) }
}

/** The words of keys that hold a value by chance, and those of the format. */
function fixedPlaces(source: string, chance: (name: string) => [number, number][] = () => []): [number, number][] {
  const places: [number, number][] = []
  const keyAt = (from: number, to: number) => {
    for (const [start, end] of chance(source.slice(from, to))) places.push([from + start, from + end])
  }
  const wordAt = (start: number, end: number) => void places.push([start, end])
  jsonTexts(source, { shown: [], hidden: [], words: wordsOf(source), keyAt, wordAt })
  return places
}
