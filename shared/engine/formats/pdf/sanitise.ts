import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import { isUsualFont } from '../office/font-names.ts'
import { type Expectation, entriesOf } from './objects/allowed-keys.ts'
import { explicitDestination, namedDestinations, namesIn } from './objects/destinations.ts'
import { restoreBoxes } from './objects/floats.ts'
import type { Link } from './objects/links.ts'
import { arrayAt, asDict, dictAt, nameAt, nameText, resolve, value } from './objects/objects.ts'
import { closeGaps } from './objects/renumber.ts'
import { cleanStreams } from './objects/streams.ts'
import { isContainer, keptUnder, kindAt, walkStructure } from './objects/structure.ts'
import { dropUnused } from './objects/unused.ts'

type Dropped = Map<string, number>

const count = (dropped: Dropped, what: string, by = 1) => {
  if (by > 0) dropped.set(what, (dropped.get(what) ?? 0) + by)
}

/**
 * Leaves out all that a document may hold beyond what its pages show and what leads a reader through them. What is left
 * behind unreferenced is gone from the file as well, see {@link sweep}. Returns what was dropped, counted by kind.
 */
export const sanitise = (document: PDFDocument, links: Link[][]): Dropped => {
  const dropped: Dropped = new Map()
  const { catalog, context } = document
  const files = new Set<unknown>()
  reportCatalog(catalog, context.trailerInfo.Info, files, dropped)
  const destinations = namedDestinations(catalog)
  cleanOutlines(dictAt(catalog, 'Outlines'), destinations, dropped)
  context.trailerInfo = { Root: context.trailerInfo.Root, Size: context.trailerInfo.Size }
  const pages = document.getPages()
  // Links are made anew; all else that showed has become content.
  for (const { node } of pages) {
    node.delete(PDFName.of('Annots'))
    restoreBoxes(node)
  }
  const { unshown, doubtful } = dropUnused(document)
  count(dropped, 'content that nothing shows', unshown)
  count(dropped, 'content that only some viewers show, as its form does not have it', doubtful)
  keepStructure(document, files, dropped)
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
  const annotation = context.obj({ Type: 'Annot', Subtype: 'Link', Rect: link.rect, F: 4, ...link.look })
  if ('uri' in link)
    annotation.set(
      PDFName.of('A'),
      context.obj({ S: 'URI', URI: PDFHexString.of(Buffer.from(link.uri, 'latin1').toString('hex')) }),
    )
  else if (target) annotation.set(PDFName.of('Dest'), context.obj([target.ref, 'Fit']))
  return annotation
}

/** Counts what the catalogue leads to, and notes its attached files. */
const reportCatalog = (catalog: PDFDict, info: unknown, files: Set<unknown>, dropped: Dropped): void => {
  if (info) count(dropped, 'document information')
  const form = dictAt(catalog, 'AcroForm')
  if (form?.has(PDFName.of('XFA'))) count(dropped, 'XFA form')
  count(dropped, 'form fields', arrayAt(form, 'Fields')?.length ?? 0)
  const names = dictAt(catalog, 'Names')
  for (const [, file] of namesIn(dictAt(names, 'EmbeddedFiles'))) files.add(file)
  count(dropped, 'attachments', files.size)
  count(dropped, 'scripts', [...namesIn(dictAt(names, 'JavaScript'))].length)
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
    for (const key of ['Dest', 'A']) item.delete(PDFName.of(key))
    if (destination) item.set(PDFName.of('Dest'), destination)
    else if (uri) item.set(PDFName.of('A'), item.context.obj({ S: 'URI', URI: uri }))
    for (const key of ['First', 'Next']) {
      const next = dictAt(item, key)
      if (next) queue.push(next)
    }
  }
}

/** What the report calls entries that are left out. */
const told: Record<string, string> = {
  Metadata: 'XMP metadata',
  PieceInfo: 'private data of programs',
  Thumb: 'thumbnails',
  AA: 'actions',
  AF: 'attachments',
  Alternates: 'alternative pictures',
  OpenAction: 'actions',
  Threads: 'article threads',
  Collection: 'portfolios',
  SpiderInfo: 'records of web capture',
  VP: 'measurements',
}

/**
 * How many things such an entry is: those of a list, the actions of a page, one of any other kind; none if it is empty.
 * Files that are known already are none.
 */
const amountOf = (dict: PDFDict, key: string, files: Set<unknown>): number => {
  const object = value(dict, key)
  if (key === 'AF') {
    const before = files.size
    for (const file of arrayAt(dict, key) ?? [object]) files.add(file)
    return files.size - before
  }
  if (object instanceof PDFArray) return key === 'OpenAction' ? 1 : object.size()
  if (!(object instanceof PDFDict)) return 1
  const entries = object.keys().length
  return key === 'AA' ? entries : Math.min(1, entries)
}

/** Leaves to each dictionary the entries that it has where it stands; one that stands in several places has those of all. */
const keepStructure = (document: PDFDocument, files: Set<unknown>, dropped: Dropped): void => {
  const pages = new Set<unknown>(document.getPages().map(({ node }) => node))
  const kept = new Map<PDFDict, Set<string>>()
  walkStructure(document, ({ object, kind }) => {
    const dict = asDict(object)
    if (!dict) return
    const names = kept.get(dict) ?? new Set()
    kept.set(dict, names)
    for (const [name, entry] of dict.entries()) {
      const [key, object] = [nameText(name), resolve(document.context, entry)]
      const under = keptUnder(entriesOf[kind], key)
      if (under && mayStand(document, under.expected, object, pages) && !isStrangeFamily(key, object)) names.add(key)
    }
  })
  for (const [dict, names] of kept)
    for (const name of dict.keys()) {
      const key = nameText(name)
      if (names.has(key)) continue
      if (told[key]) count(dropped, told[key], amountOf(dict, key, files))
      dict.delete(name)
    }
}

/** Whether an entry names the family of a font that isn't a usual one: readers don't need it, and it may say anything. */
const isStrangeFamily = (key: string, object: PDFObject | undefined): boolean =>
  key === 'FontFamily' &&
  !((object instanceof PDFString || object instanceof PDFHexString) && isUsualFont(object.decodeText()))

/** Whether something may stay where another is expected; items of arrays that may not become nothing. */
const mayStand = (
  document: PDFDocument,
  expected: Expectation | undefined,
  object: PDFObject | undefined,
  pages: ReadonlySet<unknown>,
): boolean => {
  if (object instanceof PDFArray) {
    let lost = false
    for (let i = object.size() - 1; i >= 0; i--) {
      if (mayStand(document, expected, resolve(document.context, object.get(i)), pages)) continue
      object.set(i, PDFNull)
      lost = true
    }
    return expected !== 'target' || !lost
  }
  if (!isContainer(object)) return true
  if (expected === 'target') return pages.has(object)
  return expected !== undefined && kindAt(expected, object) !== undefined
}

/** Deletes every object that the root does not lead to. */
export const sweep = (document: PDFDocument): void => {
  const { context } = document
  const reached = new Set<PDFRef>()
  const leadsOn = (object: unknown) => (object instanceof PDFRef ? !reached.has(object) : isContainer(object))
  const queue: unknown[] = [context.trailerInfo.Root]
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue
      reached.add(object)
      // A reference to nothing must not end the loop.
      queue.push(context.lookup(object) ?? null)
    } else if (object instanceof PDFArray) pushAll(queue, object.asArray().filter(leadsOn))
    else {
      const dict = object instanceof PDFDict || object instanceof PDFStream ? asDict(object) : undefined
      for (const [, entry] of dict?.entries() ?? []) if (leadsOn(entry)) queue.push(entry)
    }
  }
  let largest = 0
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!reached.has(ref)) context.delete(ref)
    else largest = Math.max(largest, ref.objectNumber)
  }
  // The writer leaves out the object after this number, which broken files set too low.
  context.largestObjectNumber = largest
  closeGaps(context)
}
