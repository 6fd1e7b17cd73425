import {
  type PDFDocument,
  PDFHexString,
  type PDFObject,
  PDFRawStream,
  type PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import { pushAll } from '../../../lists.ts'
import type { Place, Segment } from '../../format.ts'
import { addressWording, nameWording } from '../../office/wording.ts'
import { spoken } from '../content/marked-content.ts'
import { type Operand, type Splice, splice, tokenise } from '../content/tokens.ts'
import { spelling } from '../text/normalise-text.ts'
import { entriesOf, type Kind } from './allowed-keys.ts'
import { compressed, decode } from './objects.ts'
import { walkStructure } from './structure.ts'

/** A text that the file holds outside its pages' flow, spelt as rules are to see it, and the way to change it. */
export type HiddenString = { text: string; kind: Place['kind']; set(text: string): void }

/** The texts of a document outside its pages' flow, in an order that is always the same. */
export type HiddenStrings = {
  strings: HiddenString[]
  /** Those among them that content names for itself, of each stream in the order of its content. */
  contents: HiddenString[][]
  /** Writes the changed streams back; their comments go in any case. Call it once all strings are set. */
  flush(): void
  /** Streams that lost all their text: pattern cells, masks and glyphs may show text that no reader hands out. */
  silenced: ReadonlySet<PDFObject>
}

/** Entries whose strings people read aloud or look at, for the place in a report. */
const spokenKeys = new Set(['Alt', 'ActualText', 'E', 'T'])

const textOf = (object: PDFObject): string | undefined =>
  object instanceof PDFString || object instanceof PDFHexString ? object.decodeText() : undefined

const placeOf = (key: string): Place['kind'] => (key === 'URI' ? 'link' : spokenKeys.has(key) ? 'attribute' : 'meta')

/** Gathers all string objects that the root leads to, and the replacement texts inside content streams. */
export const hiddenStrings = (document: PDFDocument): HiddenStrings => {
  const strings: HiddenString[] = []
  const contents: HiddenString[][] = []
  const changed: (() => void)[] = []
  const silenced = new Set<PDFObject>()
  walkStructure(document, ({ object, kind, key, unread, set }) => {
    const text = textOf(object)
    // Names of character collections and tables of colours are no texts.
    if (text !== undefined && text !== '' && kind !== 'collection' && !coded.has(kind))
      strings.push({ text: spelling(text), kind: placeOf(key), set: fresh => set(PDFHexString.fromText(fresh)) })
    if (!(object instanceof PDFRawStream) || !(operators.has(kind) || programs.has(kind))) return
    const hides = !programs.has(kind) && (unread || kind === 'tiling')
    const content = kind === 'cmap' ? mapStrings(object) : contentStrings(object, hides)
    if (!content) return
    pushAll(strings, content.strings)
    if (operators.has(kind)) contents.push(content.strings)
    changed.push(() => content.flush(set))
    if (content.silenced) silenced.add(object)
  })
  return { strings, contents, flush: () => changed.forEach(write => void write()), silenced }
}

/** Kinds of streams that hold operators: a page's content, a form, a pattern's cell, a glyph of a Type 3 font. */
export const operators: ReadonlySet<Kind> = new Set<Kind>(['content', 'form', 'tiling', 'glyph'])

/** Kinds of streams that hold programs without operators that show text; functions of other types are numbers. */
const programs = new Set<Kind>(['cmap', 'function'])

/** Kinds that colour spaces stand in: their strings are tables of colours. */
const coded = new Set<Kind>(['colourSpaces', 'shading', 'image', 'group', 'process', 'profile'])

/** A property list that holds more than the number that ties content to the structure. */
const properties = /<<(?!\s*\/MCID\s+\d+\s*>>)/

const worthReading = (bytes: Uint8Array): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.includes('%') || (buffer.includes('<<') && properties.test(buffer.toString('latin1')))
}

/** The stretches of a property list that only the program that wrote it understands. */
const privateProperties = (list: Operand): Splice[] => {
  if (list.kind !== 'dict') return []
  return list.items.flatMap((item, i) => {
    if (i % 2 === 1 || (item.kind === 'name' && entriesOf.marked.under.has(item.value))) return []
    return [{ start: item.start, end: (list.items[i + 1] ?? item).end, bytes: new Uint8Array(0) }]
  })
}

const shows = new Set(['Tj', 'TJ', "'", '"'])

const contentStrings = (stream: PDFRawStream, silence: boolean) => {
  const source = decode(stream)
  if (!source || !(silence || worthReading(source))) return undefined
  const splices: Splice[] = []
  const strings: HiddenString[] = []
  const tokens = tokenise(source)
  const take = (list: Operand[], goes: (operand: Operand) => boolean) => {
    list.forEach((operand, i) => {
      if (goes(operand)) return
      if (operand.kind === 'dict' || operand.kind === 'array') take(operand.items, goes)
      const before = list[i - 1]
      if (operand.kind !== 'string' || before?.kind !== 'name' || !spoken.includes(before.value)) return
      const text = PDFHexString.of(Buffer.from(operand.value).toString('hex')).decodeText()
      strings.push({
        text: spelling(text),
        kind: 'attribute',
        set: fresh => {
          splices.push({
            start: operand.start,
            end: operand.end,
            bytes: Buffer.from(PDFHexString.fromText(fresh).toString()),
          })
        },
      })
    })
  }
  let silenced = false
  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    const { operator, operands, start, end } = operation
    if (operator === 'BDC' || operator === 'DP') {
      const own = operands.flatMap(privateProperties)
      pushAll(splices, own)
      const isOwn = ({ start: at }: Operand) => own.some(stretch => stretch.start <= at && at < stretch.end)
      take(operands, isOwn)
    } else if (silence && shows.has(operator)) {
      silenced = true
      splices.push({ start, end, bytes: new Uint8Array(0) })
    }
  }
  return {
    strings,
    silenced,
    flush: (set: (stream: PDFStream) => void) => {
      for (const { start, end } of tokens.comments()) splices.push({ start, end, bytes: new Uint8Array(0) })
      if (splices.length > 0) set(compressed(stream.dict.context, splice(source, splices), stream.dict))
    },
  }
}

const utf16 = new TextDecoder('utf-16be')

/** Maps of codes to letters say a word where a code stands for more than a ligature: whether a page shows it or not. */
const mapStrings = (stream: PDFRawStream) => {
  const source = decode(stream)
  if (!source) return undefined
  const splices: Splice[] = []
  const strings: HiddenString[] = []
  const tokens = tokenise(source)
  const take = (operands: Operand[]) => {
    for (const operand of operands) {
      if (operand.kind === 'array') take(operand.items)
      if (operand.kind !== 'string' || operand.value.length < wordBytes) continue
      const text = spelling(utf16.decode(operand.value))
      const set = (fresh: string) => {
        const bytes = Buffer.from(fresh, 'utf16le').swap16()
        splices.push({ start: operand.start, end: operand.end, bytes: Buffer.from(`<${bytes.toString('hex')}>`) })
      }
      strings.push({ text, kind: 'attribute', set })
    }
  }
  for (let operation = tokens.next(); operation; operation = tokens.next())
    if (operation.operator === 'endbfchar' || operation.operator === 'endbfrange') take(operation.operands)
  const flush = (set: (stream: PDFStream) => void) => {
    for (const { start, end } of tokens.comments()) splices.push({ start, end, bytes: new Uint8Array(0) })
    if (splices.length > 0) set(compressed(stream.dict.context, splice(source, splices), stream.dict))
  }
  return { strings, silenced: false, flush }
}

/** Bytes of the shortest text in a map that is read: ligatures have three letters at most. */
const wordBytes = 8

/** What a text outside of the pages is: what is spoken is, an address, or something's name. */
const wordingOf = (kind: Place['kind'], text: string): Segment['wording'] => {
  if (kind === 'attribute') return undefined
  return kind === 'link' ? addressWording(text) : nameWording(text)
}

/** The segments of hidden texts: each distinct one once, for whatever goes from it goes wherever it stands. */
export const hiddenSegments = (strings: HiddenString[], names: string[]): Segment[] => {
  const distinct = new Map<string, Segment>()
  for (const { text, kind } of strings) {
    if (!distinct.has(text))
      distinct.set(text, { text, place: { kind }, visible: false, wording: wordingOf(kind, text) })
  }
  for (const text of names)
    if (!distinct.has(text))
      distinct.set(text, { text, place: { kind: 'name' }, visible: false, wording: wordingOf('name', text) })
  return [...distinct.values()]
}
