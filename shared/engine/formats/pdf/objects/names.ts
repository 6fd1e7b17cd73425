import { type PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { isDefined } from '../content/operators.ts'
import { type Splice, splice, tokenise } from '../content/tokens.ts'
import { isTellingGlyph, meaninglessNames, renameGlyphs, tellingGlyphs } from '../fonts/glyph-renaming.ts'
import { entriesOf, type Kind } from './allowed-keys.ts'
import { operators } from './hidden-strings.ts'
import { asDict, compressed, decode, nameText } from './objects.ts'
import { walkStructure } from './structure.ts'

/** Names carry information from four letters in a row. */
const telling = /\p{L}{4}/u

const empty = new Uint8Array(0)

const isTelling = (name: string): boolean => !isDefined(name) && telling.test(name)

type Visit = {
  /** A name as a key or a value; what comes back takes its place. */
  name(name: PDFName, isGlyph: boolean): PDFName
  stream?(stream: PDFRawStream, kind: Kind): PDFRawStream | undefined
}

/** Visits every name that the root leads to, and every stream. */
const walkNames = (document: PDFDocument, visit: Visit): void => {
  walkStructure(document, ({ object, kind, key, set }) => {
    if (object instanceof PDFName) {
      const fresh = visit.name(object, kind === 'encoding' && key === 'Differences')
      if (fresh !== object) set(fresh)
    }
    const dict = asDict(object)
    for (const [name, entry] of dict && entriesOf[kind].all ? dict.entries() : []) {
      const fresh = visit.name(name, kind === 'glyphs')
      if (fresh === name) continue
      dict?.delete(name)
      dict?.set(fresh, entry)
    }
    if (!(object instanceof PDFRawStream)) return
    const changed = visit.stream?.(object, kind)
    if (changed) set(changed)
  })
}

const cmapText = /\/(?:Registry|Ordering)\s*\(([^)]*)\)|\/CMapName\s*\/([^\s/<>[\]()]+)/g

/** The names inside a ToUnicode map, which serve nobody. */
const cmapNames = (stream: PDFRawStream): string[] => {
  const text = Buffer.from(decode(stream) ?? []).toString('latin1')
  return [...text.matchAll(cmapText)].map(match => match[1] ?? match[2] ?? '')
}

const tag = /\/([^\s()<>[\]{}/%]{4,})\s*(?:BMC|MP\b|<<|\/)/g

/** The tags of marked content. */
const tagsOf = (stream: PDFRawStream): string[] => {
  const bytes = decode(stream) ?? empty
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!content.includes('BMC') && !content.includes('BDC')) return []
  return Array.from(content.toString('latin1').matchAll(tag), match => match[1] as string)
}

/** The names of a document that somebody chose and that may tell something. */
export const chosenNames = (document: PDFDocument): string[] => {
  const found = new Set<string>()
  walkNames(document, {
    name: (name, isGlyph) => {
      const text = nameText(name)
      if (isGlyph ? isTellingGlyph(text) : isTelling(text)) found.add(text)
      return name
    },
    stream: (stream, kind) => {
      if (operators.has(kind)) for (const name of tagsOf(stream)) if (isTelling(name)) found.add(name)
      if (kind === 'program') for (const name of tellingGlyphs(decode(stream) ?? empty)) found.add(name)
      if (kind === 'cmap') for (const name of cmapNames(stream)) if (isTelling(name)) found.add(name)
      return undefined
    },
  })
  return [...found]
}

/** Gives names new ones, everywhere alike: keys, values, and the operands of content streams. */
export const renameAll = (document: PDFDocument, wanted: Map<string, string>): void => {
  if (wanted.size === 0) return
  const fresh = new Map<string, string>()
  for (const [name, text] of wanted) fresh.set(name, `${text.replace(/[^A-Za-z0-9+-]/g, '')}-${fresh.size + 1}`)
  const glyphs = meaninglessNames(wanted.keys())
  walkNames(document, {
    name: (name, isGlyph) => {
      const changed = (isGlyph ? glyphs : fresh).get(nameText(name))
      return changed === undefined ? name : PDFName.of(changed)
    },
    stream: (stream, kind) => {
      const bytes = kind === 'program' || kind === 'cmap' || operators.has(kind) ? decode(stream) : undefined
      const changed = bytes && renamed(bytes, kind, fresh, glyphs)
      return changed && compressed(document.context, changed, stream.dict)
    },
  })
}

const renamed = (
  bytes: Uint8Array,
  kind: Kind,
  names: ReadonlyMap<string, string>,
  glyphs: ReadonlyMap<string, string>,
): Uint8Array | undefined => {
  if (kind === 'program') return renameGlyphs(bytes, glyphs)
  return kind === 'cmap' ? anonymousMap(bytes, names) : renameOperands(bytes, names)
}

const anonymousMap = (bytes: Uint8Array, fresh: ReadonlyMap<string, string>): Uint8Array | undefined => {
  const text = Buffer.from(bytes).toString('latin1')
  const changed = text.replace(cmapText, (whole, string?: string, name?: string) => {
    if (!fresh.has(string ?? name ?? '')) return whole
    return string === undefined ? '/CMapName /Map' : whole.replace(`(${string})`, '(UCS)')
  })
  return changed === text ? undefined : Buffer.from(changed, 'latin1')
}

const renameOperands = (bytes: Uint8Array, fresh: ReadonlyMap<string, string>): Uint8Array | undefined => {
  const splices: Splice[] = []
  const take = (operands: { kind: string; value?: unknown; items?: unknown; start: number; end: number }[]) => {
    for (const { kind, value, items, start, end } of operands) {
      const changed = kind === 'name' ? fresh.get(value as string) : undefined
      if (changed !== undefined) splices.push({ start, end, bytes: Buffer.from(`/${changed}`) })
      if (Array.isArray(items)) take(items)
    }
  }
  const tokens = tokenise(bytes)
  for (let operation = tokens.next(); operation; operation = tokens.next()) take(operation.operands)
  return splices.length > 0 ? splice(bytes, splices) : undefined
}
