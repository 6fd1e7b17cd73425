import { type PDFContext, type PDFDocument, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib'
import { EngineError } from '../../../errors.ts'
import type { Picture } from '../../../ocr/picture.ts'
import { encodePage } from '../../image/codecs.ts'
import { written } from '../content/text-state-writer.ts'
import { compressed } from '../objects/objects.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'

/** Largest picture of a page; larger pages are drawn coarser. */
const maxPixels = 24_000_000

/** The reader's flag for drawing annotations. */
const withAnnotations = 1

/**
 * Draws a loaded page at a resolution (dots per inch), given a form environment with its annotations and form fields.
 * Pixels of equal colours come back grey.
 */
export const drawPage = (reader: Reader, page: number, dpi: number, form?: number): Picture => {
  const size = pageSize(reader, page, dpi)
  return draw(reader, page, size, { left: 0, top: 0, ...size }, form)
}

/** The size in pixels of a loaded page at a resolution, which is less where the page is very large. */
const pageSize = ({ pdfium }: Reader, page: number, dpi: number) => {
  const [points, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const scale = Math.min(dpi / 72, Math.sqrt(maxPixels / Math.max(1, points * height)))
  return { width: Math.max(1, Math.round(points * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws a part of a loaded page, given in inches from the top left, at a resolution (dots per inch). */
export const drawRegion = (
  reader: Reader,
  page: number,
  dpi: number,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): Picture => {
  const { pdfium } = reader
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map(points =>
    Math.round((points * dpi) / 72),
  ) as [number, number]
  const corner = { left: Math.round(left * dpi), top: Math.round(top * dpi) }
  const part = {
    width: Math.max(1, Math.round(right * dpi) - corner.left),
    height: Math.max(1, Math.round(bottom * dpi) - corner.top),
  }
  return draw(reader, page, { width, height }, { ...corner, ...part })
}

/** Time of the processor that one drawing may take: a page is drawn several times, and nothing can interrupt one. */
const maxMilliseconds = 8000

/** That a page takes longer to draw than it may. */
export const endless = () => new EngineError('limit_exceeded', 'A page takes too long to draw')

/** Milliseconds of the processor that something takes. */
export const timeOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Throws `limit_exceeded` where drawing a loaded page at a resolution will take too long, as small drawings of it tell. */
export const refuseEndless = (reader: Reader, page: number, dpi: number): void => {
  let little = 0
  // The first one tells of pages whose second one would take very long.
  for (const small of [12, 24]) {
    little = timeOf(() => drawPage(reader, page, small))
    if (little > maxMilliseconds / 8) throw endless()
  }
  const more = timeOf(() => drawPage(reader, page, 48))
  // A part of the time goes by the objects, the other by the pixels.
  const perPixel = Math.max(0, more - little) / (48 ** 2 - 24 ** 2)
  if (more + perPixel * (dpi ** 2 - 48 ** 2) > maxMilliseconds) throw endless()
}

type Part = { left: number; top: number; width: number; height: number }

const draw = (
  { pdfium, drawn }: Reader,
  page: number,
  whole: { width: number; height: number },
  part: Part,
  form?: number,
): Picture => {
  const { left, top, ...size } = part
  const bitmap = pdfium.FPDFBitmap_Create(size.width, size.height, 0)
  if (bitmap === 0) throw new RangeError('out of memory')
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, size.height, 0xffffffff)
    const place = [bitmap, page, -left, -top, whole.width, whole.height, 0] as const
    const flags = form === undefined ? 0 : withAnnotations
    drawn(page)
    const time = timeOf(() => pdfium.FPDF_RenderPageBitmap(...place, flags))
    if (time > maxMilliseconds) throw endless()
    if (form !== undefined) pdfium.FPDF_FFLDraw(form, ...place, flags)
    const stride = pdfium.FPDFBitmap_GetStride(bitmap)
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    return pack(pdfium.pdfium.HEAPU8.subarray(start, start + stride * size.height), stride, size)
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
  }
}

/** Blue, green, red and a spare byte become grey or red, green, blue. */
const pack = (source: Uint8Array, stride: number, { width, height }: { width: number; height: number }): Picture => {
  // Numbers of four bytes, the first the lowest, as on all machines that this is built for.
  const dots = new Int32Array(source.buffer, source.byteOffset, source.length >> 2)
  const row = stride >> 2
  const channels = isGrey(dots, row, width) ? 1 : 3
  const pixels = new Uint8Array(width * height * channels)
  let to = 0
  for (let start = 0; start < dots.length; start += row)
    if (channels === 1) for (let at = start, end = start + width; at < end; at++) pixels[to++] = dots[at] as number
    else
      for (let at = start, end = start + width; at < end; at++) {
        const dot = dots[at] as number
        pixels[to++] = dot >>> 16
        pixels[to++] = dot >>> 8
        pixels[to++] = dot
      }
  return { width, height, channels, pixels }
}

/** Whether the colours of each dot are equal, of rows so far apart. */
const isGrey = (dots: Int32Array, row: number, width: number): boolean => {
  for (let start = 0; start < dots.length; start += row)
    for (let at = start, end = start + width; at < end; at++) {
      const dot = dots[at] as number
      if (((dot ^ (dot >>> 8)) & 0xffff) !== 0) return false
    }
  return true
}

/** The visible part of a loaded page in its own coordinates: left, bottom, right, top. */
const visibleBox = ({ pdfium }: Reader, page: number): [number, number, number, number] =>
  borrow(pdfium, 16, rect => {
    pdfium.FPDF_GetPageBoundingBox(page, rect)
    const view = memory(pdfium, rect, 16)
    const at = (i: number) => view.getFloat32(i * 4, true)
    return [at(0), at(3), at(2), at(1)]
  })

/** Lossless pictures larger than this, bytes, are written as JPEG: they hold photographs. */
const largestLossless = 600_000
const quality = 85

/** Rows as PNG has them, each the difference to the one above: even areas become zeros, which hardly take any room. */
const predicted = ({ width, height, channels, pixels }: Picture): Uint8Array => {
  const row = width * channels
  const rows = new Uint8Array((row + 1) * height)
  for (let y = 0, to = 0, at = 0; y < height; y++) {
    rows[to++] = up
    for (const end = at + row; at < end; at++)
      rows[to++] = (pixels[at] as number) - (y > 0 ? (pixels[at - row] as number) : 0)
  }
  return rows
}

/** The filter of PNG that {@link predicted} uses. */
const up = 2

const imageOf = async (context: PDFContext, picture: Picture): Promise<PDFRawStream> => {
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: picture.width,
    Height: picture.height,
    ColorSpace: picture.channels === 1 ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: 8,
  })
  const lossless = compressed(context, predicted(picture), dict)
  const { width: Columns, channels: Colors } = picture
  lossless.dict.set(PDFName.of('DecodeParms'), context.obj({ Predictor: 15, BitsPerComponent: 8, Columns, Colors }))
  if (lossless.contents.length <= largestLossless) return lossless
  const bytes = await encodePage(picture, quality)
  dict.set(PDFName.of('Filter'), PDFName.of('DCTDecode'))
  dict.set(PDFName.of('Length'), PDFNumber.of(bytes.length))
  return PDFRawStream.of(dict, bytes)
}

/**
 * Makes a page (from 0) of `document` the picture that `reader` shows of it, or another one. The page keeps its boxes and
 * its rotation, so the links on it still fit.
 */
export const rasterise = async (
  document: PDFDocument,
  reader: Reader,
  index: number,
  dpi: number,
  other?: Picture,
): Promise<void> => {
  const [picture, [left, bottom, right, top], turns] = reader.page(index, page => [
    other ?? drawPage(reader, page, dpi),
    visibleBox(reader, page),
    reader.pdfium.FPDFPage_GetRotation(page) & 3,
  ])
  const [width, height] = [right - left, top - bottom]
  const matrix = [
    [width, 0, 0, height, left, bottom],
    [0, height, -width, 0, right, bottom],
    [-width, 0, 0, -height, right, top],
    [0, -height, width, 0, left, top],
  ][turns] as number[]
  const { context } = document
  const image = await imageOf(context, picture)
  const node = document.getPages()[index]?.node
  if (!node) return
  const drawn = Buffer.from(`q ${matrix.map(written).join(' ')} cm /Page Do Q`)
  node.set(PDFName.of('Contents'), context.register(compressed(context, drawn)))
  node.set(PDFName.of('Resources'), context.obj({ XObject: { Page: context.register(image) } }))
  for (const key of ['Group', 'StructParents']) node.delete(PDFName.of(key))
}
