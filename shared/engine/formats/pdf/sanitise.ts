import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { EngineError } from '../../errors.ts'
import { allowed, forbidden } from './allowed.ts'
import { explicitDestination, namedDestinations } from './destinations.ts'
import { arrayAt, asDict, dictAt, nameAt, nameText, resolve, value } from './objects.ts'
import type { Link } from './reader.ts'
import { cleanStreams } from './streams.ts'

type Dropped = Map<string, number>

const count = (dropped: Dropped, what: string, by = 1) => {
  if (by > 0) dropped.set(what, (dropped.get(what) ?? 0) + by)
}

/** Deletes all entries but the allowed ones. */
const keep = (dict: PDFDict, names: ReadonlySet<string>): void => {
  for (const key of dict.keys()) if (!names.has(nameText(key))) dict.delete(key)
}

/**
 * Leaves out all that a document may hold beyond what its pages show and what leads a reader through them. What is left
 * behind unreferenced is gone from the file as well, see {@link sweep}. Returns what was dropped, counted by kind.
 */
export const sanitise = (document: PDFDocument, links: Link[][]): Dropped => {
  const dropped: Dropped = new Map()
  const { catalog, context } = document
  reportCatalog(catalog, context.trailerInfo.Info, dropped)
  const destinations = namedDestinations(catalog)
  keep(catalog, allowed.catalog)
  cleanOutlines(dictAt(catalog, 'Outlines'), destinations, dropped)
  context.trailerInfo = { Root: context.trailerInfo.Root, Size: context.trailerInfo.Size }

  const pages = document.getPages()
  pages.forEach((page, index) => {
    const { node } = page
    const annotations = (arrayAt(node, 'Annots')?.length ?? 0) - (links[index]?.length ?? 0)
    count(dropped, 'annotations', annotations)
    keep(node, allowed.page)
    for (let parent = dictAt(node, 'Parent'), up = 0; parent && up < 64; parent = dictAt(parent, 'Parent'), up++)
      keep(parent, allowed.pages)
  })
  walk(document, dict => cleanDict(dict, dropped))
  for (const [what, times] of cleanStreams(context)) count(dropped, what, times)
  pages.forEach((page, index) => {
    const own = (links[index] ?? []).map(link => context.register(linkAnnotation(document, link)))
    if (own.length > 0) page.node.set(PDFName.of('Annots'), context.obj(own))
  })
  return dropped
}

const linkAnnotation = (document: PDFDocument, link: Link): PDFDict => {
  const { context } = document
  const target = 'page' in link ? document.getPages()[link.page] : undefined
  const annotation = context.obj({ Type: 'Annot', Subtype: 'Link', Rect: link.rect, Border: [0, 0, 0], F: 4 })
  if ('uri' in link)
    annotation.set(
      PDFName.of('A'),
      context.obj({ S: 'URI', URI: PDFHexString.of(Buffer.from(link.uri, 'latin1').toString('hex')) }),
    )
  else if (target) annotation.set(PDFName.of('Dest'), context.obj([target.ref, 'Fit']))
  return annotation
}

const reportCatalog = (catalog: PDFDict, info: unknown, dropped: Dropped): void => {
  if (info) count(dropped, 'document information')
  if (catalog.has(PDFName.of('Metadata'))) count(dropped, 'XMP metadata')
  const form = dictAt(catalog, 'AcroForm')
  if (form?.has(PDFName.of('XFA'))) count(dropped, 'XFA form')
  count(dropped, 'form fields', arrayAt(form, 'Fields')?.length ?? 0)
  const names = dictAt(catalog, 'Names')
  if (names?.has(PDFName.of('EmbeddedFiles')) || catalog.has(PDFName.of('AF'))) count(dropped, 'attachments')
  if (names?.has(PDFName.of('JavaScript'))) count(dropped, 'scripts')
  if (catalog.has(PDFName.of('OpenAction')) || catalog.has(PDFName.of('AA'))) count(dropped, 'actions')
  if (catalog.has(PDFName.of('Perms')) || catalog.has(PDFName.of('DSS'))) count(dropped, 'signatures')
}

const cleanOutlines = (
  root: PDFDict | undefined,
  destinations: ReturnType<typeof namedDestinations>,
  dropped: Dropped,
) => {
  const seen = new Set<PDFDict>()
  const queue = root ? [root] : []
  for (let item = queue.pop(); item; item = queue.pop()) {
    if (seen.has(item)) continue
    seen.add(item)
    if (seen.size > 100_000) throw new EngineError('limit_exceeded', 'Too many bookmarks')
    const action = dictAt(item, 'A')
    const destination = explicitDestination(value(item, 'Dest') ?? value(action, 'D'), destinations)
    const uri = nameAt(action, 'S') === 'URI' ? value(action, 'URI') : undefined
    if (action && !destination && !uri) count(dropped, 'actions')
    keep(item, allowed.outline)
    item.delete(PDFName.of('Dest'))
    if (destination) item.set(PDFName.of('Dest'), destination)
    else if (uri) item.set(PDFName.of('A'), item.context.obj({ S: 'URI', URI: uri }))
    for (const key of ['First', 'Next']) {
      const next = dictAt(item, key)
      if (next) queue.push(next)
    }
  }
}

const cleanDict = (dict: PDFDict, dropped: Dropped): void => {
  const type = nameAt(dict, 'Type')
  const subtype = nameAt(dict, 'Subtype')
  for (const key of dict.keys()) {
    const name = nameText(key)
    if (!forbidden.has(name) && !name.startsWith('PTEX')) continue
    if (name === 'Metadata') count(dropped, 'XMP metadata')
    dict.delete(key)
  }
  if (subtype === 'Image') keep(dict, allowed.image)
  else if (subtype === 'Form') keep(dict, allowed.form)
  else if (type === 'Font') keep(dict, allowed.font)
  else if (type === 'FontDescriptor') keep(dict, allowed.descriptor)
  else if (type === 'StructTreeRoot') keep(dict, allowed.structRoot)
  else if (type === 'StructElem' || (dict.has(PDFName.of('S')) && dict.has(PDFName.of('P')))) cleanElement(dict)
}

/** Structure may point to annotations, which are content of their page by now and must not stay for its sake. */
const cleanElement = (dict: PDFDict): void => {
  keep(dict, allowed.structElement)
  const isObject = (item: unknown) => nameAt(item as PDFDict, 'Type') === 'OBJR'
  const kids = value(dict, 'K')
  if (kids instanceof PDFDict && isObject(kids)) dict.delete(PDFName.of('K'))
  if (!(kids instanceof PDFArray)) return
  for (let i = kids.size() - 1; i >= 0; i--) {
    const kid = resolve(dict.context, kids.get(i))
    if (kid instanceof PDFDict && isObject(kid)) kids.remove(i)
  }
}

/** Visits every dictionary that the document's root leads to, once. */
export const walk = (document: PDFDocument, visit: (dict: PDFDict, object: PDFObject) => void): void => {
  const seen = new Set<unknown>()
  const queue: unknown[] = [document.catalog]
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    const found = object instanceof PDFRef ? document.context.lookup(object) : object
    if (!found || seen.has(found)) continue
    seen.add(found)
    const dict = found instanceof PDFDict || found instanceof PDFStream ? asDict(found) : undefined
    if (dict) {
      visit(dict, found as PDFObject)
      for (const [, entry] of dict.entries()) if (isContainer(entry)) queue.push(entry)
    } else if (found instanceof PDFArray) for (const entry of found.asArray()) if (isContainer(entry)) queue.push(entry)
  }
}

const isContainer = (object: unknown) =>
  object instanceof PDFRef || object instanceof PDFDict || object instanceof PDFArray || object instanceof PDFStream

/** Deletes every object that the root does not lead to. */
export const sweep = (document: PDFDocument): void => {
  const { context } = document
  const reached = new Set<string>()
  const queue: unknown[] = [context.trailerInfo.Root]
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object.toString())) continue
      reached.add(object.toString())
      // A reference to nothing must not end the loop.
      queue.push(context.lookup(object) ?? null)
    } else if (object instanceof PDFArray) queue.push(...object.asArray().filter(isContainer))
    else {
      const dict = object instanceof PDFDict || object instanceof PDFStream ? asDict(object) : undefined
      for (const [, entry] of dict?.entries() ?? []) if (isContainer(entry)) queue.push(entry)
    }
  }
  let largest = 0
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!reached.has(ref.toString())) context.delete(ref)
    else largest = Math.max(largest, ref.objectNumber)
  }
  // The writer leaves out the object after this number, which broken files set too low.
  context.largestObjectNumber = largest
}
