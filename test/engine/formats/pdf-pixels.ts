import { PDFDocument } from '@cantoo/pdf-lib'
import { contentOf } from '../../../shared/engine/formats/pdf/content/content.ts'
import { flatten } from '../../../shared/engine/formats/pdf/objects/annotations.ts'
import { openReader, type Reader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { borrow, memory } from '../../../shared/engine/formats/pdf/pdfium.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import type { Redacted } from './pdf-redacted.ts'

type Box = { left: number; top: number; right: number; bottom: number }

const dpi = 72
const greyBox = /0\.85 g (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re f/g

/** The boxes that were drawn on the pages of an output, in the pages' own coordinates. */
const drawnBoxes = async (bytes: Uint8Array): Promise<Box[][]> => {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  return document.getPages().map(page =>
    [...Buffer.from(contentOf(page)).toString('latin1').matchAll(greyBox)].map(match => {
      const [x, y, width, height] = match.slice(1).map(Number) as [number, number, number, number]
      return { left: x, bottom: y, right: x + width, top: y + height }
    }),
  )
}

/** A box of a page in the pixels of its picture, with room for what letters reach beyond their own box. */
const inPixels = ({ pdfium }: Reader, page: number, box: Box, width: number, height: number): Box => {
  const place = (x: number, y: number) =>
    borrow(pdfium, 8, point => {
      pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, point, point + 4)
      const view = memory(pdfium, point, 8)
      return [view.getInt32(0, true), view.getInt32(4, true)] as const
    })
  const [a, b] = [place(box.left, box.bottom), place(box.right, box.top)]
  const size = Math.min(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]))
  const room = 2 + Math.ceil(0.5 * size)
  return {
    left: Math.min(a[0], b[0]) - room,
    right: Math.max(a[0], b[0]) + room,
    top: Math.min(a[1], b[1]) - room,
    bottom: Math.max(a[1], b[1]) + room,
  }
}

/** The brightness of a pixel, 0 to 255. */
const shade = ({ pixels, channels }: { pixels: Uint8Array; channels: number }, at: number): number =>
  channels === 1
    ? (pixels[at] as number)
    : ((pixels[3 * at] as number) + (pixels[3 * at + 1] as number) + (pixels[3 * at + 2] as number)) / 3

/** Difference in brightness from which two pixels are not the same. */
const visible = 48

/**
 * For each page that is still text: the share of its pixels outside of the boxes that differ from what the page looked
 * like before, annotations drawn as part of the page.
 */
export const strayPixels = async ({ before, after, report }: Redacted): Promise<{ page: number; share: number }[]> => {
  const source = await openReader(before)
  const flat = await openReader(flatten(source).bytes)
  source.close()
  const output = await openReader(after)
  const boxes = await drawnBoxes(after)
  const found: { page: number; share: number }[] = []
  for (let index = 0; index < output.pages; index++) {
    if (report.rasterised.includes(index + 1)) continue
    const old = flat.page(index, page => drawPage(flat, page, dpi))
    const [fresh, areas] = output.page(index, page => {
      const drawn = drawPage(output, page, dpi)
      return [drawn, (boxes[index] ?? []).map(box => inPixels(output, page, box, drawn.width, drawn.height))]
    })
    let different = old.width === fresh.width && old.height === fresh.height ? 0 : Number.POSITIVE_INFINITY
    for (let at = 0; at < fresh.width * fresh.height && Number.isFinite(different); at++) {
      if (Math.abs(shade(old, at) - shade(fresh, at)) < visible) continue
      const [x, y] = [at % fresh.width, Math.floor(at / fresh.width)]
      if (!areas.some(box => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)) different++
    }
    found.push({ page: index + 1, share: different / (fresh.width * fresh.height) })
  }
  flat.close()
  output.close()
  return found
}
