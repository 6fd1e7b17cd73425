import { decodeHTML } from 'entities'
import { type QuoteType, Tokenizer } from 'htmlparser2'
import { aside } from '../../detect/normalise.ts'
import type { FormatContext, Input, OpenFile, Segment } from '../format.ts'
import { spokenWording } from '../office/wording.ts'
import { type Extract, openText } from '../text/text-file.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { readValue } from './attribute-values.ts'
import { betweenFiles } from './data-addresses.ts'
import { declaredEncoding } from './declared-encoding.ts'
import { isKnownAttribute, isMadeUp, knownTags } from './names.ts'
import { beginNote, endNote, isNote } from './notes.ts'
import {
  beginHtml,
  endText,
  type HtmlReading,
  hide,
  hideStretch,
  noteName,
  places,
  type Stretch,
  same,
  show,
} from './parse-state.ts'
import { readRaw } from './raw-content.ts'
import { withoutInnerEnds } from './script-ends.ts'
import { drawnInline, isEmpty, isInline, isLoose, placing, rawTags } from './tags.ts'
import { escapeComment } from './values.ts'

/**
 * Reads HTML as tags and text in source order, with no tree: what browsers repair need not be repaired to be read.
 * Running text is one segment from one block's border to the next; scripts, styles, comments and attributes are hidden.
 */
export const extractHtml: Extract = ({ text: html, unicode }, context) => {
  const reading = beginHtml(html, unicode, context.limits.depth)
  const tokenizer = new Tokenizer({ decodeEntities: false }, new TokenReader(reading))
  tokenizer.write(withoutInnerEnds(html))
  tokenizer.end()
  // A file that is cut off in a tag: nothing is shown of it, but it is there.
  const { done, nodes, cleaning, blanked, embedded } = reading
  hide(reading, 'body', { text: html.slice(done), start: done, end: html.length, encode: same, escape: inTag })
  for (const [name, at] of reading.made) nodes.push(nameNode(name, at))
  const dropped = blanked > 0 ? [{ what: 'embedded files', count: blanked }] : []
  return { nodes, cleaning, dropped, embedded }
}

type Callbacks = ConstructorParameters<typeof Tokenizer>[1]

/** Reads the tokens that it is told of. */
class TokenReader implements Callbacks {
  readonly #reading: HtmlReading

  constructor(reading: HtmlReading) {
    this.#reading = reading
  }

  onopentagname(start: number, end: number): void {
    const reading = this.#reading
    reading.tag = nameAt(reading, start, end)
    reading.tagStart = start - 1
    reading.tagEnd = end
    reading.hasValues = false
    reading.isUnseen = false
    reading.isShifted = false
    if (reading.isPlaced) reading.placed.clear()
    reading.isPlaced = false
    reading.scriptType = ''
    if (reading.madeAttributes.length > 0) reading.madeAttributes = []
  }

  onopentagend(end: number): void {
    openTag(this.#reading, end + 1)
  }

  onselfclosingtag(end: number): void {
    openTag(this.#reading, end + 1, true)
  }

  onclosetag(start: number, end: number): void {
    closeTag(this.#reading, start, end)
  }

  onattribname(start: number, end: number): void {
    const reading = this.#reading
    reading.attribute = nameAt(reading, start, end)
    reading.attributeStart = start
    reading.isPlaced ||= placing.has(reading.attribute)
    reading.isUnseen ||= reading.attribute === 'hidden'
    if (!isKnownAttribute(reading.attribute)) reading.madeAttributes.push([start, end])
  }

  onattribdata(start: number, end: number): void {
    const reading = this.#reading
    reading.hasValues = true
    if (reading.valueStart < 0) reading.valueStart = start
    reading.valueEnd = end
  }

  onattribend(quote: QuoteType): void {
    readValue(this.#reading, quote)
  }

  ontext(start: number, end: number): void {
    const reading = this.#reading
    reading.done = end
    if (reading.raw === '') showText(reading, start, end)
    else readRaw(reading, start, end)
  }

  oncomment(start: number, end: number, offset: number): void {
    readAside(this.#reading, start, end - offset, end + 1, spokenWording)
  }

  oncdata(start: number, end: number, offset: number): void {
    readAside(this.#reading, start, end - offset, end + 1, spokenWording)
  }

  ondeclaration(start: number, end: number): void {
    readAside(this.#reading, start, end, end + 1)
  }

  onprocessinginstruction(start: number, end: number): void {
    readAside(this.#reading, start, end, end + 1)
  }

  onend(): void {
    endText(this.#reading)
  }

  onattribentity(): void {}
  ontextentity(): void {}
}

function nameAt({ html, lower }: HtmlReading, start: number, end: number): string {
  const written = html.slice(start, end)
  let name = lower.get(written)
  if (name === undefined) {
    name = written.toLowerCase()
    lower.set(written, name)
  }
  return name
}

function openTag(reading: HtmlReading, end: number, isSelfClosed = false) {
  const { tag, tagStart } = reading
  reading.done = end
  if (tagStart === reading.closedAt && isInline(tag)) reading.meets = true
  if (!knownTags.has(tag)) {
    // A tag that is none to a person: what stands in it is text like that beside it.
    if (!reading.hasValues && !isMadeUp(tag)) return showText(reading, tagStart, end)
    reading.opened.add(tag)
    noteName(reading, [tagStart + 1, reading.tagEnd])
  }
  for (const stretch of reading.madeAttributes) noteName(reading, stretch)
  reading.ruby.tag(tag, false)
  reading.values.open(tag, isSelfClosed)
  if (reading.note?.tag === tag) reading.note.depth++
  else if (isNote(reading, end)) beginNote(reading, tagStart)
  if (reading.unseen?.tag === tag) reading.unseen.depth++
  else if (reading.isUnseen && isInline(tag) && !isEmpty(tag)) {
    if (reading.unseen === undefined) reading.runs.push({ text: aside, start: tagStart, end: tagStart })
    reading.unseen ??= { tag, depth: 1 }
  }
  if (tag === 'br') reading.runs.push({ text: '\n', start: tagStart, end })
  else if (tag === 'wbr') reading.runs.push({ text: '', start: tagStart, end })
  else if (isLoose(tag) || ((tag === 'tspan' || tag === 'text') && goesOn(reading))) reading.isLoose = true
  else if (!isInline(tag) && (reading.isPlaced || !drawnInline.has(tag))) endText(reading)
  if (rawTags.has(tag)) reading.raw = tag
  else if (tag === 'pre' || tag === 'textarea') reading.pre++
}

/** Whether a piece of a drawn text stands behind the last one on its line. Notes where it stands. */
function goesOn({ tag, placed, line }: HtmlReading): boolean {
  const xs = (placed.get('x') ?? (tag === 'text' ? '0' : '')).trim().split(/[\s,]+/)
  const y = placed.get('y')?.trim() ?? (tag === 'text' ? '0' : line.y)
  const isBehind = tag === 'tspan' && !placed.has('dy') && y === line.y && Number.parseFloat(xs[0]!) > line.x
  if (placed.size > 0 || tag === 'text') {
    line.x = Number.parseFloat(xs.at(-1)!)
    line.y = placed.has('dy') ? '' : y
  }
  return isBehind
}

function closeTag(reading: HtmlReading, start: number, end: number) {
  const { html } = reading
  const tag = nameAt(reading, start, end)
  const close = html.indexOf('>', end)
  const done = close < 0 ? html.length : close + 1
  reading.done = done
  if (!knownTags.has(tag)) {
    if (!reading.opened.has(tag) && !isMadeUp(tag)) return showText(reading, start - 2, done)
    noteName(reading, [start, end])
  }
  reading.ruby.tag(tag, true)
  reading.values.close(tag)
  if (reading.note?.tag === tag && --reading.note.depth === 0) endNote(reading, done)
  if (tag === reading.raw) reading.raw = ''
  if ((tag === 'pre' || tag === 'textarea') && reading.pre > 0) reading.pre--
  const { unseen, runs } = reading
  if (unseen?.tag === tag && --unseen.depth === 0) {
    runs.push({ text: aside, start: done, end: done })
    reading.unseen = undefined
  }
  if (isInline(tag)) {
    reading.closedAt = done
    return
  }
  if (isLoose(tag)) reading.isLoose = true
  else if (!drawnInline.has(tag)) endText(reading)
}

function showText(reading: HtmlReading, start: number, end: number) {
  if (!reading.mayHoldFiles) return showPiece(reading, start, end)
  betweenFiles(reading, start, end, (from, to) => {
    if (from < to) showPiece(reading, from, to)
  })
}

function showPiece(reading: HtmlReading, start: number, end: number) {
  const written = reading.html.slice(start, end)
  const decoded = written.includes('&') ? decodeHTML(written) : written
  const text = reading.pre === 0 ? collapsed(decoded) : decoded
  const run: SourceRun = { text, start, end, encode: reading.encodeText, also: reading.values.around() }
  if (text !== decoded) run.parts = () => cutAtBlanks(reading.html, run)
  show(reading, run)
}

/** Blanks that are shown as one, or as they are where a style says so. */
const blanks = /[ \t\n\r\f]{2,}|[\t\n\r\f]/g

/** A run in parts that keep the lines of the source. */
function cutAtBlanks(html: string, run: SourceRun): SourceRun[] {
  const parts: SourceRun[] = []
  let at = run.start
  const add = (end: number) => {
    if (end > at) parts.push({ ...run, text: collapsed(decodeHTML(html.slice(at, end))), start: at, end })
    at = end
  }
  for (const { index, 0: blank } of html.slice(run.start, run.end).matchAll(blanks)) {
    add(run.start + index)
    add(run.start + index + blank.length)
  }
  add(run.end)
  return parts.map(part => part.text).join('') === run.text ? parts : [run]
}

/** Blanks as they are shown outside of preformatted text. No-break spaces stay. */
function collapsed(text: string): string {
  return /[\t\n\r\f]| {2}/.test(text) ? text.replace(/[ \t\n\r\f]+/g, ' ') : text
}

/** Reads a comment, a declaration or the like, which ends before `done`. */
function readAside(
  reading: HtmlReading,
  start: number,
  end: number,
  done: number,
  wordingOf: (text: string) => Segment['wording'] = () => 'code',
) {
  reading.done = done
  betweenFiles(reading, start, end, (from, to) => {
    const runOf = (start: number, end: number) => {
      return { text: reading.html.slice(start, end), start, end, encode: same, escape: escapeComment }
    }
    hideStretch(reading, 'comment', [from, to], runOf, wordingOf(reading.html.slice(from, to)))
  })
}

/** Keeps a replacement from ending a tag that is never closed, or a name. */
const inTag = (text: string) => text.replace(/[^\p{L}\p{N}_.@-]/gu, '_')

/** A name that is none of the markup's own, wherever it stands. */
function nameNode(name: string, at: Stretch[]): TextNode {
  const encode = (text: string) => {
    const safe = text.replace(/[^a-z0-9_.:-]/gi, '_').replace(/^(?![a-z])/i, 'x')
    // An element must stay one that is made up, or it would be read as text.
    return isMadeUp(safe.toLowerCase()) ? safe : `${safe}-x`
  }
  const [run, ...copies] = at.map(([start, end]): SourceRun => ({ text: name, start, end, encode }))
  return { segment: { text: name, place: places.name, visible: false, wording: 'code' }, runs: [run!], copies }
}

/** Opens HTML; see `Format.open`. */
export const openHtml = (input: Input, context: FormatContext): Promise<OpenFile> =>
  openText(input, context, extractHtml, declaredEncoding)
