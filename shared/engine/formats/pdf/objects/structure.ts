import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib'
import { type Entries, type Expectation, entriesOf, type Kind, kindOf } from './allowed-keys.ts'
import { asDict, nameAt, nameText } from './objects.ts'

/** An object where it stands, and the way to put another in its place. */
export type Standing = {
  object: PDFObject
  /** What a dictionary or stream is; of anything else, the kind of the dictionary that holds it. */
  kind: Kind
  /** The entry of that dictionary under which it stands; of what stands in an array, that of the array. */
  key: string
  /** Whether no reader hands out its text: cells of patterns, masks, glyphs drawn by operators. */
  unread: boolean
  set(fresh: PDFObject): void
}

type Waiting = Omit<Standing, 'kind'> & { expected: Expectation | undefined; within: Kind }

/** Whether an object holds others. */
export const isContainer = (object: unknown): object is PDFDict | PDFArray | PDFStream =>
  object instanceof PDFDict || object instanceof PDFArray || object instanceof PDFStream

/** What a dictionary is that stands where something is expected. */
export const kindAt = (expected: Expectation, object: PDFObject): Kind | undefined => {
  const dict = asDict(object)
  return (
    dict &&
    kindOf(expected, {
      has: key => dict.has(PDFName.of(key)),
      name: key => nameAt(dict, key),
      isStream: object instanceof PDFStream,
    })
  )
}

const hiding = new Set<Kind>(['tiling', 'glyphs', 'softMask'])

/** What a dictionary keeps under one of its entries; undefined when it does not keep it. */
export const keptUnder = (
  { all, under, rest }: Entries,
  key: string,
): { expected: Expectation | undefined } | undefined =>
  all ? { expected: rest } : under.has(key) ? { expected: under.get(key) } : undefined

/**
 * Visits all that the root leads to by entries that each dictionary has where it stands, once for each kind that it stands
 * for. What is seen on pages comes before what only stands in patterns, masks and glyphs.
 */
export const walkStructure = (document: PDFDocument, visit: (standing: Standing) => void): void => {
  const { context } = document
  const seen = new Map<PDFObject, Set<Expectation | undefined>>()
  const seenAs = (object: PDFObject, as: Expectation | undefined): boolean => {
    const known = seen.get(object)
    if (known?.has(as)) return true
    if (known) known.add(as)
    else seen.set(object, new Set([as]))
    return false
  }
  /** Whether a reference leads to what was seen as what it may only be there, as fonts are that pages share. */
  const isKnown = (entry: PDFObject, expected: Expectation | undefined): boolean => {
    const target = entry instanceof PDFRef ? context.lookup(entry) : undefined
    return target instanceof PDFDict && seen.get(target)?.has(expected) === true
  }
  const queue: Waiting[] = []
  const later: Waiting[] = []
  const put = (item: Waiting) => (item.unread ? later : queue).push(item)
  put({ object: document.catalog, expected: 'catalog', within: 'catalog', key: '', unread: false, set: () => {} })
  for (let item = queue.pop() ?? later.pop(); item; item = queue.pop() ?? later.pop()) {
    const { expected, within, key, unread } = item
    let { object, set } = item
    if (object instanceof PDFRef) {
      const ref = object
      const target = context.lookup(ref)
      if (!target) continue
      object = target
      set = fresh => context.assign(ref, fresh)
    }
    if (!isContainer(object)) {
      visit({ object, kind: within, key, unread, set })
      continue
    }
    if (object instanceof PDFArray) {
      if (seenAs(object, expected)) continue
      const array = object
      array.asArray().forEach((entry, i) => {
        put({ object: entry, expected, within, key, unread, set: fresh => array.set(i, fresh) })
      })
      continue
    }
    // Seen as what it may only be here, as fonts are that pages share.
    if (seen.get(object)?.has(expected)) continue
    const kind = expected && kindAt(expected, object)
    if (!kind || seenAs(object, kind)) continue
    visit({ object, kind, key, unread, set })
    const dict = asDict(object) as PDFDict
    const entries = entriesOf[kind]
    const hides = unread || hiding.has(kind)
    for (const [name, entry] of dict.entries()) {
      const under = nameText(name)
      const kept = keptUnder(entries, under)
      if (!kept || isKnown(entry, kept.expected)) continue
      put({
        object: entry,
        expected: kept.expected,
        within: kind,
        key: under,
        unread: hides,
        set: fresh => dict.set(name, fresh),
      })
    }
  }
}
