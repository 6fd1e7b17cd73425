import { aside } from '../../detect/normalise.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { percentRuns } from '../html/values.ts'
import { isUsualFont } from '../office/font-names.ts'
import { fieldWording, nameWording, spokenWording } from '../office/wording.ts'
import type { Patch, SourceRun, TextNode } from '../text/text-nodes.ts'
import type { Destination } from './vocabulary.ts'

/** A group that has begun and not ended. */
export type Group = {
  start: number
  destination: Destination
  /** The paragraph that is being read in this destination, and whether what it ends with may be no part of it. */
  text: { runs: SourceRun[]; kind: Place['kind']; word?: string; isAside?: boolean }
  codePage: string
  deleted: boolean
  /** Whether its text is shown to those only who ask for hidden text. */
  isAside: boolean
  /** Whether its text stands above or below the line, as the number of a note does that is no part of the word in front of it. */
  isRaised: boolean
  /** Characters that stand in for one `\u`. */
  fallback: number
  /** Nothing but its opening has been seen. */
  fresh: boolean
  ignorable: boolean
  /** Text nodes and patches noted before it, to take back those of a group that goes. */
  nodes: number
  cleaning: number
}

/** A file while it is read. */
export type RtfReading = {
  source: string
  nodes: TextNode[]
  cleaning: Patch[]
  embedded: InlineImage[]
  dropped: Map<string, number>
  /** Code pages of the fonts, by their numbers. */
  fonts: Map<number, string>
  /** Whether a font names the code page of the file. */
  isAnsiNamed: boolean
  /** Numbers of the styles that set text above or below the line, and that of the style that is being defined. */
  raised: Set<number>
  style: number
  stack: Group[]
  /** Code page of the file. */
  ansi: string
  defaultFont: number
  /** Number of the font that the table of fonts is defining. */
  definedFont: number
  /** Characters still to come that stand in for the last `\\u`. */
  skip: number
  /** First bytes of a character of several. */
  lead: { bytes: number[]; start: number; end: number } | undefined
  /** Whether a control word without a blank stands just before. */
  bare: boolean
}

/** A file of which nothing has been read. */
export function beginRtf(source: string): RtfReading {
  return {
    source,
    nodes: [],
    cleaning: [],
    embedded: [],
    dropped: new Map(),
    fonts: new Map(),
    isAnsiNamed: false,
    raised: new Set(),
    style: 0,
    stack: [],
    ansi: 'cp1252',
    defaultFont: 0,
    definedFont: -1,
    skip: 0,
    lead: undefined,
    bare: false,
  }
}

/** Counts something that is left out, by what the report calls it. */
export function count({ dropped }: RtfReading, what: string): void {
  dropped.set(what, (dropped.get(what) ?? 0) + 1)
}

/** Whether the text of a group is read, to be seen or not. */
export const isReadable = ({ destination }: Group): boolean => destination === 'shown' || destination === 'hidden'

/** Ends the text of a group: what comes behind is another. */
export function endText(reading: RtfReading, group: Group): void {
  noteText(reading, group.text, group.destination === 'shown')
}

/** One place of each kind, as there may be very many texts. */
const places = new Map<Place['kind'], Place>()

function placeOf(kind: Place['kind']): Place {
  const place = places.get(kind) ?? { kind }
  places.set(kind, place)
  return place
}

function noteText({ nodes }: RtfReading, text: Group['text'], visible: boolean) {
  if (text.runs.length === 0) return
  // A list without room to grow, as there are very many.
  const runs = visible ? [...text.runs] : text.runs.flatMap(percentRuns)
  const whole = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
  if (/\S/.test(whole)) {
    const wording = visible ? undefined : wordingOf(text.word, whole)
    nodes.push({ segment: { text: whole, place: placeOf(text.kind), visible, wording }, runs })
  }
  text.runs = []
  text.isAside = false
}

/** What a hidden text is, by the destination that it stands in. */
function wordingOf(word = '', text: string): Segment['wording'] {
  if (word === 'fldinst') return fieldWording(text)
  if (/^ff(?:helptext|stattext|deftext|l)$/.test(word)) return spokenWording(text)
  return /^(?:stylesheet|cs|ts|ds|fonttbl|sn|leveltext|liststylename|m\w+Pr)$/.test(word) ? 'code' : nameWording(text)
}

/** Adds characters to the text of the innermost group, wherever they are of one that stays. */
export function addText(reading: RtfReading, text: string, start: number, end: number): void {
  const { source, cleaning } = reading
  const group = reading.stack.at(-1)!
  group.fresh = false
  // Names of fonts, of which a file may bring its own.
  if (group.destination === 'definition' && !isUsualFont(text))
    noteText(reading, { runs: [{ text, start, end, encode: encodeRtf }], kind: 'name', word: 'fonttbl' }, false)
  if (!isReadable(group)) return
  // A control word that nothing ends would take what is written behind it for a part of its name.
  const guard = reading.bare && /[A-Za-z0-9]/.test(source[start - 1]!) ? ' ' : ''
  if (group.deleted) cleaning.push({ start, end, text: guard })
  else if (reading.skip > 0) skipText(reading, group, text, start, end)
  else {
    const isAside = group.isAside || group.isRaised
    if (isAside !== (group.text.isAside ?? false)) {
      group.text.isAside = isAside
      group.text.runs.push({ text: aside, start, end: start })
    }
    group.text.runs.push({ text, start, end, encode: guard === '' ? encodeRtf : guarded })
  }
}

const guarded = (text: string): string => ` ${encodeRtf(text)}`

/** Passes over what stands in for a character: it goes and stays with it. */
function skipText(reading: RtfReading, group: Group, text: string, start: number, end: number) {
  const isEscape = reading.source[start] === '\\'
  const taken = Math.min(reading.skip, end - start === 4 && isEscape ? 1 : text.length)
  reading.skip -= taken
  const last = group.text.runs.at(-1)
  if (last !== undefined) last.end = isEscape ? end : start + taken
  if (!isEscape && taken < text.length) addText(reading, text.slice(taken), start + taken, end)
}

/** Adds a character that is written as a control word of its own, or none. */
export function addMark(reading: RtfReading, text: string, start: number, end: number): void {
  const group = reading.stack.at(-1)!
  // An empty group in its place keeps a control word before it from running into what comes behind.
  const encode = (out: string) => (out === '' ? '{}' : encodeRtf(out))
  if (isReadable(group)) group.text.runs.push({ text, start, end, encode })
}

const changed = /[\\{}]|[^\x20-\x7e]/

/** Text in a file of any code page; ASCII as it is, everything else as Unicode with a question mark to stand in. */
function encodeRtf(text: string): string {
  if (!changed.test(text)) return text
  return text.replace(/[\\{}]|[^\x20-\x7e]/g, unit => {
    if (unit === '\\' || unit === '{' || unit === '}') return `\\${unit}`
    if (unit === '\t') return '\\tab '
    if (unit === '\n') return '\\line '
    const code = unit.charCodeAt(0)
    if (code < 32) return unit === '\r' || unit === '\0' ? ' ' : unit
    return `{\\uc1\\u${code > 32_767 ? code - 65_536 : code}?}`
  })
}
