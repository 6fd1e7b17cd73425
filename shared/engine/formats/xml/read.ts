import { aside } from '../../detect/normalise.ts'
import { readBase64Picture, readFileAddress, readHeldFile } from '../container/data-url-images.ts'
import { allFilesIn, type HeldFile, isFileAddress } from '../container/file-address.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { shiftedIn, shifts } from '../html/shifted.ts'
import { nameWording, spokenWording } from '../office/wording.ts'
import type { DecodedText } from '../text/decoded-text.ts'
import type { Extract } from '../text/text-file.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { resolvedDoctype } from './doctype.ts'
import { isDrawingData } from './drawing-data.ts'
import { DrawnLines } from './drawn-lines.ts'
import { isDrawnText, isInDrawing, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
import type { NamedSink } from './names.ts'
import { ownNames } from './own-names.ts'
import { isBlank, scanXml, type XmlAttribute, type XmlSink } from './scan.ts'
import {
  decodeCdata,
  decodeXml,
  encodeCdata,
  encodeCdataAscii,
  encodeXml,
  encodeXmlAscii,
  sectionEnd,
  sectionStart,
} from './text.ts'

/** Levels of elements for each level of containers that the limits allow. */
export const elementDepth = (depth: number) => depth * 16

/** An open element. Texts in it, if it is mixed, are runs of the node, which may be that of an element around it. */
type Element = {
  name: string
  mixed: boolean
  node: TextNode | undefined
  isOwn: boolean
  /** Of a drawn text: whether it stands above or below its line, as numbers of notes do. */
  isShifted: boolean
  /** Whether it is a drawing, or stands in one. */
  isDrawn: boolean
  attributes: readonly XmlAttribute[]
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Notes for each element in order whether it has text of its own between its children, as what drawings show always has. */
class MixedElements implements NamedSink {
  readonly mixed: boolean[] = []
  readonly #source: string
  readonly #open: { at: number; isDrawn: boolean }[] = []

  constructor(source: string) {
    this.#source = source
  }

  open(name: string): void {
    const around = this.#open.at(-1)
    const at = this.mixed.push(isDrawnText(name, around)) - 1
    this.#open.push({ at, isDrawn: isInDrawing(name, around) })
  }

  close(): void {
    this.#open.pop()
  }

  text(start: number, end: number): void {
    if (!isBlank(this.#source, start, end)) this.mixed[this.#open.at(-1)!.at] = true
  }
}

/** Names of namespaces, and where their schemas lie: addresses without numbers that could be somebody's. */
const vocabularies = /^(?![\s\S]*(?:\d{6}|\d+\.\d+\.\d+\.\d))[\w.:/#\s-]+$/

const isDeclaration = (attribute: string) =>
  /^xmlns(?::|$)|^(?:[\w.-]+:)?(?:noNamespaceS|s)chemaLocation$/.test(attribute)

/** A replacement in such an address, which parsers refuse where it is none. */
const inAddress = (text: string) => encodeURIComponent(text.toWellFormed())

/** What an attribute's text is. XML may be anybody's data; only drawings (SVG) and the like have words of their own. */
function attributeWording(attribute: string, text: string): Segment['wording'] {
  if (isDeclaration(attribute) && vocabularies.test(text)) return 'vocabulary'
  const isCode = /^(?:xml:lang|lang|class|id|style|font-family|d|points|transform|viewBox)$/.test(attribute)
  return isCode ? 'code' : nameWording(text)
}

/** The places of texts by their element, or attribute, and the element around it, each kept, as very many are the same. */
function placesOf(kind: Place['kind']): (name: string, parent: string | undefined) => Place {
  const known = new Map<string | undefined, Map<string, Place>>()
  return (name, parent) => {
    const told = known.get(parent)?.get(name)
    if (told) return told
    const within = known.get(parent) ?? new Map<string, Place>()
    const place = { kind, column: parent === undefined ? name : `${parent}.${name}` }
    known.set(parent, within.set(name, place))
    return place
  }
}

/** Characters of the shortest text that may hold a file. */
const shortestFile = 24

const none: SourceRun[] = []

/** Adds a run to a node; a list that begins with one has no room to grow, which very many nodes would keep. */
function addRun(node: TextNode, run: SourceRun): void {
  if (node.runs.length === 0) node.runs = [run]
  else node.runs.push(run)
}

/** Ends a node with all that came between its tags. */
function finish(node: TextNode): void {
  const { runs, segment } = node
  if (runs.length > 1) node.runs = [...runs]
  segment.text = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
}

/**
 * Reads the texts of a document. The children of an element with text of its own are inline: `Zy<b>sp</b>lit` is one segment,
 * and so are the lines of a text in a drawing. Those of any other element are fields: `<a>Anna</a><b>Rome</b>` are two.
 */
class TextReader implements XmlSink {
  readonly nodes: TextNode[] = []
  readonly embedded: InlineImage[] = []
  readonly drawn = new DrawnLines()
  /** Outlines of drawings, and texts in them. */
  paths = 0
  drawnTexts = 0
  readonly #source: string
  readonly #mixed: readonly boolean[]
  readonly #encode: (text: string) => string
  readonly #encodeSection: (text: string) => string
  readonly #open: Element[] = []
  #shifted: ReadonlySet<string> | undefined
  readonly #placeOf = placesOf('body')
  readonly #attributePlaceOf = placesOf('attribute')
  #count = 0

  constructor({ text, unicode }: DecodedText, mixed: readonly boolean[]) {
    this.#source = text
    this.#mixed = mixed
    this.#encode = unicode ? encodeXml : encodeXmlAscii
    this.#encodeSection = unicode ? encodeCdata : encodeCdataAscii
  }

  open(written: string, start: number, _end: number, _empty: boolean, attributes: readonly XmlAttribute[]): void {
    const parent = this.#open.at(-1)
    const name = localName(written)
    const mixed = this.#mixed[this.#count++]!
    let node = parent?.mixed ? parent.node : undefined
    const isOwn = mixed && node === undefined
    if (isOwn) {
      node = { segment: { text: '', place: this.#placeOf(name, parent?.name), visible: true }, runs: none }
      this.nodes.push(node)
      if (isDrawnText(written, parent)) {
        this.drawn.begin(node, start, attributes, this.#open)
        this.drawnTexts++
      }
    } else if (node && isDrawnText(written, parent) && isPlaced(attributes)) {
      const border = { text: '\n', start, end: start }
      addRun(node, border)
      this.drawn.place(node, border, attributes, this.#open)
    }
    const isShifted = node !== undefined && !isOwn && (parent!.isShifted || this.#shifts(written, attributes))
    const isDrawn = isInDrawing(written, parent)
    this.#open.push({ name, mixed, node, isOwn, isShifted, isDrawn, attributes })
    if (isDrawn && name === 'path') this.paths++
    for (const attribute of attributes)
      if (!isDrawn || !isDrawingData(name, attribute.name, attribute.value)) this.#readAttribute(name, attribute)
  }

  close(): void {
    const { node, isOwn } = this.#open.pop()!
    if (isOwn) finish(node!)
  }

  text(start: number, end: number, cdata: boolean): void {
    const raw = this.#source.slice(start, end)
    const held = raw.length >= shortestFile ? allFilesIn(raw) : []
    if (held.length > 0) this.#readAround(held, start, end, cdata)
    else this.#addText(start, end, cdata ? decodeCdata(raw) : decodeXml(raw))
  }

  /** Reads files, and what stands around them. */
  #readAround(held: readonly HeldFile[], start: number, end: number, cdata: boolean): void {
    const [first, last] = cdata ? [start + sectionStart.length, end - sectionEnd.length] : [start, end]
    const encode = cdata ? this.#encodeSection : this.#encode
    const between = (from: number, to: number) => {
      const part = this.#source.slice(from, to)
      const text = cdata ? decodeCdata(sectionStart + part + sectionEnd) : decodeXml(part)
      this.#addText(from, to, text, encode)
    }
    let at = first
    for (const file of held) {
      const [from, to] = [start + file.start, start + file.end]
      const image = readHeldFile(this.#source.slice(from, to), file, from, to)
      if (image) this.embedded.push(image)
      between(at, from)
      at = to
    }
    between(at, last)
  }

  #addText(start: number, end: number, text: string, encode = this.#encode): void {
    const { mixed, node, isShifted } = this.#open.at(-1)!
    if (!node || !(mixed || !isBlank(text))) return
    if (isShifted) addRun(node, { text: aside, start, end: start })
    addRun(node, { text, start, end, encode })
    if (isShifted) addRun(node, { text: aside, start: end, end })
  }

  /** Whether an element sets its drawn text above or below the line. */
  #shifts(written: string, attributes: readonly XmlAttribute[]): boolean {
    if (!attributes.some(({ name }) => /^(?:baseline-shift|style|class)$/.test(name))) return false
    if (!isDrawnText(written, this.#open.at(-1))) return false
    this.#shifted ??= shiftedIn(this.#source)
    return attributes.some(({ name, value }) => shifts(this.#shifted!, name, value))
  }

  other(kind: 'comment' | 'instruction' | 'declaration', start: number, end: number): void {
    if (kind === 'declaration') return
    const [from, to] = kind === 'comment' ? [start + 4, end - 3] : [start + 2, end - 2]
    const unsafe = kind === 'comment' ? /-(?=-)|^-|-$/g : /[^\p{L}\p{N}_.]/gu
    const safely = (text: string) => text.replace(unsafe, '_')
    const text = this.#source.slice(from, to)
    const run = { text, start: from, end: to, encode: (out: string) => out, escape: safely }
    this.#hide({ kind: 'comment' }, run, kind === 'comment' ? spokenWording(text) : 'code')
  }

  #readAttribute(element: string, { name, value, valueStart, valueEnd }: XmlAttribute): void {
    if (name.startsWith('xmlns') && /^xmlns(?::|$)/.test(name) && isKnownVocabulary(value)) return
    const text = decodeXml(value)
    const isAddress = isFileAddress(text)
    const file = isAddress
      ? readFileAddress(text, valueStart, valueEnd)
      : readBase64Picture(text, valueStart, valueEnd, false)
    if (file) this.embedded.push(file)
    else if (!isAddress) {
      const run = {
        text,
        start: valueStart,
        end: valueEnd,
        encode: this.#encode,
        ...(isDeclaration(name) && { escape: inAddress }),
      }
      this.#hide(this.#attributePlaceOf(localName(name), element), run, attributeWording(name, text))
    }
  }

  #hide(place: Place, run: SourceRun, wording: Segment['wording']): void {
    if (!isBlank(run.text))
      this.nodes.push({ segment: { text: run.text, place, visible: false, wording }, runs: [run] })
  }
}

/** Outlines from which on letters may be among them, where hardly a text stands beside them. */
const fewestOutlines = 10
const outlinesForText = 20

const warningsOf = ({ paths, drawnTexts }: TextReader): string[] =>
  paths < fewestOutlines || drawnTexts * outlinesForText > paths
    ? []
    : ['Outlines of a drawing were not looked into: letters may be among them']

export const extractXml: Extract = (source, context) => {
  const depth = elementDepth(context.limits.depth)
  const resolved = resolvedDoctype(source.text, context.limits.bytes)
  const text = resolved ?? source.text
  const elements = new MixedElements(text)
  const names = ownNames(text, depth, elements)
  const reader = new TextReader({ ...source, text }, elements.mixed)
  scanXml(text, reader, depth)
  reader.drawn.end()
  const nodes: TextNode[] = []
  for (const node of reader.nodes) if (!isBlank(node.segment.text)) nodes.push(node)
  for (const name of names) nodes.push(name)
  const { embedded } = reader
  const warnings = warningsOf(reader)
  if (resolved === undefined) return { nodes, embedded, warnings }
  return { text, nodes, embedded, warnings, dropped: [{ what: 'document type declarations', count: 1 }] }
}
