import type { Picture } from '../../ocr/picture.ts'
import { encodePage } from '../image/codecs.ts'
import {
  type Box,
  isMeant,
  type PageView,
  type PageViews,
  shownPixels,
  shownQuality,
  stretchesIn,
} from '../page-views.ts'
import type { Opened } from './document.ts'
import type { Reader } from './page-reader.ts'
import { borrow, memory } from './pdfium.ts'
import { isOverDrawing } from './pictures/covered.ts'
import { wordPlaces } from './pictures/pictures.ts'
import { drawPage } from './pictures/raster.ts'
import { type CharPlace, placeOf } from './text/char-place.ts'
import { withText } from './text/page-text.ts'
import { type Label, linesOf } from './text/replacement-labels.ts'

/** Resolution at which a page is shown to people, dots per inch, where it is not too large. */
const shownDpi = 110

/** Steps into which a side of a page is divided to say where something stands. */
const steps = 10_000

/** Dots per inch at which a loaded page is shown to people. */
export const resolutionOf = ({ pdfium }: Reader, page: number): number => {
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  return Math.min(shownDpi, 72 * Math.sqrt(shownPixels / (width * height)))
}

/** A drawn page as it is shown to people. */
export const viewOf = async (picture: Picture): Promise<PageView> => {
  const { width, height } = picture
  return { width, height, bytes: await encodePage(picture, shownQuality) }
}

/** The box of a place on a loaded page, as the page is shown. */
const boxOf = ({ pdfium }: Reader, page: number, place: Omit<CharPlace, 'x' | 'y'>): Box => {
  const shown = (x: number, y: number) =>
    borrow(pdfium, 8, point => {
      pdfium.FPDF_PageToDevice(page, 0, 0, steps, steps, 0, x, y, point, point + 4)
      const view = memory(pdfium, point, 8)
      return [0, 4].map(at => Math.min(1, Math.max(0, view.getInt32(at, true) / steps))) as [number, number]
    })
  const [a, b] = [shown(place.left, place.bottom), shown(place.right, place.top)]
  return {
    left: Math.min(a[0], b[0]),
    top: Math.min(a[1], b[1]),
    right: Math.max(a[0], b[0]),
    bottom: Math.max(a[1], b[1]),
  }
}

/** The place on a page, from 0, of a box on it as it is shown. */
const placeUnder = (reader: Reader, index: number, box: Box): CharPlace =>
  reader.page(index, page => {
    const { pdfium } = reader
    const own = (x: number, y: number) =>
      borrow(pdfium, 16, point => {
        pdfium.FPDF_DeviceToPage(page, 0, 0, steps, steps, 0, x * steps, y * steps, point, point + 8)
        const view = memory(pdfium, point, 16)
        return [view.getFloat64(0, true), view.getFloat64(8, true)] as const
      })
    const [a, b] = [own(box.left, box.top), own(box.right, box.bottom)]
    const [left, bottom] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])]
    return { x: left, y: bottom, left, bottom, right: Math.max(a[0], b[0]), top: Math.max(a[1], b[1]) }
  })

/** The reader's characters that are meant by a place on a page, from 0. */
const charsUnder = (reader: Reader, index: number, under: CharPlace): Set<number> =>
  reader.page(index, page =>
    withText(reader, page, (text, count) => {
      const found = new Set<number>()
      for (let char = 0; char < count; char++) {
        const place = placeOf(reader, text, char)
        if (place && place.right > place.left && isMeant(place, under)) found.add(char)
      }
      return found
    }),
  )

/** The pages of an opened PDF as people see them. */
export const viewsOfPdf = (opened: Opened): PageViews => {
  const { reader, seen } = opened
  const within: PageViews['within'] = ({ kind, page = 0 }, box) => {
    const index = page - 1
    const under = placeUnder(reader, index, box)
    if (kind === 'body') return stretchesIn(opened.text(index).chars, charsUnder(reader, index, under))
    const read = kind === 'ocr' ? seen(index) : undefined
    if (!read) return []
    const isUnder = (word: number) => {
      const at = read.wordAt.indexOf(word)
      return wordPlaces(reader, index, read, at, at + 1).some(place => isMeant(place, under))
    }
    return stretchesIn(read.wordAt, new Set(read.words.keys().filter(isUnder)))
  }
  /** Stretches of a text as labels would stand on them. */
  const linesAt = (kind: string, index: number, stretches: readonly { start: number; end: number }[]) => {
    if (kind === 'body') return opened.stretches.get(index, stretches)
    const read = kind === 'ocr' ? seen(index) : undefined
    const turned = reader.page(index, page => reader.pdfium.FPDFPage_GetRotation(page) & 3)
    return stretches.map(
      ({ start, end }): Omit<Label, 'text'> => ({
        places: read ? wordPlaces(reader, index, read, start, end) : [],
        angle: ((turned + (read?.words[read.wordAt[start] ?? -1]?.turns ?? 0)) * Math.PI) / 2,
      }),
    )
  }
  return {
    count: reader.pages,
    draw: number => viewOf(reader.page(number - 1, page => drawPage(reader, page, resolutionOf(reader, page)))),
    boxes: ({ kind, page = 0 }, stretches) => {
      const found = linesAt(kind, page - 1, stretches).map(line => linesOf(line, false).boxes)
      return reader.page(page - 1, loaded => found.map(boxes => boxes.map(box => boxOf(reader, loaded, box))))
    },
    within,
    cover: (page, box) => {
      const place = placeUnder(reader, page - 1, box)
      const isText = !isOverDrawing(reader, page - 1, [place]) && within({ kind: 'body', page }, box).length > 0
      return isText ? undefined : { kind: 'cover', page, places: [place], asked: true }
    },
  }
}
