import { PDFArray, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib'
import { resourcesOf } from '../content/content.ts'
import { asDict, resolve } from './objects.ts'
import { isContainer } from './structure.ts'

/** The pages, from 0, whose resources lead to one of some objects, as they do to patterns, masks and glyphs that a page shows. */
export const pagesLeadingTo = (document: PDFDocument, objects: ReadonlySet<PDFObject>): Set<number> => {
  if (objects.size === 0) return new Set()
  const resources = document.getPages().map(resourcesOf)
  const holders = new Map<PDFObject, PDFObject[]>()
  const queue: PDFObject[] = [...new Set(resources)].filter(own => own !== undefined)
  for (const own of queue) holders.set(own, [])
  for (let object = queue.pop(); object; object = queue.pop())
    for (const entry of entriesIn(object)) {
      const held = resolve(document.context, entry)
      if (!isContainer(held)) continue
      const known = holders.get(held)
      if (known) known.push(object)
      else {
        holders.set(held, [object])
        queue.push(held)
      }
    }
  // The set grows while it is walked: behind each object comes what holds it.
  const leading = new Set(objects)
  for (const object of leading) for (const holder of holders.get(object) ?? []) leading.add(holder)
  return new Set(resources.flatMap((own, index) => (own && leading.has(own) ? [index] : [])))
}

const entriesIn = (object: PDFObject): PDFObject[] =>
  object instanceof PDFArray ? object.asArray() : (asDict(object)?.values() ?? [])
