import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { compressed, decode, nameAt, nameText } from './objects.ts'
import { isContent } from './strings.ts'
import { type Splice, splice, tokenise } from './tokens.ts'
import { isDefined } from './vocabulary.ts'

/** Names carry information from four letters in a row; glyph names are part of their font. */
const telling = /\p{L}{4}/u
const glyphNames = new Set(['Differences', 'CharProcs', 'Encoding'])

const isTelling = (name: string): boolean => !isDefined(name) && telling.test(name)

type Visit = {
  /** A name as a key or a value; what comes back takes its place. */
  name(name: PDFName): PDFName
  stream?(stream: PDFRawStream, key: string, above: string): PDFRawStream | undefined
}

/** Visits every name that the root leads to, glyph names aside, and every stream. */
const walkNames = (document: PDFDocument, visit: Visit): void => {
  const { context } = document
  const seen = new Set<PDFObject>()
  const queue: { object: PDFObject; key: string; above: string; set(value: PDFObject): void }[] = [
    { object: document.catalog, key: '', above: '', set: () => {} },
  ]
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { key, above } = item
    let { object, set } = item
    if (object instanceof PDFRef) {
      const ref = object
      const target = context.lookup(ref)
      if (!target) continue
      object = target
      set = fresh => context.assign(ref, fresh)
    }
    if (object instanceof PDFName) {
      const fresh = visit.name(object)
      if (fresh !== object) set(fresh)
      continue
    }
    if (seen.has(object)) continue
    seen.add(object)
    if (object instanceof PDFArray) {
      const array = object
      array.asArray().forEach((entry, i) => {
        queue.push({ object: entry, key, above, set: fresh => array.set(i, fresh) })
      })
    } else if (object instanceof PDFDict || object instanceof PDFStream) {
      const dict = object instanceof PDFDict ? object : object.dict
      for (const [name, entry] of dict.entries()) {
        const under = nameText(name)
        if (glyphNames.has(under) && !(entry instanceof PDFRef || entry instanceof PDFDict)) continue
        if (glyphNames.has(key)) {
          if (under !== 'Differences') queue.push({ object: entry, key: under, above: key, set: () => {} })
          continue
        }
        const fresh = visit.name(name)
        if (fresh !== name) {
          dict.delete(name)
          dict.set(fresh, entry)
        }
        queue.push({ object: entry, key: under, above: key, set: value => dict.set(fresh, value) })
      }
      if (object instanceof PDFRawStream) {
        const changed = visit.stream?.(object, key, above)
        if (changed) set(changed)
      }
    }
  }
}

const cmapText = /\/(?:Registry|Ordering)\s*\(([^)]*)\)|\/CMapName\s*\/([^\s/<>[\]()]+)/g

/** The names inside a ToUnicode map, which serve nobody. */
const cmapNames = (stream: PDFRawStream): string[] => {
  const text = Buffer.from(decode(stream) ?? []).toString('latin1')
  return [...text.matchAll(cmapText)].map(match => match[1] ?? match[2] ?? '')
}

/** The names of a document that somebody chose and that may tell something. */
export const chosenNames = (document: PDFDocument): string[] => {
  const found = new Set<string>()
  walkNames(document, {
    name: name => {
      const text = nameText(name)
      if (isTelling(text)) found.add(text)
      return name
    },
    stream: (stream, key) => {
      if (key === 'ToUnicode') for (const name of cmapNames(stream)) if (isTelling(name)) found.add(name)
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
  walkNames(document, {
    name: name => {
      const changed = fresh.get(nameText(name))
      return changed === undefined ? name : PDFName.of(changed)
    },
    stream: (stream, key, above) => {
      const bytes = key === 'ToUnicode' || isContent(stream.dict, key, above) ? decode(stream) : undefined
      if (!bytes || nameAt(stream.dict, 'Subtype') === 'Image') return undefined
      const changed = key === 'ToUnicode' ? anonymousMap(bytes, fresh) : renameOperands(bytes, fresh)
      return changed && compressed(document.context, changed, stream.dict)
    },
  })
}

const anonymousMap = (bytes: Uint8Array, fresh: Map<string, string>): Uint8Array | undefined => {
  const text = Buffer.from(bytes).toString('latin1')
  const changed = text.replace(cmapText, (whole, string?: string, name?: string) => {
    if (!fresh.has(string ?? name ?? '')) return whole
    return string === undefined ? '/CMapName /Map' : whole.replace(`(${string})`, '(UCS)')
  })
  return changed === text ? undefined : Buffer.from(changed, 'latin1')
}

const renameOperands = (bytes: Uint8Array, fresh: Map<string, string>): Uint8Array | undefined => {
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
