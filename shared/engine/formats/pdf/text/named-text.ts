import { PDFDict, type PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { silence } from '../content/marked-content.ts'
import { type Splice, splice, tokenise } from '../content/tokens.ts'
import { operators } from '../objects/hidden-strings.ts'
import { compressed, decode } from '../objects/objects.ts'
import { walkStructure } from '../objects/structure.ts'
import type { Reader } from '../page-reader.ts'
import { eachObject, kinds } from '../pictures/page-objects.ts'
import { unaccented } from './normalise-text.ts'
import { isMisread, plainTextOf } from './page-text.ts'

/** Property of marked content whose text the reader takes for that of the letters within. */
export const namedText = 'ActualText'

/**
 * How the texts that content names for letters relate to these. `other`: a page shows letters that its named texts lack, or names
 * some that it does not show; `same`: they say the same on all pages; `only`: they alone say what letters without a name mean,
 * or write signs in another way.
 */
type Naming = 'none' | 'same' | 'only' | 'other'

/** Tells how the texts that the content of a document names relate to the letters that it shows. */
export const namingOf = (reader: Reader): Naming => {
  let naming: Naming = 'none'
  for (let index = 0; index < reader.pages; index++) {
    if (!reader.page(index, page => markedTexts(reader, page).length > 0)) continue
    const own = namingOn(reader, index)
    if (own === 'other') return own
    if (naming !== 'only') naming = own
  }
  return naming
}

/** The texts of a page with the marks that name another text for them. */
const markedTexts = (reader: Reader, page: number): { object: number; marks: number[] }[] => {
  const { pdfium } = reader
  const found: { object: number; marks: number[] }[] = []
  eachObject(reader, page, (object, kind) => {
    if (kind !== kinds.text) return
    const marks = Array.from({ length: Math.max(0, pdfium.FPDFPageObj_CountMarks(object)) }, (_, i) =>
      pdfium.FPDFPageObj_GetMark(object, i),
    ).filter(mark => pdfium.FPDFPageObjMark_GetParamValueType(mark, namedText) !== 0)
    if (marks.length > 0) found.push({ object, marks })
  })
  return found
}

/** Characters that a font gives a meaning of its own. */
const privateUse = /\p{Co}/u

const namingOn = (reader: Reader, index: number): Naming => {
  const read = reader.fresh(index, page => plainTextOf(reader, page))
  const [shown, misread] = reader.fresh(index, page => {
    readShown(reader)(page)
    const text = plainTextOf(reader, page)
    return [text, isMisread(reader, page) || privateUse.test(text)] as const
  })
  if (saysMore(shown, read) || (saysMore(read, shown) && !misread)) return 'other'
  return signsOf(shown) === signsOf(read) ? 'same' : 'only'
}

/** Makes loaded pages show their letters to be read, in place of the texts that are named for them. */
export const readShown =
  (reader: Reader) =>
  (page: number): void => {
    for (const { object, marks } of markedTexts(reader, page))
      for (const mark of marks) reader.pdfium.FPDFPageObj_RemoveMark(object, mark)
  }

/** What a text holds but for blanks and hyphens, in an order that is always the same. */
const signsOf = (text: string): string =>
  Array.from(unaccented(text).replace(/[\s\p{Cf}\p{Cc}-]/gu, ''))
    .sort()
    .join('')

/** Letters, and pairs of them within words, with how often each is there. */
const gramsOf = (text: string): Map<string, number> => {
  const grams = new Map<string, number>()
  // What is hyphenated at the end of a line the reader joins, or not.
  const joined = unaccented(text.replace(/[-\u00ad\u2010]\s*/g, '')).toLowerCase()
  for (const [word] of joined.matchAll(/[\p{L}\p{N}]+/gu))
    Array.from(word).forEach((letter, i, letters) => {
      for (const gram of [letter, letters.slice(i, i + 2).join('')]) grams.set(gram, (grams.get(gram) ?? 0) + 1)
    })
  return grams
}

/** Whether a text has letters, or letters one after the other, that another one lacks. */
const saysMore = (text: string, than: string): boolean => {
  const others = gramsOf(than)
  return [...gramsOf(text)].some(([gram, times]) => times > (others.get(gram) ?? 0))
}

/** Takes out what the content of a document names for its letters, so that they are what is read; gives how often it does. */
export const dropNamedText = (document: PDFDocument): number => {
  let count = 0
  walkStructure(document, ({ object, kind, set }) => {
    if (object instanceof PDFDict && kind === 'marked' && object.delete(PDFName.of(namedText))) count++
    if (!(object instanceof PDFRawStream) || !operators.has(kind)) return
    const source = decode(object)
    const splices = source ? silenced(source) : []
    if (source && splices.length > 0) set(compressed(object.dict.context, splice(source, splices), object.dict))
    count += splices.length
  })
  return count
}

const silenced = (source: Uint8Array): Splice[] => {
  const splices: Splice[] = []
  const tokens = tokenise(source)
  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    if (operation.operator !== 'BDC') continue
    const [, list] = operation.operands
    if (list?.kind !== 'dict' || !list.items.some(item => item.kind === 'name' && item.value === namedText)) continue
    const change = silence(list, undefined)
    if (change) splices.push(change)
  }
  return splices
}
