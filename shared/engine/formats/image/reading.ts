import type { Picture } from '../../ocr/ocr.ts'
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

/** Prepares a picture for reading: each pixel is the mean brightness of those that it stands for. */
export const forReading = ({ width, height, data }: Bitmap, dpi: number | undefined): Reading => {
  const factor = factorOf({ width, height, dpi })
  const [columns, rows] = [borders(width, factor), borders(height, factor)]
  const reduced = { width: columns.length - 1, height: rows.length - 1 }
  const pixels = new Uint8Array(reduced.width * reduced.height)
  const sums = new Float64Array(reduced.width)
  for (let row = 0; row < reduced.height; row++) {
    const [top, bottom] = [rows[row]!, Math.max(rows[row]! + 1, rows[row + 1]!)]
    sums.fill(0)
    for (let y = top; y < bottom; y++)
      for (let column = 0, from = (y * width + columns[0]!) * 4; column < reduced.width; column++) {
        for (const end = (y * width + columns[column + 1]!) * 4; from < end; from += 4) {
          const opacity = data[from + 3]!
          const light = data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29
          sums[column]! += opacity === 255 ? light : (light * opacity) / 255 + 256 * (255 - opacity)
        }
      }
    for (let column = 0; column < reduced.width; column++) {
      const count = (bottom - top) * (columns[column + 1]! - columns[column]!)
      pixels[row * reduced.width + column] = sums[column]! / (count * 256)
    }
  }
  return { ...reduced, channels: 1, pixels, factor }
}

type Box = { left: number; top: number; right: number; bottom: number }

const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
})

/** White between two snippets, pixels. */
const gap = 16

/**
 * What stands at and around the places that were painted over, one below the other: about a word to either side and half
 * a line above and below. Undefined where that is no less than the whole picture.
 */
export const snippets = (picture: Reading, painted: readonly Painted[]): Picture | undefined => {
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
  return { width, height, channels: 1, pixels }
}
