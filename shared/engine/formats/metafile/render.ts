import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import type { Bitmap } from '../image/bitmap.ts'
import { rgba } from '../image/bitmap.ts'
import { openReader } from '../pdf/page-reader.ts'
import { drawPage } from '../pdf/pictures/raster.ts'
import type { Drawing } from './drawing.ts'

/** Pixels of the longer side of a drawing that has no pictures of its own, and of any drawing at most. */
const usualSide = 2000
const maxSide = 4500

/** Points of outlines from which they may be words. */
const fewestPoints = 30

/** Whether anything that is drawn may be words. */
export const mayShowWords = ({ points, pictures, left, right, top, bottom }: Drawing): boolean =>
  (points >= fewestPoints || pictures.length > 0) && right > left && bottom > top

/** The pixels to which a drawing is drawn: as large as its densest picture or as reading needs. */
export function sizeOf({ left, top, right, bottom, dense, points }: Drawing): {
  width: number
  height: number
  scale: number
} {
  const side = Math.max(right - left, bottom - top)
  const wanted = points >= fewestPoints ? Math.max(dense, usualSide / side) : dense
  const scale = Math.min(wanted, maxSide / side)
  const pixels = (length: number) => Math.max(8, Math.ceil(length * scale) + 8)
  return { width: pixels(right - left), height: pixels(bottom - top), scale }
}

/** Draws outlines and pictures, without the texts. */
export async function render(drawing: Drawing): Promise<Bitmap> {
  const { left, top, operators, pictures } = drawing
  const { width, height, scale } = sizeOf(drawing)
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([width, height])
  const { context } = document
  const entries = pictures.map(({ width, height, data }, index) => {
    const pixels = new Uint8Array(width * height * 3)
    for (let from = 0, to = 0; to < pixels.length; from += 4, to += 3) pixels.set(data.subarray(from, from + 3), to)
    const size = { Width: width, Height: height, BitsPerComponent: 8, ColorSpace: 'DeviceRGB' }
    return [
      `P${index + 1}`,
      context.register(context.flateStream(pixels, { Type: 'XObject', Subtype: 'Image', ...size })),
    ]
  })
  // The paper of metafiles runs downwards.
  const matrix = [scale, 0, 0, -scale, 4 - left * scale, height - 4 + top * scale].map(value => value.toFixed(6))
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: Object.fromEntries(entries) }))
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.flateStream([`${matrix.join(' ')} cm`, ...operators].join('\n'))),
  )
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  try {
    return rgba(reader.page(0, loaded => drawPage(reader, loaded, 72)))
  } finally {
    reader.close()
  }
}
