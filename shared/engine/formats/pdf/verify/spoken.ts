import { PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFObject, PDFString } from '@cantoo/pdf-lib'
import { pushAll } from '../../../lists.ts'

/** Entries of an element of the structure that programs read aloud in place of what it shows. */
const entries = ['ActualText', 'Alt', 'E', 'T'].map(name => PDFName.of(name))

/** What the structure of a document says in other words, each sort of text by itself, one after the other in the order of reading. */
export const spokenByStructure = (document: PDFDocument): string[] => {
  const { context, catalog } = document
  const texts = entries.map((): string[] => [])
  const seen = new Set<PDFObject>()
  const queue: (PDFObject | undefined)[] = [catalog.get(PDFName.of('StructTreeRoot'))]
  while (queue.length > 0) {
    const object = context.lookup(queue.pop())
    if (object instanceof PDFArray) pushAll(queue, object.asArray().toReversed())
    if (!(object instanceof PDFDict) || seen.has(object)) continue
    seen.add(object)
    entries.forEach((entry, i) => {
      const text = context.lookup(object.get(entry))
      if (text instanceof PDFString || text instanceof PDFHexString) texts[i]!.push(text.decodeText())
    })
    queue.push(object.get(PDFName.of('K')))
  }
  return texts.flatMap(own => (own.length > 1 ? [own.join(''), own.join(' ')] : []))
}
