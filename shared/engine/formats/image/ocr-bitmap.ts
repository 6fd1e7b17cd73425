import { turnedBox, turnedBy } from '../../ocr/orientation.ts'
import type { Picture } from '../../ocr/picture.ts'
import { levelled, levelledBox } from '../../ocr/slant.ts'
import type { Painted } from '../format.ts'
import type { Bitmap } from './bitmap.ts'
import type { Size } from './size.ts'

/** Resolution at which reading gains nothing but time, dots per inch. */
const readingDpi = 200
/** Pixels beyond which the same holds whatever a file says of itself. */
const readingPixels = 12_000_000
/** Reduced no further than this because of what a file says: a lie must not make small type unreadable. */
const readablePixels = 3_500_000

/** A picture as it is read: grey on white, not larger than need be. `factor`: pixels of the original to one of it. */
export type Reading = Picture & { channels: 1; factor: number }

/** How much a picture is reduced before it is read. */
const factorOf = ({ width, height, dpi = 0 }: Size): number => {
  const pixels = width * height
  const scanned = Math.min(dpi / readingDpi, Math.sqrt(pixels / readablePixels))
  return Math.max(1, scanned, Math.sqrt(pixels / readingPixels))
}

/** For each pixel of a reduced side, where it begins on the original one. */
const borders = (length: number, factor: number): Int32Array =>
  Int32Array.from({ length: Math.max(1, Math.floor(length / factor)) + 1 }, (_, at) =>
    Math.min(length, Math.round(at * factor)),
  )

/**
 * Prepares a picture for reading: each pixel is the mean brightness of those that it stands for, on white paper or on
 * black.
 */
export const forReading = (bitmap: Bitmap, dpi: number | undefined, paper: 'white' | 'black' = 'white'): Reading => {
  const { width, height, channels = 4, data } = bitmap
  const behind = paper === 'white' ? 256 : 0
  const factor = factorOf({ width, height, dpi })
  const [columns, rows] = [borders(width, factor), borders(height, factor)]
  const reduced = { width: columns.length - 1, height: rows.length - 1 }
  const pixels = new Uint8Array(reduced.width * reduced.height)
  const sums = new Float64Array(reduced.width)
  for (let row = 0; row < reduced.height; row++) {
    const [top, bottom] = [rows[row]!, Math.max(rows[row]! + 1, rows[row + 1]!)]
    sums.fill(0)
    for (let y = top; y < bottom; y++)
      for (let column = 0, from = (y * width + columns[0]!) * channels; column < reduced.width; column++) {
        const end = (y * width + columns[column + 1]!) * channels
        let sum = sums[column]!
        if (channels === 1) for (; from < end; from++) sum += data[from]! * 256
        for (; from < end; from += 4) {
          const opacity = data[from + 3]!
          const light = data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29
          sum += opacity === 255 ? light : (light * opacity) / 255 + behind * (255 - opacity)
        }
        sums[column] = sum
      }
    for (let column = 0; column < reduced.width; column++) {
      const count = (bottom - top) * (columns[column + 1]! - columns[column]!)
      pixels[row * reduced.width + column] = sums[column]! / (count * 256)
    }
  }
  return { ...reduced, channels: 1, pixels, factor }
}

/** A reading whose pixels are `times` as many each way, with even steps between them: small type is read better so. */
export const enlarged = (picture: Reading, times: number): Reading => {
  if (times === 1) return picture
  const { width, height, pixels, factor } = picture
  const size = { width: Math.round(width * times), height: Math.round(height * times) }
  const steps = (from: number, to: number) =>
    Array.from({ length: to }, (_, at) => {
      const middle = Math.min(from - 1, Math.max(0, ((at + 0.5) * from) / to - 0.5))
      const low = Math.floor(middle)
      return { low, high: Math.min(from - 1, low + 1), share: middle - low }
    })
  const [columns, rows] = [steps(width, size.width), steps(height, size.height)]
  const result = new Uint8Array(size.width * size.height)
  let to = 0
  for (const row of rows) {
    const [upper, lower] = [row.low * width, row.high * width]
    for (const column of columns) {
      const top = pixels[upper + column.low]! * (1 - column.share) + pixels[upper + column.high]! * column.share
      const bottom = pixels[lower + column.low]! * (1 - column.share) + pixels[lower + column.high]! * column.share
      result[to++] = top * (1 - row.share) + bottom * row.share + 0.5
    }
  }
  return { ...size, channels: 1, pixels: result, factor: (factor * width) / size.width }
}

/** Height of words, in pixels, that is read well, and one below which a second look pays: type of 10 points at 200 dpi has 20. */
const good = 30
const low = 15
const most = 4

/** How many times larger a picture is to be read, given the heights of its words in pixels; 1 where they are large enough. */
export const enlargement = (heights: readonly number[], pixels: number): number => {
  const sorted = heights.toSorted((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? good
  if (middle >= low) return 1
  return Math.max(1, Math.min(most, good / Math.max(1, middle), Math.sqrt(readingPixels / pixels)))
}

type Box = { left: number; top: number; right: number; bottom: number }

const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
})

/**
 * The places of a picture that were painted over, upright and large enough to be read; the picture itself where they are
 * no less than it.
 */
export const closely = (picture: Reading, painted: readonly Painted[]): Reading => {
  const [{ turns = 0, slant = 0 } = {}] = painted
  const { factor } = picture
  const level = levelled(picture, slant)
  const scaled = ({ width, height }: Picture) => ({ width: width * factor, height: height * factor })
  const boxes = painted.map(box => turnedBox(levelledBox(box, slant, scaled(picture)), turns, scaled(level)))
  const upright: Reading = { ...turnedBy(level, turns), channels: 1, factor }
  const cut = snippets(upright, boxes)
  if (!cut) return picture
  const heights = boxes.map(({ top, bottom }) => (bottom - top) / factor)
  return enlarged(cut, enlargement(heights, cut.width * cut.height))
}

/** White between two snippets, pixels. */
const gap = 16

/**
 * What stands at and around the places that were painted over, one below the other: about a word to either side and half
 * a line above and below. Undefined where that is no less than the whole picture.
 */
const snippets = (picture: Reading, painted: readonly Painted[]): Reading | undefined => {
  const boxes: Box[] = []
  for (const { left, top, right, bottom } of painted) {
    const [wide, high] = [(bottom - top) * 1.5, (bottom - top) / 2]
    const scaled = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value / picture.factor)))
    const box = {
      left: scaled(left - wide, picture.width),
      top: scaled(top - high, picture.height),
      right: scaled(right + wide, picture.width),
      bottom: scaled(bottom + high, picture.height),
    }
    // The words of one value stay together.
    const last = boxes.at(-1)
    if (last && box.left <= last.right && box.right >= last.left && box.top < last.bottom && box.bottom > last.top)
      boxes[boxes.length - 1] = union(last, box)
    else boxes.push(box)
  }
  const width = Math.max(...boxes.map(({ left, right }) => right - left)) + 2 * gap
  const height = boxes.reduce((sum, { top, bottom }) => sum + bottom - top + gap, gap)
  if (width * height >= picture.width * picture.height) return undefined
  const pixels = new Uint8Array(width * height).fill(255)
  let at = gap
  for (const { left, top, right, bottom } of boxes) {
    for (let y = top; y < bottom; y++) {
      const row = picture.pixels.subarray(y * picture.width + left, y * picture.width + right)
      pixels.set(row, (at + y - top) * width + gap)
    }
    at += bottom - top + gap
  }
  return { width, height, channels: 1, pixels, factor: picture.factor }
}
