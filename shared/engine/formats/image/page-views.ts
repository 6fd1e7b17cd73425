import {
  type Box,
  isMeant,
  type PageView,
  type PageViews,
  shownPixels,
  shownQuality,
  stretchesIn,
} from '../page-views.ts'
import { type PictureText, wordsIn } from '../pdf/pictures/pictures.ts'
import type { CharPlace } from '../pdf/text/char-place.ts'
import { linesOf } from '../pdf/text/replacement-labels.ts'
import type { Bitmap, Bitmaps } from './bitmap.ts'
import { encodeJpeg } from './codecs.ts'
import type { Size } from './size.ts'
import { linesUnder } from './write.ts'

/** A picture as it is shown to people: on white, and no larger than need be. */
const shown = (bitmap: Bitmap): Bitmap => {
  const { width, height, channels = 4, data } = bitmap
  const factor = Math.max(1, Math.sqrt((width * height) / shownPixels))
  const [columns, rows] = [width, height].map(side => Math.max(1, Math.floor(side / factor))) as [number, number]
  const drawn = new Uint8ClampedArray(columns * rows * 4).fill(255)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [fromX, fromY] = [Math.floor(column * factor), Math.floor(row * factor)]
      const [toX, toY] = [Math.floor((column + 1) * factor), Math.floor((row + 1) * factor)]
      const sums = [0, 0, 0]
      for (let y = fromY; y < toY; y++)
        for (let x = fromX; x < toX; x++) {
          const at = (y * width + x) * channels
          const opacity = channels === 1 ? 255 : data[at + 3]!
          for (let channel = 0; channel < 3; channel++)
            sums[channel]! += (data[channels === 1 ? at : at + channel]! * opacity + 255 * (255 - opacity)) / 255
        }
      const count = (toX - fromX) * (toY - fromY)
      for (let channel = 0; channel < 3; channel++)
        drawn[(row * columns + column) * 4 + channel] = sums[channel]! / count
    }
  return { width: columns, height: rows, data: drawn }
}

/** A picture as people are shown it. */
const viewOf = async (bitmap: Bitmap): Promise<PageView> => {
  const picture = shown(bitmap)
  const { width, height } = picture
  return { width, height, bytes: await encodeJpeg(picture, shownQuality) }
}

/** The picture of a file with that number, from 1, as people are shown it; undefined where the file has no so many. */
export const viewIn = async (pages: Bitmaps, wanted: number): Promise<PageView | undefined> => {
  let number = 0
  for await (const page of pages) if (++number === wanted) return viewOf(page)
  return undefined
}

/** The pictures of a file, of such sizes, as people see them; `read` tells what was read of each, from 0. */
export const viewsOfPictures = (
  { pages, sizes }: { pages: () => Bitmaps; sizes: readonly Size[] },
  read: (index: number) => PictureText | undefined,
): PageViews => {
  const placeUnder = ({ width, height }: Size, box: Box): CharPlace => {
    const [left, right] = [box.left * width, box.right * width]
    const [bottom, top] = [(1 - box.bottom) * height, (1 - box.top) * height]
    return { x: left, y: bottom, left, bottom, right, top }
  }
  return {
    count: sizes.length,
    draw: async page => (await viewIn(pages(), page))!,
    boxes: ({ page = 1 }, stretches) => {
      const { width, height } = sizes[page - 1]!
      const text = read(page - 1)
      return stretches.map(({ start, end }) =>
        linesOf(linesUnder(text ? wordsIn(text, start, end) : [], height), false).boxes.map(
          ({ left, right, top, bottom }) => ({
            left: Math.max(0, left / width),
            top: Math.max(0, 1 - top / height),
            right: Math.min(1, right / width),
            bottom: Math.min(1, 1 - bottom / height),
          }),
        ),
      )
    },
    within: ({ page = 1 }, box) => {
      const size = sizes[page - 1]
      const text = read(page - 1)
      if (!size || !text) return []
      const under = placeUnder(size, box)
      const isUnder = (word: number) =>
        linesUnder([text.words[word]!], size.height).places.some(place => isMeant(place, under))
      return stretchesIn(text.wordAt, new Set(text.words.keys().filter(isUnder)))
    },
    cover: (page, box) => ({ kind: 'cover', page, places: [placeUnder(sizes[page - 1]!, box)], asked: true }),
  }
}
