import { PDFArray, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib'
import { asDict, resolve } from './objects.ts'
import { isContainer } from './structure.ts'

/** Pages (from 0) whose resources lead to one of some objects: patterns, masks and glyphs are shown by these. */
export const pagesLeadingTo = (document: PDFDocument, objects: ReadonlySet<PDFObject>): Set<number> => {
  if (objects.size === 0) return new Set()
  const resources = document.getPages().map(({ node }) => node.Resources())
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
  // What holds one of them is put behind it, and so on.
  const leading = new Set(objects)
  for (const object of leading) for (const holder of holders.get(object) ?? []) leading.add(holder)
  return new Set(resources.flatMap((own, index) => (own && leading.has(own) ? [index] : [])))
}

const entriesIn = (object: PDFObject): PDFObject[] =>
  object instanceof PDFArray ? object.asArray() : (asDict(object)?.values() ?? [])
