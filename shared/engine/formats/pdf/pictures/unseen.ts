import { createHash } from 'node:crypto'
import { type PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import type { Picture } from '../../../ocr/picture.ts'
import type { Matrix } from '../content/matrix.ts'
import { nameAt } from '../objects/objects.ts'
import type { Reader } from '../page-reader.ts'
import { borrow } from '../pdfium.ts'
import { eachImage, regionOf } from './image-places.ts'
import { drawRegion, timeOf } from './raster.ts'
import { isReadable } from './views.ts'

/** Pixels of the part of a page that is drawn with and without a picture. */
const maxPixels = 300_000
const maxDpi = 200

/** Difference in a colour, of 255, up to which nobody sees one. */
const faint = 3

/** Pictures of a page that are looked at; a page of more of them is made of strips or tiles. */
const maxPictures = 64

/** Milliseconds after which no more pictures of a page are looked at: each is drawn with all that lies around it. */
const maxMilliseconds = 3000

const keyOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

const dataOf = ({ pdfium }: Reader, image: number): string => {
  const size = pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0)
  return borrow(pdfium, size, data => {
    pdfium.FPDFImageObj_GetImageDataRaw(image, data, size)
    return keyOf(pdfium.pdfium.HEAPU8.subarray(data, data + size))
  })
}

const differ = (a: Picture, b: Picture): boolean => {
  const [step, other] = [3 / a.channels, 3 / b.channels]
  const level = ({ pixels }: Picture, at: number, each: number) => pixels[Math.floor(at / each)] as number
  for (let at = 0; at < 3 * a.width * a.height; at++)
    if (Math.abs(level(a, at, step) - level(b, at, other)) > faint) return true
  return false
}

/**
 * Finds the pictures that a document's pages hold and nobody sees: outside of the page, clipped away, covered, transparent.
 * Each is drawn with and without; what was found is hidden from then on, so that two that cover each other are not both.
 */
export const unseenPictures = (reader: Reader) => {
  const { pdfium } = reader
  const [seen, unseen] = [new Set<string>(), new Set<string>()]
  const looked = new Set<number>()
  const isSeen = (page: number, image: number, matrix: Matrix, hide: (object: number) => void): boolean => {
    const region = regionOf(reader, page, matrix)
    const area = (region.right - region.left) * (region.bottom - region.top)
    if (area <= 0) return false
    const draw = () => drawRegion(reader, page, Math.min(maxDpi, Math.sqrt(maxPixels / area)), region)
    const before = draw()
    hide(image)
    if (!differ(before, draw())) return false
    pdfium.FPDFPageObj_SetIsActive(image, true)
    return true
  }
  return {
    /** Looks at a page, from 0; once. */
    look(index: number): void {
      if (looked.has(index)) return
      looked.add(index)
      let left = maxPictures
      let time = 0
      const take = (page: number, hide: (object: number) => void) =>
        eachImage(reader, page, (image, matrix) => {
          if (!isReadable(reader, image)) return
          const key = dataOf(reader, image)
          // One that is seen on a page stays: logos and backgrounds stand on many.
          if (seen.has(key)) return
          let shown = true
          if (left-- > 0 && time < maxMilliseconds)
            time += timeOf(() => {
              shown = isSeen(page, image, matrix, hide)
            })
          ;(shown ? seen : unseen).add(key)
        })
      let any = false
      reader.page(index, page => {
        eachImage(reader, page, image => {
          any ||= isReadable(reader, image)
        })
      })
      if (any) reader.hiding(index, take)
    },
    /** Puts nothing in the place of these pictures in a copy of the document; returns how many there were. */
    drop(document: PDFDocument): number {
      const { context } = document
      const gone = [...unseen].filter(key => !seen.has(key))
      if (gone.length === 0) return 0
      const images = context
        .enumerateIndirectObjects()
        .flatMap(([ref, object]) =>
          object instanceof PDFRawStream && nameAt(object.dict, 'Subtype') === 'Image' ? [{ ref, object }] : [],
        )
      const masks = new Set(
        images.flatMap(({ object }) => ['SMask', 'Mask'].map(key => object.dict.get(PDFName.of(key)))),
      )
      const empty = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] }
      const found = images.filter(({ ref, object }) => !masks.has(ref) && gone.includes(keyOf(object.contents)))
      for (const { ref } of found) context.assign(ref, context.stream('', empty))
      return found.length
    },
  }
}
