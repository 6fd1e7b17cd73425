import { PDFArray, type PDFContext, PDFNull, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { asDict } from './objects.ts'

/** Gaps in the numbers of objects from which they are numbered anew: the library looks through all of them at each one. */
const manyGaps = 500

/** Numbers the objects of a document one after the other where there are many gaps between them. */
export const closeGaps = (context: PDFContext): void => {
  const objects = context.enumerateIndirectObjects()
  const gaps = objects.filter(([ref], i) => i > 0 && ref.objectNumber !== (objects[i - 1]?.[0].objectNumber ?? 0) + 1)
  if (gaps.length < manyGaps) return
  const fresh = new Map(objects.map(([ref], i) => [ref, PDFRef.of(i + 1)] as const))
  // What is not there must not lead to what gets its number.
  const moved = (ref: PDFRef) => fresh.get(ref) ?? PDFNull
  for (const [, object] of objects) moveReferences(object, moved)
  for (const [ref] of objects) context.delete(ref)
  for (const [ref, object] of objects) context.assign(fresh.get(ref) as PDFRef, object)
  context.trailerInfo.Root = moved(context.trailerInfo.Root as PDFRef)
  context.largestObjectNumber = objects.length
}

const moveReferences = (object: PDFObject, moved: (ref: PDFRef) => PDFObject): void => {
  const queue: PDFObject[] = [object]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const take = (entry: PDFObject, set: (fresh: PDFObject) => void) => {
      if (entry instanceof PDFRef) set(moved(entry))
      else queue.push(entry)
    }
    if (next instanceof PDFArray) {
      const array = next
      array.asArray().forEach((entry, i) => void take(entry, fresh => array.set(i, fresh)))
    } else {
      const dict = asDict(next)
      for (const [key, entry] of dict?.entries() ?? []) take(entry, fresh => dict?.set(key, fresh))
    }
  }
}
