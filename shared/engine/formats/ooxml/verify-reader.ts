import { withoutMarks } from '../../detect/normalise.ts'
import type { Place, Segment } from '../format.ts'
import type { HeldDate } from '../office/held-dates.ts'
import { nameSorter, prefixOf } from '../xml/names.ts'
import { type ParsedAttribute, parseXml, type XmlEvents } from '../xml/verify-parser.ts'
import { attributeAction, isOwnReference, isStructural } from './attributes.ts'
import { isChartNumber, plainChart, readChartFormat, shownNumber } from './chart-numbers.ts'
import { filterDate } from './filter-dates.ts'
import { withoutFunctions } from './formulas.ts'
import { officeNamespaces } from './namespaces.ts'
import { numberFormatTexts } from './number-formats.ts'
import { remembered } from './remembered.ts'
import { asides, isFormula, marks, measuring, symbolText } from './vocabulary.ts'

/** What a second XML reader finds in a part that was written. */
export type Reread = {
  /** Text of each paragraph that is seen, in the order in which they begin. */
  paragraphs: string[]
  /** Every text and attribute that may hold a value. */
  segments: Segment[]
  /** Names and fixed values. */
  structure: Set<string>
  /** The dates of controls. */
  dates: HeldDate[]
  /** Elements that must not be in an output. */
  forbidden: string[]
}

type Paragraph = { text: string; hidden: boolean }

const forbidden = /^w:(?:del|ins|moveFrom|moveTo|delText|docVars|rsids|attachedTemplate|mailMerge|fldData|\w+Change)$/
const characters = new Set(['w:t', 'a:t', 'm:t', 's:t'])
const paragraphNames = new Set(['w:p', 'a:p', 's:text', ...asides])

/** What the value of an attribute is: a text, what a relationship is called, or a word of the format. */
function kindOf(element: string, attribute: string, value: string): 'text' | 'reference' | 'structure' {
  if (attributeAction(element, attribute, value) === 'text') return 'text'
  return isOwnReference(attribute, value) ? 'reference' : 'structure'
}

/** What elements of a name are, by what they are called. */
type ElementKind = { isParagraph: boolean; isAside: boolean; isFallback: boolean; isForbidden: boolean; mark?: string }

/** What elements of a name are. */
const kindOfElement = (name: string): ElementKind => ({
  isParagraph: paragraphNames.has(name),
  isAside: asides.has(name),
  isFallback: name === 'mc:Fallback',
  isForbidden: forbidden.test(name),
  mark: marks.get(name),
})

/** An element that has begun and not ended. */
type OpenElement = { name: string; paragraph: number; fallback: boolean; held?: HeldDate }

/** What a part holds, as a parser tells. */
class Rereading implements XmlEvents {
  readonly result: Reread = { paragraphs: [], segments: [], structure: new Set(), dates: [], forbidden: [] }
  readonly canonical = canonicalName
  readonly #part: string
  readonly #place: Place
  readonly #open: OpenElement[] = []
  readonly #texts: Paragraph[] = []
  /** Made out once for each name, as very many elements have the same. */
  readonly #kinds = new Map<string, ElementKind>()
  readonly #kindIn = remembered(kindOf)
  readonly #nameOf: ReturnType<typeof nameSorter>
  #loose = ''
  readonly #chart = plainChart()

  constructor(part: string) {
    this.#part = part
    this.#place = { kind: 'body', part }
    const { segments, structure } = this.result
    this.#nameOf = nameSorter(
      text => segments.push({ text, place: { kind: 'name', part }, visible: false }),
      word => structure.add(word),
    )
  }

  open(written: string, attributes: readonly ParsedAttribute[], full: string): void {
    const outer = this.#open.at(-1)
    this.#flush()
    const { isParagraph, isAside, isFallback, isForbidden, mark } = this.#kindOf(full)
    const fallback = isFallback || outer?.fallback === true
    let paragraph = outer?.paragraph ?? -1
    if (isParagraph) paragraph = this.#texts.push({ text: '', hidden: fallback || isAside }) - 1
    else if (paragraph >= 0 && full === 'w:sym') this.#texts[paragraph]!.text += symbolIn(attributes)
    else if (paragraph >= 0 && mark !== undefined) this.#texts[paragraph]!.text += mark
    const held = full === 'w:sdt' ? { value: '', shown: '' } : outer?.held
    this.#open.push({ name: full, paragraph, fallback, held })
    if (isForbidden) this.result.forbidden.push(full)
    this.#nameOf(full, written)
    for (const attribute of attributes) this.#readAttribute(full, attribute)
    const day = full === 's:dateGroupItem' ? filterDate(attributes) : undefined
    if (day !== undefined) this.result.segments.push({ text: day, place: this.#place, visible: false })
    if (full.startsWith('c')) readChartFormat(this.#chart, full, attributes)
  }

  close(): void {
    this.#flush()
    this.#open.pop()
  }

  text(text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    if (element.held?.value) element.held.shown += text
    if (element.paragraph >= 0 && characters.has(element.name))
      this.#texts[element.paragraph]!.text += shownIn(element.name, text)
    else this.#loose += text
  }

  comment(): void {
    this.result.forbidden.push('comment')
  }

  doctype(): void {
    this.result.forbidden.push('doctype')
  }

  /** What was found, once all is read. */
  end(): Reread {
    const { paragraphs, segments } = this.result
    for (const { text, hidden } of this.#texts) {
      if (!hidden) paragraphs.push(text)
      if (text !== '') segments.push({ text, place: this.#place, visible: !hidden })
    }
    return this.result
  }

  #kindOf(name: string): ElementKind {
    let kind = this.#kinds.get(name)
    if (kind === undefined) {
      kind = kindOfElement(name)
      this.#kinds.set(name, kind)
    }
    return kind
  }

  #readAttribute(element: string, { name, canonical, value }: ParsedAttribute): void {
    const { segments, structure } = this.result
    this.#nameOf(canonical, name)
    if (canonical === 'w:fullDate') this.#noteDate(value)
    const kind = this.#kindIn(element, canonical, value)
    if (kind === 'structure') return void structure.add(value)
    const place: Place = { kind: 'attribute', part: this.#part }
    if (kind === 'text' && canonical === 'formatCode') this.#addFormat(value, place)
    else segments.push({ text: value, place, visible: false })
  }

  #noteDate(value: string): void {
    const held = this.#open.at(-1)!.held
    if (held === undefined) return
    held.value = value
    this.result.dates.push(held)
  }

  #addFormat(format: string, place: Place): void {
    const [words = '', ...texts] = numberFormatTexts(format)
    if (!/\p{L}/u.test(words)) this.result.structure.add(format)
    for (const text of [words, ...texts]) this.result.segments.push({ text, place, visible: false })
  }

  /** Notes the text outside of paragraphs that ends here. */
  #flush(): void {
    if (this.#loose === '') return
    const { segments, structure } = this.result
    const text = this.#loose.trim()
    this.#loose = ''
    if (text === '') return
    const element = this.#open.at(-1)?.name ?? ''
    if (measuring.has(element.split(':')[0] ?? '') && isStructural(text)) structure.add(text)
    else {
      if (element === 'c:formatCode') {
        this.#chart.code = text
        this.#addFormat(text, this.#place)
      } else
        segments.push({ text: isFormula(element) ? withoutFunctions(text) : text, place: this.#place, visible: false })
      if (!isChartNumber(element, this.#open.at(-2)?.name, this.#open.at(-3)?.name)) return
      const number = shownNumber(text, this.#chart)
      if (number !== undefined) segments.push({ text: withoutMarks(number), place: this.#place, visible: false })
    }
  }
}

/** What an element shows of its text: in drawings, characters are also written by their numbers. */
function shownIn(element: string, text: string): string {
  if (element !== 'a:t' || !text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[^\0-\x08\x0c\x0e-\x1f]/.test(character) ? character : '\ufffd'
  })
}

function symbolIn(attributes: readonly ParsedAttribute[]): string {
  const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
  return symbolText(value('w:font'), value('w:char'))
}

/** Reads a part with a streaming parser that shares no code with the one that wrote it. Throws `corrupt_file`. */
export function reread(source: string, part: string): Reread {
  const rereading = new Rereading(part)
  parseXml(source, rereading, 'A part of the output is not well-formed')
  return rereading.end()
}

function canonicalName(uri: string, local: string): string {
  const prefix = prefixOf(uri, officeNamespaces)
  return prefix === '' ? local : `${prefix}:${local}`
}
