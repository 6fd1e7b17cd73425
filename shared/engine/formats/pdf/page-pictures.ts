import { type PDFDocument, PDFWriter } from '@cantoo/pdf-lib'
import type { Picture } from '../../ocr/picture.ts'
import type { Look } from '../format.ts'
import { startGlyphRemoval } from './content/remove-glyphs.ts'
import { loadDocument, type Opened } from './document.ts'
import { withForms } from './objects/annotations.ts'
import { editPage } from './page.ts'
import { openReader, type Reader } from './page-reader.ts'
import { drawPage, rasterise } from './pictures/raster.ts'
import type { Label } from './text/replacement-labels.ts'
import { fineLookOf, looksBefore } from './verify/looks.ts'

/** The bytes of a document. */
export const save = (document: PDFDocument): Promise<Uint8Array> =>
  PDFWriter.forContext(document.context, Number.POSITIVE_INFINITY).serializeToBuffer()

/** Resolution of pages that become pictures, dots per inch. */
const pictureDpi = 150

/** Scans keep the resolution at which they were read. */
const scanDpi = 200

/** Draws pages with annotations as the input shows them, but for the borders of links, which viewers draw. */
const drawInput = async <T>(
  opened: Opened,
  pages: readonly number[],
  use: (reader: Reader, drawn: Map<number, Picture>) => Promise<T>,
  draw: (reader: Reader, page: number, form: number) => Picture,
): Promise<T> => {
  const reader = await openReader(await opened.input())
  try {
    return await use(
      reader,
      withForms(reader, pages, 'hidden', (page, form) => draw(reader, page, form)),
    )
  } finally {
    reader.close()
  }
}

/** Makes pages that lost their looks with their annotations pictures of what the input shows. */
const restoreAnnotated = async (opened: Opened, source: PDFDocument, pages: ReadonlySet<number>): Promise<void> => {
  const changed = opened.changed.filter(index => pages.has(index))
  if (changed.length === 0) return
  const restore = async (reader: Reader, drawn: Map<number, Picture>) => {
    for (const [index, picture] of drawn) await rasterise(source, reader, index, pictureDpi, picture)
  }
  await drawInput(opened, changed, restore, (reader, page, form) => drawPage(reader, page, pictureDpi, form))
}

/** Makes pages the pictures of what the input shows, with boxes over what had to go: nothing that was left out changes them. */
export const takePictures = async (
  opened: Opened,
  document: PDFDocument,
  pages: ReadonlySet<number>,
  labels: ReadonlyMap<number, Label[]>,
  scans: ReadonlyMap<number, unknown>,
): Promise<void> => {
  const source = await loadDocument(opened.flattened.bytes, document.getPageCount())
  await restoreAnnotated(opened, source, pages)
  const cutting = startGlyphRemoval(source.context)
  for (const index of pages) {
    const page = source.getPages()[index]
    const own = labels.get(index) ?? []
    if (page && own.length > 0) editPage(cutting, page, own, true, () => [])
  }
  const reader = await openReader(await save(source))
  try {
    for (const index of pages) await rasterise(document, reader, index, scans.has(index) ? scanDpi : pictureDpi)
  } finally {
    reader.close()
  }
}

/**
 * How pages looked in the input. Those with annotations that became pictures are drawn finely, as pictures are compared; of
 * what `silenced` ones lose in patterns and masks no box tells, so they are left out.
 */
export const looksOf = async (
  opened: Opened,
  labels: ReadonlyMap<number, readonly Label[]>,
  pictures: ReadonlySet<number>,
  silenced: ReadonlySet<number>,
): Promise<Look[]> => {
  const { reader, flattened } = opened
  const again = [...pictures].filter(index => flattened.looks.get(index))
  const fine =
    again.length > 0
      ? await drawInput(opened, again, async (_, drawn) => drawn, fineLookOf)
      : new Map<number, Picture>()
  return looksBefore(reader, flattened.looks, fine, labels, pictures, silenced)
}
