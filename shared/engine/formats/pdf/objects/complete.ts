import {
  PDFArray,
  PDFCatalog,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import { arrayAt, nameText, value } from './objects.ts'

/** Short names of filters, which only pictures within content may have: readers take them everywhere. */
const filters = new Map([
  ['A85', 'ASCII85Decode'],
  ['AHx', 'ASCIIHexDecode'],
  ['CCF', 'CCITTFaxDecode'],
  ['DCT', 'DCTDecode'],
  ['Fl', 'FlateDecode'],
  ['LZW', 'LZWDecode'],
  ['RL', 'RunLengthDecode'],
])

const isShort = (object: PDFObject | undefined): object is PDFName =>
  object instanceof PDFName && filters.has(nameText(object))

/**
 * Writes out what a document leaves out or shortens and readers make out all the same, but not the library: what the
 * catalogue and the nodes of the page tree are, and the names of filters.
 */
export const complete = (document: PDFDocument): void => {
  const { context } = document
  for (const [, object] of context.enumerateIndirectObjects())
    if (object instanceof PDFRawStream) nameFilters(object.dict)
  const ref = context.trailerInfo.Root
  const root = ref && context.lookup(ref)
  if (ref instanceof PDFRef && root instanceof PDFDict && !(root instanceof PDFCatalog)) {
    const catalog = PDFCatalog.fromMapWithContext(typed(root, 'Catalog'), context)
    context.assign(ref, catalog)
    Object.assign(document, { catalog })
  }
  nameNodes(document)
}

/** Bytes that are looked at behind each beginning: the first of a node's kids, and some more where they are short. */
const beginning = 64
/** Nodes that are looked at: a file of nothing else would take seconds. */
const mostNodes = 100_000
const kidsBegin = /^\/Kids\s*\[\s*(?:\d+\s+\d+\s+R\s*)*<</

/** Whether the bytes of a document hold a tree whose nodes stand within each other: some viewers show nothing of it. */
export const hasDirectKids = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (
    let at = file.indexOf('/Kids'), nodes = 0;
    at >= 0 && nodes < mostNodes;
    at = file.indexOf('/Kids', at + 1), nodes++
  )
    if (kidsBegin.test(file.toString('latin1', at, at + beginning))) return true
  return false
}

const nameFilters = (dict: PDFDict): void => {
  const filter = value(dict, 'Filter')
  const all = arrayAt(dict, 'Filter') ?? [filter]
  if (!all.some(isShort)) return
  const long = all.map(name => (isShort(name) ? PDFName.of(filters.get(nameText(name)) as string) : name))
  dict.set(PDFName.of('Filter'), filter instanceof PDFArray ? dict.context.obj(long) : (long[0] as PDFName))
}

const typed = (dict: PDFDict, type: string) => dict.asMap().set(PDFName.of('Type'), PDFName.of(type))

const nameNodes = ({ catalog, context }: PDFDocument): void => {
  const seen = new Set<string>()
  const queue = [catalog.get(PDFName.of('Pages'))]
  for (let ref = queue.pop(); ref; ref = queue.pop()) {
    const node = ref instanceof PDFRef && !seen.has(ref.toString()) ? context.lookup(ref) : undefined
    if (!(ref instanceof PDFRef) || !(node instanceof PDFDict)) continue
    seen.add(ref.toString())
    const kids = value(node, 'Kids')
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) queue.push(kid)
    if (node instanceof PDFPageTree || node instanceof PDFPageLeaf) continue
    context.assign(
      ref,
      kids
        ? PDFPageTree.fromMapWithContext(typed(node, 'Pages'), context)
        : PDFPageLeaf.fromMapWithContext(typed(node, 'Page'), context),
    )
  }
}
