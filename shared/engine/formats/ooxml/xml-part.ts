import { aside, choiceMark, fallbackMark, seam } from '../../detect/normalise.ts'
import { pushAll } from '../../lists.ts'
import { percentRuns } from '../html/values.ts'
import { looseWording } from '../office/wording.ts'
import { hasText, type SourceRun, type TextNode } from '../text/text-nodes.ts'
import { isForeign, type NamedAttribute, type NamedSink, type NamedTag, scanNamed } from '../xml/names.ts'
import { elementDepth } from '../xml/read.ts'
import { decodeCdata, decodeXml, encodeXml } from '../xml/text.ts'
import { isStructural } from './attributes.ts'
import { chartNumber, chartReadings, isChartNumber, readChartFormat, shownNumber } from './chart-numbers.ts'
import { endEntailed, entailedAt, noteEntailed } from './entailed.ts'
import { encodeDrawn, encodeString, unescaped, unescapedDrawn } from './escapes.ts'
import { filterDate } from './filter-dates.ts'
import { officeNamespaces } from './namespaces.ts'
import { readAttribute } from './part-attributes.ts'
import {
  beginPart,
  count,
  dropFrom,
  endCode,
  hide,
  type OpenElement,
  type PartContent,
  type PartContext,
  type PartReading,
} from './part-state.ts'
import { closeFieldPart, isPropertyField, keptAsText, readFieldMark } from './property-fields.ts'
import { isOff, isRunProperty, partRun } from './run-properties.ts'
import { looseRuns } from './values.ts'
import { carriers, droppedNames, measuring, roleOf, symbolText } from './vocabulary.ts'

/**
 * Reads a part of an Office file: each paragraph's text over all of its runs, every other text on its own, attributes
 * that may hold text once per distinct value; notes what must go. Nothing that is text is passed over.
 */
export function readPart(source: string, context: PartContext): PartContent {
  const reading = beginPart(source, context)
  scanNamed(source, officeNamespaces, new PartSink(reading), elementDepth(context.depth))
  const { nodes, values, cleaning, dropped, structure } = reading
  const shown: TextNode[] = []
  for (const node of nodes) if (hasText(node.segment.text)) shown.push(node)
  for (const node of values.values()) if (hasText(node.segment.text)) shown.push(node)
  return { nodes: shown, cleaning, dropped, structure }
}

/** Reads what it is told of a part into its state. */
class PartSink implements NamedSink {
  readonly #reading: PartReading

  constructor(reading: PartReading) {
    this.#reading = reading
  }

  open(name: string, start: number, end: number, empty: boolean, attributes: NamedAttribute[], written: string): void {
    openElement(this.#reading, { name, start, end, empty, attributes, written })
  }

  close(name: string, start: number, end: number, written: string): void {
    closeElement(this.#reading, name, written, start, end)
  }

  text(start: number, end: number, cdata: boolean): void {
    if (this.#reading.dropping === 0) readText(this.#reading, start, end, cdata)
  }

  other(kind: 'comment' | 'instruction' | 'declaration', start: number, end: number): void {
    if (kind === 'declaration' || this.#reading.dropping > 0) return
    this.#reading.cleaning.push({ start, end, text: '' })
    count(this.#reading, 'XML comments')
  }
}

/** A start tag, with its name as it is written. */
type Tag = NamedTag & { written: string }

function openElement(reading: PartReading, tag: Tag): void {
  const { name, start, end, empty, attributes } = tag
  const { stack, nodes, cleaning, paragraph } = reading
  const parent = stack.at(-1)
  const role = roleOf(name)
  const fallback = name === 'mc:Fallback' || parent?.fallback === true
  const isSample = isSampleDate(stack[0]?.name, name, attributes) || parent?.isSample === true
  const isField = isPropertyField(name, attributes)
  const goes = role.isUnwrapped || isField
  const element: OpenElement = {
    name,
    role,
    start,
    nodes: nodes.length,
    cleaning: cleaning.length,
    runs: paragraph?.node.runs.length ?? 0,
    paragraph,
    fallback,
    isSample,
    unwrapped: goes,
    ends: name === 'w:fldChar' && attributes.some(({ value }) => value === 'end'),
    isApart: false,
    isOpen: false,
    also: parent?.also,
    lead: -1,
  }
  stack.push(element)
  if (reading.dropping > 0) return
  const level = levelThatGoes(reading, element, attributes, empty)
  if (level > 0) dropFrom(reading, level)
  else if (goes) {
    cleaning.push({ start, end, text: '' })
    count(reading, isField ? keptAsText : 'marks of insertions')
  } else {
    readTag(reading, tag)
    noteEntailed(element, tag)
    if (name === 's:dateGroupItem') readFilterDate(reading, tag)
    if (name === 'w:fldChar') readFieldMark(reading, attributes)
    if (isRunProperty(name)) partRun(reading, name, attributes)
    if (name === 'w:framePr' && isDropCap(attributes)) stack.at(-3)!.isOpen = true
    if (isHiddenEnd(stack, attributes)) stack.at(-4)!.isOpen = true
    beginText(reading, element, parent, tag)
    if (role.isSpaced && !empty && !attributes.some(({ canonical }) => canonical === 'xml:space'))
      element.lead = end - 1
  }
}

/** Whether a frame is large first letters of the paragraph behind it. */
const isDropCap = (attributes: readonly NamedAttribute[]): boolean =>
  attributes.some(({ canonical, value }) => canonical === 'w:dropCap' && value !== 'none')

/** Whether the innermost element hides the end of a paragraph, as in headings that text runs on behind. */
const isHiddenEnd = (stack: readonly OpenElement[], attributes: readonly NamedAttribute[]): boolean =>
  /^w:(?:vanish|specVanish)$/.test(stack.at(-1)!.name) &&
  stack.at(-3)?.name === 'w:pPr' &&
  stack.at(-4)?.role.isParagraph === true &&
  !isOff(attributes)

/** Whether an element is the field of a date in a part that others take their form from. */
const isSampleDate = (root: string | undefined, name: string, attributes: NamedAttribute[]): boolean =>
  name === 'a:fld' &&
  /^p:(?:sldMaster|sldLayout|notesMaster|handoutMaster)$/.test(root ?? '') &&
  attributes.some(({ name: attribute, value }) => attribute === 'type' && value.startsWith('datetime'))

/** Level of the element that must go with the one that was just opened, counted from 1; 0 where none does. */
function levelThatGoes(
  reading: PartReading,
  { name, role }: OpenElement,
  attributes: NamedAttribute[],
  empty: boolean,
): number {
  const { stack, context } = reading
  const level = stack.length
  if (role.isDropped) {
    // The end of a paragraph is deleted in its properties.
    if (name === 'w:del' && stack[level - 3]?.name === 'w:pPr') stack[level - 4]!.isOpen = true
    if (!empty || attributes.length > 0) count(reading, droppedNames[name])
    // A deleted row is marked inside of its properties.
    return name === 'w:del' && stack[level - 2]?.name === 'w:trPr' ? level - 2 : level
  }
  if (attributes.length === 0 || context.gone.size === 0) return 0
  return levelThatLoses(reading, name, attributes)
}

/** The same for an element with an attribute that names what is left out. */
function levelThatLoses({ stack, context }: PartReading, name: string, attributes: NamedAttribute[]): number {
  const level = stack.length
  const lost = ({ canonical, value }: NamedAttribute) =>
    (canonical.startsWith('r:') || canonical === 'o:relid') && context.gone.has(value)
  // The page's size and orientation stay when the printer's own settings go.
  if (name === 's:pageSetup' || name === 'c:pageSetup' || !attributes.some(lost)) return 0
  // A picture in the file may also name the file that it came from.
  if (attributes.some(attribute => attribute.canonical === 'r:embed' && !lost(attribute))) return 0
  const carrier = stack.findLastIndex(element => carriers.has(element.name))
  return carrier < 0 ? level : carrier + 1
}

function readTag(reading: PartReading, { name, written, start, attributes }: Tag) {
  if (name.startsWith('c')) readChartFormat(reading.chart, name, attributes)
  if (isForeign(name)) reading.readName(written, start + 1)
  else reading.structure.add(written)
  for (const attribute of attributes) readAttribute(reading, name, attribute)
}

/** Begins the paragraph or the character that an element stands for. */
function beginText(reading: PartReading, element: OpenElement, parent: OpenElement | undefined, tag: Tag) {
  const { name, role, start } = element
  const { paragraph } = reading
  if (role.isParagraph) beginParagraph(reading, element, parent)
  else if (role.mark !== undefined && paragraph !== undefined && parent?.name !== 'w:tabs') {
    reading.mark = name === 'w:sym' ? symbolRun(tag) : { text: role.mark, start, end: tag.end }
    reading.mark.also = entailedAt(reading)
    paragraph.node.runs.push(reading.mark)
  } else if (name === 'w:fldChar') endCode(reading)
  else if (branches.has(name) && paragraph !== undefined)
    paragraph.node.runs.push({ text: branches.get(name)!, start: tag.end, end: tag.end })
}

/** The marks around what stands within a paragraph for programs of two kinds. */
const branches = new Map([
  ['mc:Choice', choiceMark],
  ['mc:Fallback', fallbackMark],
])

/** Ends such a branch, which is none if no text stands in it. */
function endBranch({ paragraph, runs: before }: OpenElement, mark: string, at: number): void {
  const { runs } = paragraph!.node
  if (runs.length === before + 1) runs.pop()
  else runs.push({ text: mark, start: at, end: at })
}

function beginParagraph(reading: PartReading, { role, start, fallback }: OpenElement, parent: OpenElement | undefined) {
  const { unended, context, nodes } = reading
  reading.unended = undefined
  if (unended !== undefined && unended.around === parent) {
    unended.node.runs.push({ text: seam, start, end: start })
    reading.paragraph = { node: unended.node, code: [] }
    return
  }
  const node: TextNode = {
    segment: { text: '', place: context.place, visible: !fallback && !role.isAside },
    runs: [],
  }
  nodes.push(node)
  reading.paragraph = { node, code: [] }
}

/** A character that is written as one of a font; what takes its place is text. */
function symbolRun({ start, end, attributes, written }: Tag): SourceRun {
  const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
  const text = symbolText(value('w:font'), value('w:char'))
  if (text === '') return { text, start, end }
  const element = `${written.slice(0, written.indexOf(':') + 1)}t`
  const encode = (out: string) => (out === '' ? '' : `<${element} xml:space="preserve">${encodeXml(out)}</${element}>`)
  return { text, start, end, encode }
}

function closeElement(reading: PartReading, name: string, written: string, start: number, end: number) {
  const { stack, dropping, cleaning, mark } = reading
  const level = stack.length
  const element = stack.pop()!
  if (dropping === 0 && end > start && isForeign(name)) reading.readName(written, start + 2)
  if (dropping === 0) endEntailed(reading, element, start, end)
  if (dropping === 0 && (name === 'w:fldChar' || name === 'w:instrText')) closeFieldPart(reading, element, end)
  if (dropping > 0) {
    if (dropping < level) return
    cleaning.push({ start: element.start, end, text: '' })
    reading.dropping = 0
  } else if (element.unwrapped) {
    if (end > start) cleaning.push({ start, end, text: '' })
  } else if (element.role.isParagraph) {
    endCode(reading)
    const { node } = reading.paragraph!
    const { runs } = node
    node.segment.text = textOf(runs)
    // A list without room to grow, as there are very many.
    node.runs = [...runs]
    reading.paragraph = element.paragraph
    const goesOn = element.isOpen && runs.length < MOST_RUNS && reading.nodes.at(-1) === node
    if (goesOn) reading.unended = { node, around: stack.at(-1) }
  } else if (mark !== undefined && element.role.mark !== undefined) {
    mark.end = end
    reading.mark = undefined
  } else if (element.paragraph !== undefined && branches.has(name)) endBranch(element, branches.get(name)!, start)
}

/** Stretches of paragraphs that are read as one: its text is made anew with each that is added. */
const MOST_RUNS = 1000

function textOf(runs: readonly SourceRun[]): string {
  if (runs.length === 1) return runs[0]!.text
  const texts: string[] = new Array(runs.length)
  for (let index = 0; index < runs.length; index++) texts[index] = runs[index]!.text
  return texts.join('')
}

function readText(reading: PartReading, start: number, end: number, cdata: boolean) {
  const { paragraph, structure, cleaning, context } = reading
  const element = reading.stack.at(-1)!
  const raw = reading.source.slice(start, end)
  const within = paragraph !== undefined && element.role.isText
  if (!within && !/\S/.test(raw)) return
  if (element.isSample) return void cleaning.push({ start, end, text: '' })
  if (element.name === 's:definedName' && /\[\d+\]/.test(raw)) {
    count(reading, 'external links')
    dropFrom(reading, reading.stack.length)
    return
  }
  const plain = cdata ? decodeCdata(raw) : decodeXml(raw)
  if (element.name === 'c:formatCode') reading.chart.code = plain
  const text = shownText(element, plain)
  if (within) showText(reading, paragraph.node.runs, spacedRun(text, start, end, element))
  else if (paragraph !== undefined && element.name === 'w:instrText')
    pushAll(paragraph.code, percentRuns({ text, start, end, encode: encodeXml }))
  else if (element.name === 's:author') {
    structure.add('Author')
    cleaning.push({ start, end, text: 'Author' })
    count(reading, 'names of people')
  } else if (measuring.has(element.name.split(':')[0]!) && isStructural(text.trim())) structure.add(text.trim())
  else if (isChartNumber(element.name, reading.stack.at(-2)?.name, reading.stack.at(-3)?.name))
    readChartNumber(reading, plain, start, end)
  else if (cdata || element.role.isSpaced) hide(reading, 'body', [spacedRun(text, start, end, element)])
  else
    for (const { kind, runs } of looseRuns(element.name, raw, start, context.sheets))
      hide(reading, kind, runs, kind === 'meta' ? () => 'code' : looseWording)
}

/** Notes the day that a filter shows. One that is replaced by none becomes a year without any. */
function readFilterDate(reading: PartReading, { start, end, attributes, written, empty }: Tag) {
  const text = filterDate(attributes)
  if (text === undefined) return
  const close = empty ? '/>' : '>'
  const encode = (out: string) => {
    const [year, month, day] = /^\d{4}-\d\d-\d\d$/.test(out) ? out.split('-').map(Number) : []
    if (day === undefined) return `<${written} year="1900" dateTimeGrouping="year"${close}`
    return `<${written} year="${year}" month="${month}" day="${day}" dateTimeGrouping="day"${close}`
  }
  hide(reading, 'attribute', [{ text, start, end, encode }], () => 'code')
}

/** Notes a number of a chart as it is shown. */
function readChartNumber(reading: PartReading, raw: string, start: number, end: number) {
  const format = { ...reading.chart }
  const encode = (out: string) => (Number.isFinite(Number(raw)) ? chartNumber(out, format) : encodeXml(out))
  const text = shownNumber(raw, format) ?? raw
  const readings = chartReadings(raw, format, text)
  hide(reading, 'body', [{ text, start, end, encode }])
  if (readings.length > 0) reading.nodes.at(-1)!.segment.readings = readings
}

/** Adds to a paragraph's text; what may be no part of it stands between marks. */
function showText(reading: PartReading, runs: SourceRun[], run: SourceRun) {
  const { stack } = reading
  run.also = entailedAt(reading)
  const mark = { text: aside, start: run.start, end: run.start }
  if (stack.at(-2)!.isApart) runs.push(mark, run, { ...mark, start: run.end, end: run.end })
  else runs.push(run)
}

/** What is shown of text of an element, and how it is written. */
function shownText({ name }: OpenElement, text: string): string {
  if (name === 'a:t') return unescapedDrawn(text)
  return name.startsWith('s:') ? unescaped(text) : text
}

function writerOf({ name }: OpenElement): (text: string) => string {
  if (name === 'a:t') return encodeDrawn
  return name.startsWith('s:') ? encodeString : encodeXml
}

/** Writes text behind its element's `>`, in front of which it says where blanks count. */
const spacing = (write: (text: string) => string) => (out: string) =>
  `${/^\s|\s$|\s\s/.test(out) ? ' xml:space="preserve">' : '>'}${write(out)}`
const writeSpaced = spacing(encodeXml)
const writeSpacedString = spacing(encodeString)

/** A run that takes its element's `>` along, so that blanks at the edges of its new text can be kept. */
function spacedRun(text: string, start: number, end: number, element: OpenElement): SourceRun {
  if (element.lead < 0) return { text, start, end, encode: writerOf(element) }
  const from = element.lead
  element.lead = -1
  return { text, start: from, end, encode: element.name.startsWith('s:') ? writeSpacedString : writeSpaced }
}
