import { aside } from '../../detect/normalise.ts'
import type { Place } from '../format.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { isForeign, type NamedAttribute, type NamedSink, type NamedTag, scanNamed } from '../xml/names.ts'
import { elementDepth } from '../xml/read.ts'
import { decodeCdata, decodeXml, encodeXml } from '../xml/text.ts'
import { attributeReader } from './attributes.ts'
import { endEntailed, noteEntailed, startsAnew } from './fields.ts'
import { fillsRoom, isNumberText, NumberTexts } from './number-texts.ts'
import { closeCell, openCell } from './open-cell.ts'
import {
  beginPart,
  count,
  dropElement,
  hide,
  type OdfContent,
  type OdfPartContext,
  type PartReading,
} from './part-state.ts'
import { isOffLine } from './raised-styles.ts'
import { collapsed, encodeText, wordingIn } from './text.ts'
import {
  asides,
  authors,
  dropped,
  holdsMacro,
  marks,
  odfNamespaces,
  paragraphs,
  privateSettings,
  propertyFields,
  times,
  valueAttributes,
} from './vocabulary.ts'

/** A tag as it is read; `value` finds an attribute by its canonical name. */
type Tag = NamedTag & { value(wanted: string): NamedAttribute | undefined }

type ReadAttribute = ReturnType<typeof attributeReader>

/**
 * Reads a part of an OpenDocument file; nothing that is text is passed over. With `after`, the source is a table of some
 * rows that come after that row.
 */
export function readOdfPart(
  source: string,
  context: OdfPartContext,
  after?: { page: number; row: number },
): OdfContent {
  const reading = beginPart(source, context, after)
  scanNamed(source, odfNamespaces, partSink(reading, after !== undefined), elementDepth(context.depth))
  const { values, cleaning, dropped, structure, tables, tableNames, cells, emptyRows, row, raised } = reading
  for (const node of values.values()) reading.nodes.push(node)
  const nodes = reading.nodes.filter(({ segment }) => /\S/.test(segment.text))
  return { nodes, cleaning, dropped, structure, tables, tableNames, cells, emptyRows, row, raised }
}

function partSink(reading: PartReading, isWrapped: boolean): NamedSink {
  const { source, context, structure, values, readName, stack } = reading
  const readAttribute = attributeReader({
    source,
    part: context.part,
    structure,
    sheets: context.sheets,
    values,
    readName,
    hide: (kind, runs) => hide(reading, kind, runs),
    entailed: () => stack.at(-1)!.also,
  })
  const numberTexts = new NumberTexts<NumberRun>(runs => hide(reading, 'body', runs, undefined, () => 'code'))
  return {
    open(name, start, end, empty, attributes) {
      numberTexts.tag(name)
      const { nodes, cleaning, paragraph, cell } = reading
      const noted = { nodes: nodes.length, cleaning: cleaning.length, runs: paragraph?.runs.length ?? 0 }
      const isRaised = !paragraphs.has(name) && stack.at(-1)?.isRaised === true
      const also = startsAnew(name) ? undefined : stack.at(-1)?.also
      stack.push({ name, start, ...noted, paragraph, cell, isRaised, also })
      // The table around some rows was made to read them, and is no part of the file.
      if (reading.dropping > 0 || (isWrapped && stack.length === 1)) return
      const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)
      openElement(reading, { name, start, end, empty, attributes, value }, readAttribute)
    },
    close(name, start, end) {
      numberTexts.tag(name)
      closeElement(reading, name, start, end)
    },
    text(start, end, cdata) {
      if (reading.dropping > 0) return
      const element = stack.at(-1)!.name
      if (isNumberText(element)) numberTexts.add(numberRun(source, start, end, cdata, element))
      else readText(reading, start, end, cdata)
    },
    other(kind, start, end) {
      if (kind === 'declaration' || reading.dropping > 0) return
      reading.cleaning.push({ start, end, text: '' })
      count(reading, 'XML comments')
    },
  }
}

function openElement(reading: PartReading, tag: Tag, readAttribute: ReadAttribute) {
  const { name, start, end, empty, attributes, value } = tag
  const secret = name === 'config:config-item' && privateSettings.test(value('config:name')?.value ?? '')
  if (Object.hasOwn(dropped, name) || secret) {
    if (secret) count(reading, 'private settings')
    else if (!empty || attributes.length > 0) reading.leaving = dropped[name]!
    return dropElement(reading)
  }
  if (propertyFields.has(name)) {
    reading.cleaning.push({ start, end, text: '' })
    return count(reading, 'fields of properties (kept as text)')
  }
  const href = value('xlink:href')
  const target = href === undefined ? undefined : reading.context.references(decodeXml(href.value))
  if (target === 'gone') return dropElement(reading)
  const written = /^[^\s/>]+/.exec(reading.source.slice(start + 1, end))![0]
  if (isForeign(name)) reading.readName(written, start + 1)
  else reading.structure.add(written)
  noteRaised(reading, tag)
  noteEntailed(reading, reading.stack.at(-1)!, tag)
  beginOfTable(reading, tag)
  for (const attribute of attributes) {
    if (attribute === href && target !== undefined) refer(reading, href, target.name)
    else if (reading.cell === undefined || !/table-cell$/.test(name) || !valueAttributes.test(attribute.canonical))
      readAttribute(name, attribute)
  }
  beginText(reading, tag)
}

/** Notes which styles raise text, and text that has one of them. */
function noteRaised(reading: PartReading, { name, value }: Tag) {
  const { stack, raised } = reading
  if (name === 'style:style') {
    reading.style = value('style:name')?.value ?? ''
    if (raised.has(value('style:parent-style-name')?.value ?? '')) raised.add(reading.style)
  } else if (name === 'style:text-properties') {
    const position = value('style:text-position')
    if (position === undefined) return
    if (isOffLine(position.value)) raised.add(reading.style)
    else raised.delete(reading.style)
  } else if (name === 'text:span' && raised.has(value('text:style-name')?.value ?? '')) stack.at(-1)!.isRaised = true
}

/** Counts tables, rows and columns, and begins cells. */
function beginOfTable(reading: PartReading, { name, start, empty, attributes, value }: Tag) {
  if (name === 'table:table') {
    reading.tables++
    reading.tableNames.push(decodeXml(value('table:name')?.value ?? ''))
    reading.row = 0
  } else if (name === 'table:table-row') {
    reading.column = 0
    reading.repeat = 1
    reading.rows = Number(value('table:number-rows-repeated')?.value ?? 1)
    reading.row += reading.rows
    if (empty) reading.emptyRows.set(start, reading.tables)
  } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
    reading.column += reading.repeat
    reading.repeat = Number(value('table:number-columns-repeated')?.value ?? 1)
    openCell(reading, attributes)
  }
}

/** Points a reference at the name that its target has in the output. */
function refer({ structure, cleaning }: PartReading, href: NamedAttribute, name: string) {
  structure.add(name)
  if (name !== href.value) cleaning.push({ start: href.valueStart, end: href.valueEnd, text: encodeXml(name) })
}

/** Begins the paragraph or the character that an element stands for; an annotation has paragraphs of its own. */
function beginText(reading: PartReading, { name, start, end, empty, value }: Tag) {
  const { cell, paragraph, context } = reading
  if (paragraphs.has(name)) {
    const place: Place = cell === undefined ? { kind: 'body', part: context.part } : cell.place
    const node: TextNode = { segment: { text: '', place, visible: true }, runs: [], also: cell?.also }
    reading.nodes.push(node)
    cell?.paragraphs.push(node)
    cell?.starts.set(node, end)
    reading.paragraph = node
  } else if (marks.has(name) && paragraph !== undefined) {
    const count = name === 'text:s' ? Math.min(Number(value('text:c')?.value ?? 1), 1000) : 1
    const mark = { text: marks.get(name)!.repeat(count), start, end }
    paragraph.runs.push(mark)
    reading.mark = empty ? undefined : mark
  } else if (name === 'office:annotation') {
    reading.paragraph = undefined
    reading.cell = undefined
  }
}

function closeElement(reading: PartReading, name: string, start: number, end: number) {
  const { stack, source, dropping, mark } = reading
  const level = stack.length
  const element = stack.pop()!
  if (dropping > 0) {
    if (dropping === level) endDropped(reading, element.start, end)
    return
  }
  endEntailed(element, start, end)
  if (propertyFields.has(name) && end > start) reading.cleaning.push({ start, end, text: '' })
  if (end > start && isForeign(name)) reading.readName(source.slice(start + 2, end).split(/[\s>]/)[0]!, start + 2)
  if (paragraphs.has(name)) {
    const { segment, runs } = reading.paragraph!
    reading.cell?.ends.set(reading.paragraph!, start)
    segment.text = runs.map(run => run.text).join('')
    reading.paragraph = element.paragraph
  } else if (mark !== undefined && marks.has(name)) {
    mark.end = end
    reading.mark = undefined
  } else if (/table-cell$/.test(name) || name === 'office:annotation') {
    if (name !== 'office:annotation') closeCell(reading, reading.cell!, element.nodes)
    reading.paragraph = element.paragraph
    reading.cell = element.cell
  }
}

/** Takes out the element that goes, now that its end is known. */
function endDropped(reading: PartReading, start: number, end: number) {
  const { cleaning, leaving, source } = reading
  cleaning.push({ start, end, text: '' })
  if (leaving !== 'macros' || holdsMacro.test(source.slice(start, end))) count(reading, leaving)
  reading.leaving = ''
  reading.dropping = 0
}

/** Adds to a paragraph's text; what may be no part of it stands between marks. */
function showText({ stack }: PartReading, runs: SourceRun[], run: SourceRun) {
  const mark = { text: aside, start: run.start, end: run.start }
  if (stack.at(-1)!.isRaised) runs.push(mark, run, { ...mark, start: run.end, end: run.end })
  else runs.push(run)
}

/** A text as it is read. */
function textIn(source: string, start: number, end: number, cdata: boolean): string {
  const raw = source.slice(start, end)
  return collapsed(cdata ? decodeCdata(raw) : decodeXml(raw))
}

type NumberRun = SourceRun & { isFill: boolean }

/** What a style of numbers shows as it is: a text, or what fills room and goes where a text around it does. */
function numberRun(source: string, start: number, end: number, cdata: boolean, element: string): NumberRun {
  const text = textIn(source, start, end, cdata)
  const isFill = fillsRoom(element, text)
  return { text, start, end, isFill, ...(!isFill && { encode: encodeXml }) }
}

function readText(reading: PartReading, start: number, end: number, cdata: boolean) {
  const { paragraph, structure, cleaning } = reading
  const element = reading.stack.at(-1)!.name
  const text = textIn(reading.source, start, end, cdata)
  if (authors.has(element) || times.has(element)) {
    const neutral = authors.has(element) ? 'Author' : '2000-01-01T00:00:00'
    structure.add(neutral)
    cleaning.push({ start, end, text: neutral })
    if (authors.has(element)) count(reading, 'names of people')
  } else if (paragraph !== undefined && !asides.has(element))
    showText(reading, paragraph.runs, { text, start, end, encode: encodeText, also: reading.stack.at(-1)!.also })
  else if (element === 'config:config-item' && /^(?:true|false|-?\d+)$/.test(text)) structure.add(text)
  else {
    // A setting may be which table is open.
    const { sheets } = reading.context
    const encode = (out: string) => encodeXml(element === 'config:config-item' ? sheets.named(text, out) : out)
    hide(reading, 'body', [{ text, start, end, encode }], undefined, wordingIn(element))
    if (element === 'text:ruby-text') reading.stack.at(-2)?.also?.at(-1)?.push({ start, end, text: '' })
  }
}
