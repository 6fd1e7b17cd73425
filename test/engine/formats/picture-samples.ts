import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { type Bitmap, type Bitmaps, rgba } from '../../../shared/engine/formats/image/bitmap.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import type { Picture } from '../../../shared/engine/ocr/picture.ts'

/** Lines of type, drawn as a scanner of 200 dpi sees them on a page of 420 by 300 points, or one that is less high. */
export const typedPicture = async (lines: string[], height = 300, step = 40): Promise<Picture> => {
  const typed = await PDFDocument.create()
  const font = await typed.embedFont(StandardFonts.TimesRoman)
  const paper = typed.addPage([420, height])
  lines.forEach((line, i) => {
    paper.drawText(line, { x: 30, y: height - 60 - step * i, size: 18, font })
  })
  const reader = await openReader(await typed.save({ useObjectStreams: false }))
  try {
    return reader.page(0, page => drawPage(reader, page, 200))
  } finally {
    reader.close()
  }
}

/** The same with opacity. */
export const typedBitmap = async (lines: string[]): Promise<Bitmap> => rgba(await typedPicture(lines))

/** The same as on paper that is wet: rows are pushed to and fro, so that letters are there and can hardly be read. */
export function wavy({ width, height, data, ...more }: Bitmap): Bitmap {
  const pixels = data.slice()
  for (let y = 0; y < height; y++) {
    const push = Math.round(6 * Math.sin(y / 3))
    for (let x = 0; x < width; x++) {
      const from = (y * width + Math.min(width - 1, Math.max(0, x + push))) * 4
      pixels.set(data.subarray(from, from + 4), (y * width + x) * 4)
    }
  }
  return { ...more, width, height, data: pixels }
}

/** All pictures of a file. */
export const allOf = async (pages: Bitmaps): Promise<Bitmap[]> => {
  const all: Bitmap[] = []
  for await (const page of pages) all.push(page)
  return all
}
