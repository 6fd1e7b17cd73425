import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { resourcesOf, streamsOf } from '../content/content.ts'
import { codesOf, someShown } from '../content/shown-strings.ts'
import { type Splice, splice, tokenise } from '../content/tokens.ts'
import { asDict, compressed, decode, dictAt, nameText, resolve, value } from '../objects/objects.ts'
import { walkStructure } from '../objects/structure.ts'
import { type Font, readFont } from './fonts.ts'
import { folded, lettersOfName, type MapEntry, readMapEntries } from './glyph-names.ts'

/** What a font says of its letters beside showing them: its ToUnicode map, or the names that its encoding gives to codes. */
type Listing = { codes: Set<number>; letters: string; reduce(shown: ReadonlySet<number>): void }

/**
 * Maps and encodings list letters one by one, often in the order in which a document first showed them: where such a list
 * spells one of some values, only the letters that pages still show stay, in the order of the alphabet.
 */
export const dropUnshownLetters = (document: PDFDocument, values: Iterable<string>): void => {
  const words = [...new Set(Array.from(values, folded))].filter(word => word.length > 1)
  if (words.length === 0) return
  const spelling = new Map<PDFDict, Listing[]>()
  for (const [font, lists] of listingsOf(document)) {
    const own = lists.filter(({ letters }) => words.some(word => letters.includes(word)))
    if (own.length > 0) spelling.set(font, own)
  }
  if (spelling.size === 0) return
  noteShown(document, spelling)
  for (const { codes, reduce } of new Set([...spelling.values()].flat())) reduce(codes)
}

/** The listings of each font; fonts may share them. */
const listingsOf = (document: PDFDocument): Map<PDFDict, Listing[]> => {
  const fonts = new Map<PDFDict, Listing[]>()
  const known = new Map<PDFObject, Listing>()
  const once = (object: PDFObject, make: () => Listing): Listing => {
    const listing = known.get(object) ?? make()
    known.set(object, listing)
    return listing
  }
  walkStructure(document, ({ object, kind }) => {
    const font = kind === 'font' ? asDict(object) : undefined
    if (!font) return
    const map = value(font, 'ToUnicode')
    const names = value(dictAt(font, 'Encoding'), 'Differences')
    fonts.set(font, [
      ...(map instanceof PDFRawStream ? [once(map, () => listingOfMap(font, map))] : []),
      ...(names instanceof PDFArray ? [once(names, () => listingOfNames(font, names))] : []),
    ])
  })
  return fonts
}

/** Adds to listings the codes that pages show in their fonts. */
const noteShown = (document: PDFDocument, fonts: ReadonlyMap<PDFDict, Listing[]>): void => {
  const readers = new Map<PDFDict, Font>()
  for (const page of document.getPages())
    someShown(streamsOf(page), resourcesOf(page), ({ font, strings }) => {
      const lists = font && fonts.get(font)
      if (!lists) return false
      const read = readers.get(font) ?? readFont(font)
      readers.set(font, read)
      for (const code of strings.flatMap(string => codesOf(read, string, true)))
        for (const { codes } of lists) codes.add(code)
      return false
    })
}

/** The letters of entries, in the order in which they stand and in that of their codes. */
const joined = (entries: readonly { code: number; text: string }[]): string => {
  const inOrder = entries.toSorted((a, b) => a.code - b.code)
  return [entries, inOrder].map(list => folded(list.map(({ text }) => text).join(''))).join(' ')
}

const inAlphabet = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const listingOfMap = (font: PDFDict, map: PDFRawStream): Listing => {
  const source = decode(map) ?? new Uint8Array(0)
  const entries = readMapEntries(source)
  return {
    codes: new Set(),
    letters: joined(entries),
    reduce: shown => {
      const kept = entries.filter(({ code, text }) => shown.has(code) || text.trim() === '')
      const fresh = compressed(font.context, withEntries(source, kept), map.dict)
      const ref = font.context.getObjectRef(map)
      if (ref) font.context.assign(ref, fresh)
      else font.set(PDFName.of('ToUnicode'), fresh)
    },
  }
}

const sections = /^(begin|end)bf(char|range)$/

/** Most entries that a section of a map may have (Adobe Technical Note 5411, 1.4). */
const maxInSection = 100

const hex = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, '0')

/** A map with these entries in place of its own, in the order of their texts. */
const withEntries = (source: Uint8Array, entries: readonly MapEntry[]): Uint8Array => {
  const splices: Splice[] = []
  const tokens = tokenise(source)
  for (let operation = tokens.next(); operation; operation = tokens.next())
    if (sections.test(operation.operator)) splices.push({ ...operation, bytes: new Uint8Array(0) })
  const lines = entries
    .toSorted((a, b) => inAlphabet(a.text, b.text))
    .map(
      ({ code, length, text }) => `<${hex(code, length)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
    )
  let written = ''
  for (let at = 0; at < lines.length; at += maxInSection) {
    const section = lines.slice(at, at + maxInSection)
    written += `${section.length} beginbfchar\n${section.join('\n')}\nendbfchar\n`
  }
  const last = splices.at(-1)
  if (last) last.bytes = Buffer.from(written)
  return splice(source, splices)
}

const listingOfNames = (font: PDFDict, names: PDFArray): Listing => {
  const listed: { code: number; name: PDFName; text: string | undefined }[] = []
  let next = 0
  for (const item of names.asArray().map(entry => resolve(font.context, entry)))
    if (item instanceof PDFNumber) next = item.asNumber()
    else if (item instanceof PDFName) listed.push({ code: next++, name: item, text: lettersOfName(nameText(item)) })
  return {
    codes: new Set(),
    letters: joined(listed.map(({ code, text = '' }) => ({ code, text }))),
    reduce: shown => {
      while (names.size() > 0) names.remove(names.size() - 1)
      const kept = listed.filter(({ code, text }) => text === undefined || shown.has(code))
      for (const { code, name } of kept.toSorted((a, b) => inAlphabet(nameText(a.name), nameText(b.name)))) {
        names.push(PDFNumber.of(code))
        names.push(name)
      }
    },
  }
}
