import type { Place } from '../format.ts'
import { codePageOf } from './code-pages.ts'
import { addMark, addText, count, endText, type Group, isReadable, type RtfReading } from './parse-state.ts'
import { borders, characters, charsets, destinationOf, droppedName, western } from './vocabulary.ts'

/** Where a control word stands, and its number where it has one. */
type ControlWord = { parameter: number | undefined; start: number; end: number }

const setCodePage = (reading: RtfReading, group: Group, name: string) => {
  reading.ansi = name
  group.codePage = name
}

/**
 * Fonts without a character set of their own are written in the code page of the file; so are Western ones (0), unless
 * there are others for that code page, as programs write them that tell the two apart.
 */
function codePageOfFont({ fonts, isAnsiNamed, ansi }: RtfReading, font: number): string {
  const codePage = fonts.get(font) ?? ansi
  return codePage === western && !isAnsiNamed ? ansi : codePage
}

/** Sets text above or below the line, or all that a style is for. */
function raise(reading: RtfReading, group: Group, { parameter }: ControlWord): void {
  group.isRaised = parameter !== 0
  if (group.isRaised && group.text.word === 'cs') reading.raised.add(reading.style)
}

/** What the control words of the specification do that say more than how a text looks. */
const handlers: Record<string, (reading: RtfReading, group: Group, word: ControlWord) => void> = {
  ansicpg: (reading, group, { parameter = 1252 }) => setCodePage(reading, group, codePageOf(parameter)),
  mac: (reading, group) => setCodePage(reading, group, 'macroman'),
  pc: (reading, group) => setCodePage(reading, group, 'cp437'),
  pca: (reading, group) => setCodePage(reading, group, 'cp850'),
  deff(reading, _group, { parameter = 0 }) {
    reading.defaultFont = parameter
  },
  f(reading, group, { parameter = 0 }) {
    if (group.destination === 'definition') reading.definedFont = parameter
    else group.codePage = codePageOfFont(reading, parameter)
  },
  fcharset(reading, _group, { parameter = 0 }) {
    const codePage = charsets[parameter] ?? reading.ansi
    reading.fonts.set(reading.definedFont, codePage)
    if (codePage === reading.ansi && Object.hasOwn(charsets, parameter)) reading.isAnsiNamed = true
  },
  plain(reading, group) {
    group.codePage = codePageOfFont(reading, reading.defaultFont)
    group.deleted = false
    group.isAside = false
    group.isRaised = false
  },
  v(_reading, group, { parameter }) {
    group.isAside = parameter !== 0
  },
  super: raise,
  sub: raise,
  up: raise,
  dn: raise,
  cs(reading, group, { parameter = 0 }) {
    if (group.text.word === 'cs') reading.style = parameter
    else if (reading.raised.has(parameter)) group.isRaised = true
  },
  sbasedon(reading, group, { parameter = 0 }) {
    if (group.text.word === 'cs' && reading.raised.has(parameter)) reading.raised.add(reading.style)
  },
  nosupersub(_reading, group) {
    group.isRaised = false
  },
  deleted(reading, group, { parameter }) {
    group.deleted = parameter !== 0
    if (group.deleted) count(reading, 'deleted text')
  },
  uc(_reading, group, { parameter = 1 }) {
    group.fallback = Math.max(0, parameter)
  },
  u(reading, group, { parameter, start, end }) {
    if (parameter === undefined) return
    reading.skip = 0
    addText(reading, String.fromCharCode(parameter & 0xffff), start, end)
    reading.skip = group.fallback
  },
  tab: (reading, _group, { start, end }) => addMark(reading, '\t', start, end),
  line: (reading, _group, { start, end }) => addMark(reading, '\n', start, end),
}

/** Does what a control word says. */
export function obey(reading: RtfReading, name: string, word: ControlWord): void {
  const group = reading.stack.at(-1)!
  if (group.fresh) begin(reading, name, group)
  if (Object.hasOwn(handlers, name)) handlers[name]!(reading, group, word)
  else if (borders.has(name)) {
    if (isReadable(group)) endText(reading, group)
  } else if (Object.hasOwn(characters, name)) addText(reading, characters[name]!, word.start, word.end)
}

const kinds: Record<string, Place['kind']> = { footnote: 'note', fldinst: 'link', info: 'meta' }

/** Begins the destination that the first control word of a group names, if it names one. */
function begin(reading: RtfReading, word: string, group: Group) {
  const destination = destinationOf(word, group.ignorable)
  const outer = reading.stack.at(-2)
  group.fresh = false
  if (destination === undefined || outer?.destination === 'drop' || outer?.destination === 'picture') return
  const kind = word.startsWith('header') || word.startsWith('footer') ? 'header' : (kinds[word] ?? 'body')
  group.destination = destination
  group.text = (word === 'fldrslt' && lineAround(reading)) || { runs: [], kind, word }
  if (destination === 'drop') count(reading, droppedName(word))
}

/** The text in which a field stands whose result begins: that is a part of it. */
function lineAround({ stack }: RtfReading): Group['text'] | undefined {
  const [line, field] = [stack.at(-3), stack.at(-2)]
  return field?.text.word === 'field' && line?.destination === 'shown' ? line.text : undefined
}
