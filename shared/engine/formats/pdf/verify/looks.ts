import type { Picture } from '../../../ocr/picture.ts'
import type { Look } from '../../format.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import { drawPage } from '../pictures/raster.ts'
import { showsPatterns } from '../pictures/views.ts'
import { boxesOf, type Label } from '../text/replacement-labels.ts'

/** Resolution at which pages are compared, dots per inch: a letter of small print is some pixels high. */
const dpi = 48

/** Most pages of either kind, with matches and without, that are compared. */
const most = 12

/** Items spread evenly over a list, the first and the last among them. */
export const spread = <T>(items: readonly T[], count = most): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))] as T)

/** Draws a loaded page as it is compared; with a form environment its annotations and form fields too. */
export const lookOf = (reader: Reader, page: number, form?: number): Picture => drawPage(reader, page, dpi, form)

/** How many times as fine pages are drawn that become pictures: thin lines come out otherwise at either resolution. */
const finer = 3

/** Draws a loaded page that is or becomes a picture as it is compared; `form` as in {@link lookOf}. */
export const fineLookOf = (reader: Reader, page: number, form?: number): Picture =>
  averaged(drawPage(reader, page, finer * dpi, form), finer)

type Box = Look['boxes'][number]

/** Where labels may make a page look otherwise: their boxes, with room for what letters reach beyond their own. */
const changedBoxes = (
  { pdfium }: Reader,
  page: number,
  labels: readonly Label[],
  { width, height }: Picture,
): Box[] => {
  const place = (x: number, y: number) =>
    borrow(pdfium, 8, point => {
      pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, point, point + 4)
      const view = memory(pdfium, point, 8)
      return [view.getInt32(0, true), view.getInt32(4, true)] as const
    })
  return labels.flatMap(({ places, angle }) =>
    boxesOf(places, Math.round(angle / (Math.PI / 2)) % 2 === 0).map(({ left, bottom, right, top }) => {
      const [a, b] = [place(left, bottom), place(right, top)]
      const room = 2 + Math.ceil(0.5 * Math.min(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])))
      return {
        left: Math.min(a[0], b[0]) - room,
        right: Math.max(a[0], b[0]) + room,
        top: Math.min(a[1], b[1]) - room,
        bottom: Math.max(a[1], b[1]) + room,
      }
    }),
  )
}

/**
 * How pages looked in the input: a sample of those with labels and of those without. `known` holds the pages with
 * annotations, drawn before these became content; one of them that was not drawn can't be compared. `finely` holds those of
 * them that become pictures, drawn finely; `silenced` those that may look otherwise.
 */
export const looksBefore = (
  reader: Reader,
  known: ReadonlyMap<number, Picture | undefined>,
  finely: ReadonlyMap<number, Picture>,
  labels: ReadonlyMap<number, readonly Label[]>,
  redrawn: ReadonlySet<number>,
  silenced: ReadonlySet<number>,
): Look[] => {
  const pages = Array.from({ length: reader.pages }, (_, index) => index).filter(
    // The reader puts patterns on whole pixels: as a picture of another resolution a page shows them elsewhere.
    index =>
      !silenced.has(index) &&
      (!known.has(index) || known.get(index)) &&
      !(redrawn.has(index) && showsPatterns(reader, index)),
  )
  const chosen = [
    ...spread(pages.filter(index => labels.has(index))),
    ...spread(pages.filter(index => !labels.has(index) && !redrawn.has(index))),
    ...spread(pages.filter(index => !labels.has(index) && redrawn.has(index))),
  ]
  return chosen.map(index =>
    reader.page(index, page => {
      const fine = redrawn.has(index)
      const picture = finely.get(index) ?? known.get(index) ?? (fine ? fineLookOf : lookOf)(reader, page)
      const boxes = changedBoxes(reader, page, labels.get(index) ?? [], picture)
      return { ...picture, page: index + 1, boxes, redrawn: redrawn.has(index) || known.has(index), fine }
    }),
  )
}

/** Pages whose annotations look otherwise since they are content. */
export const changedByFlattening = (reader: Reader, known: ReadonlyMap<number, Picture | undefined>): number[] =>
  [...known].flatMap(([index, picture]) => {
    if (!picture) return []
    const now = reader.page(index, page => lookOf(reader, page))
    return looksTheSame({ ...picture, page: index + 1, boxes: [], redrawn: true, fine: false }, now) ? [] : [index]
  })

/** Difference in one of their colours, of 255, from which two pixels, or two squares, are not the same. */
const visible = { exact: 56, coarse: 36 }

/** Share of the pixels, or squares, of a page that may differ: thin lines that fall between two of them. */
const tolerated = { exact: 0.0001, coarse: 0.001 }

/** Pixels that differ, whatever the size of the page: fewer than those of one letter. */
const leastPixels = 4

/** Side of the squares by which pages are compared whose letters are drawn anew: their edges are never the same. */
const square = 4

const sample = ({ pixels, channels }: Picture, at: number, channel: number): number =>
  pixels[channels === 1 ? at : 3 * at + channel] as number

/** Mean colours of squares of a picture. */
const averaged = (picture: Picture, square: number): Picture => {
  const { channels } = picture
  const [width, height] = [Math.ceil(picture.width / square), Math.ceil(picture.height / square)]
  const pixels = new Uint8Array(channels * width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++) {
        let [total, count] = [0, 0]
        for (let row = y * square; row < Math.min(picture.height, (y + 1) * square); row++)
          for (let column = x * square; column < Math.min(picture.width, (x + 1) * square); column++) {
            total += sample(picture, row * picture.width + column, channel)
            count++
          }
        pixels[channels * (y * width + x) + channel] = Math.round(total / count)
      }
  return { width, height, channels, pixels }
}

type Pixels = Pick<Picture, 'channels' | 'pixels'>

/** Whether two pictures of one size are the same. */
const isEqual = (a: Pixels, b: Pixels): boolean => a.channels === b.channels && Buffer.compare(a.pixels, b.pixels) === 0

const rowOf = ({ channels, pixels, width }: Picture, y: number): Pixels => ({
  channels,
  pixels: pixels.subarray(y * width * channels, (y + 1) * width * channels),
})

/** Whether a page looks as it did, but for the boxes in which it may not. */
export const looksTheSame = (look: Look, now: Picture): boolean => {
  if (look.width !== now.width || look.height !== now.height) return false
  if (isEqual(look, now)) return true
  const scale = look.redrawn ? square : 1
  const [before, after] = look.redrawn ? [averaged(look, square), averaged(now, square)] : [look, now]
  const { width, height } = after
  const free = new Uint8Array(width * height)
  for (const { left, top, right, bottom } of look.boxes)
    for (let y = Math.max(0, Math.floor(top / scale)); y <= Math.min(height - 1, Math.floor(bottom / scale)); y++)
      free.fill(
        1,
        y * width + Math.min(width, Math.max(0, Math.floor(left / scale))),
        y * width + Math.min(width, Math.max(0, Math.floor(right / scale) + 1)),
      )
  const channels = before.channels === 1 && after.channels === 1 ? 1 : 3
  const way = look.redrawn ? 'coarse' : 'exact'
  let different = 0
  for (let y = 0; y < height; y++) {
    if (isEqual(rowOf(before, y), rowOf(after, y))) continue
    for (let at = y * width, end = at + width; at < end; at++) {
      if (free[at] === 1) continue
      for (let channel = 0; channel < channels; channel++)
        if (Math.abs(sample(before, at, channel) - sample(after, at, channel)) >= visible[way]) {
          different++
          break
        }
    }
  }
  return different <= Math.max(leastPixels, tolerated[way] * width * height)
}
