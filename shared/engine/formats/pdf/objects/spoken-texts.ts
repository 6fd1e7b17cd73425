import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib'
import { dictAt, resolve, value } from './objects.ts'
import { partsOfValues } from './parted-values.ts'

/** Entries of an element of the structure that say in other words what it shows. */
const spokenEntries = ['ActualText', 'Alt', 'E', 'T']

/** Marked content of which something went, by its numbers, for each page. */
export type Touched = Map<PDFObject, ReadonlySet<number>>

/** An element of the structure, and whether something of the content went that is its own. */
type Element = { dict: PDFDict; touched: boolean }

/**
 * Takes the texts out of the structure that repeat what went from the pages: those of elements whose own content it was, or which
 * stand for a page that became a picture, and those that only together hold one of some values.
 */
export const dropSpokenTexts = (
  document: PDFDocument,
  touched: Touched,
  pictures: ReadonlySet<PDFObject>,
  values: Iterable<string>,
): void => {
  const elements = elementsOf(document, (where, number) => {
    if (pictures.has(where)) return true
    return number !== undefined && touched.get(where)?.has(number) === true
  })
  for (const element of elements)
    if (element.touched) for (const key of spokenEntries) element.dict.delete(PDFName.of(key))
  const partsIn = partsOfValues(values)
  for (const key of spokenEntries) {
    const spoken = elements.flatMap(({ dict }) => {
      const text = textAt(dict, key)
      return text ? [{ dict, text }] : []
    })
    for (const at of partsIn(spoken.map(({ text }) => text))) spoken[at]!.dict.delete(PDFName.of(key))
  }
}

const textAt = (dict: PDFDict, key: string): string => {
  const text = value(dict, key)
  return text instanceof PDFString || text instanceof PDFHexString ? text.decodeText() : ''
}

/** The elements of the structure in the order of reading. */
const elementsOf = (document: PDFDocument, isTouched: (where: PDFObject, number?: number) => boolean): Element[] => {
  const { context } = document
  const elements: Element[] = []
  const seen = new Set<PDFDict>()
  const waiting = childrenOf(dictAt(document.catalog, 'StructTreeRoot')).map(dict => ({
    dict,
    page: undefined as PDFDict | undefined,
  }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const dict = resolve(context, next.dict)
    if (!(dict instanceof PDFDict) || seen.has(dict)) continue
    seen.add(dict)
    const own = dictAt(dict, 'Pg')
    const page = own ?? next.page
    const children = childrenOf(dict)
    const touches = children.some(child => {
      const mark = resolve(context, child)
      if (mark instanceof PDFNumber) return page !== undefined && isTouched(page, mark.asNumber())
      const number = mark instanceof PDFDict ? value(mark, 'MCID') : undefined
      const where = mark instanceof PDFDict ? (dictAt(mark, 'Pg') ?? page) : undefined
      return number instanceof PDFNumber && where !== undefined && isTouched(where, number.asNumber())
    })
    elements.push({ dict, touched: touches || (own !== undefined && isTouched(own)) })
    for (const child of children) waiting.push({ dict: child, page })
  }
  return elements
}

/** What stands below an element, the last first. */
const childrenOf = (dict: PDFDict | undefined): PDFObject[] => {
  const children = value(dict, 'K')
  if (children instanceof PDFArray) return children.asArray().toReversed()
  return children ? [children] : []
}
