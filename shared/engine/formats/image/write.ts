import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { lineHeight } from '../../ocr/ocr.ts'
import type { OcrWord } from '../../ocr/picture.ts'
import { commonSlant } from '../../ocr/slant.ts'
import { openReader } from '../pdf/page-reader.ts'
import { drawPage } from '../pdf/pictures/raster.ts'
import type { CharPlace } from '../pdf/text/char-place.ts'
import { boxesOf, drawLabels, type Label, labelFontName, levelPlaces } from '../pdf/text/replacement-labels.ts'
import type { Bitmap } from './bitmap.ts'

/** Words to cover, in the pixels of a picture, and the text of the label over them. */
export type Cover = { words: OcrWord[]; text: string }

/** Share of a word's height that is covered around it: letters reach beyond the box that was read. */
const margin = 0.15

/** Words on a picture of that height as places, with some room, and the angle of their line. */
export const linesUnder = (words: readonly OcrWord[], height: number): Omit<Label, 'text'> => {
  const [{ turns = 0 } = {}] = words
  const places = words.map(word => {
    const { left, top, right, bottom } = word
    const room = Math.ceil(margin * lineHeight(word))
    const box = { left: left - room, right: right + room, bottom: height - bottom - room, top: height - top + room }
    return { ...box, x: box.left, y: box.bottom }
  })
  return { places, angle: (turns * Math.PI) / 2, slant: -commonSlant(words) }
}

/** Size of letters, in pixels, below which they are too small to read. */
const readable = 9

/**
 * Covers words by opaque boxes with labels, and `boxes` by such without. The same drawing that PDF pages get is made at the size of the picture and
 * copied, box by box, into its pixels.
 */
export const paint = async (bitmap: Bitmap, covers: Cover[], boxes: CharPlace[] = []): Promise<void> => {
  if (covers.length + boxes.length === 0) return
  const { width, height, channels = 4, data } = bitmap
  const labels: Label[] = [
    ...boxes.map(box => ({ places: [box], text: '', angle: 0 })),
    ...covers.map(({ words, text }) => ({ ...linesUnder(words, height), text })),
  ]
  const drawn = await draw(width, height, drawLabels(labels, true, readable))
  for (const label of labels)
    for (const { y, from, to } of rowsUnder(label, width, height))
      for (let x = from; x < to; x++) {
        // The drawing of a very large picture is coarser than the picture.
        const row = Math.min(drawn.height - 1, Math.floor((y * drawn.height) / height))
        const column = Math.min(drawn.width - 1, Math.floor((x * drawn.width) / width))
        const source = (row * drawn.width + column) * drawn.channels
        const target = (y * width + x) * channels
        for (let channel = 0; channel < Math.min(3, channels); channel++)
          data[target + channel] = drawn.pixels[source + (drawn.channels === 1 ? 0 : channel)] as number
        if (channels === 4) data[target + 3] = 255
      }
}

/** Half of the diagonal of a pixel: the middle of one that a slanted box touches is no further from it. */
const touching = Math.SQRT1_2

/** The pixels of a picture that a label covers, row by row. */
function* rowsUnder({ places, angle, slant = 0 }: Label, width: number, height: number) {
  const [cos, sin] = [Math.cos(slant), Math.sin(slant)]
  for (const { left, bottom, right, top } of boxesOf(
    levelPlaces({ places, slant }),
    Math.round(angle / (Math.PI / 2)) % 2 === 0,
  )) {
    const corners = [left, right].flatMap(x => [bottom, top].map(y => [x * cos - y * sin, x * sin + y * cos]))
    const [xs, ys] = [corners.map(([x]) => x!), corners.map(([, y]) => height - y!)]
    const [fromX, toX] = [Math.max(0, Math.floor(Math.min(...xs))), Math.min(width, Math.ceil(Math.max(...xs)))]
    const [fromY, toY] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(height, Math.ceil(Math.max(...ys)))]
    const isUnder = (x: number, y: number) => {
      const [along, across] = [x * cos + y * sin, y * cos - x * sin]
      const off = Math.max(left - along, along - right, bottom - across, across - top)
      return slant === 0 || off < touching
    }
    for (let y = fromY; y < toY; y++) {
      let [from, to] = [fromX, toX]
      while (from < to && !isUnder(from + 0.5, height - y - 0.5)) from++
      while (to > from && !isUnder(to - 0.5, height - y - 0.5)) to--
      yield { y, from, to }
    }
  }
}

const draw = async (width: number, height: number, operators: string) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([width, height])
  const { context } = document
  const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' })
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { [labelFontName()]: font } }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(operators)))
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  try {
    return reader.page(0, loaded => drawPage(reader, loaded, 72))
  } finally {
    reader.close()
  }
}
