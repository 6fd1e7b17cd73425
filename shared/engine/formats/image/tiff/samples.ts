import { EngineError } from '../../../errors.ts'
import type { Bitmap } from '../bitmap.ts'

/** What the samples of a pixel stand for (TIFF 6.0, tags 258, 262, 277, 284, 320, 338). */
export type Samples = {
  bits: number
  samples: number
  photometric: number
  /** Whether each sample has blocks of its own. */
  planar: boolean
  /** Red, green and blue of each index, one after the other, of 16 bits. */
  colorMap: readonly number[] | undefined
  /** The sample that is opacity, and whether the colours are multiplied by it. */
  opacity: { at: number; multiplied: boolean } | undefined
  little: boolean
}

/** Where a block stands in the picture, its size in pixels, and the bytes of one of its rows. */
type Position = { left: number; top: number; wide: number; high: number; rowBytes: number }

const whiteIsZero = 0
const blackIsZero = 1
const rgb = 2
const palette = 3
const mask = 4
const cmyk = 5
const ycbcr = 6

/** Reads a sample of a row as 0 to 255; as the number itself where `raw`. */
function sampleReader({ bits, little }: Samples, raw: boolean) {
  const most = 2 ** bits - 1
  if (bits === 8) return (row: Uint8Array, at: number) => row[at]!
  if (bits === 16)
    return (row: Uint8Array, at: number) => (raw ? word(row, at, little) : row[at * 2 + (little ? 1 : 0)]!)
  if (bits !== 1 && bits !== 2 && bits !== 4)
    throw new EngineError('unsupported_format', 'The TIFF has an unusual number of bits per pixel')
  return (row: Uint8Array, at: number) => {
    const bit = at * bits
    const value = (row[bit >> 3]! >> (8 - bits - (bit & 7))) & most
    return raw ? value : (value * 255) / most
  }
}

const word = (row: Uint8Array, at: number, little: boolean) =>
  little ? row[at * 2]! | (row[at * 2 + 1]! << 8) : (row[at * 2]! << 8) | row[at * 2 + 1]!

type Colour = [number, number, number]

/** Makes red, green and blue of the samples of a pixel. */
function colourOf({ photometric, colorMap, bits }: Samples): (sample: (n: number) => number) => Colour {
  if (photometric === whiteIsZero) return sample => Array(3).fill(255 - sample(0)) as Colour
  if (photometric === blackIsZero || photometric === mask) return sample => Array(3).fill(sample(0)) as Colour
  if (photometric === rgb) return sample => [sample(0), sample(1), sample(2)]
  if (photometric === palette && colorMap && colorMap.length >= 3 * 2 ** bits) {
    const size = colorMap.length / 3
    return sample => [0, 1, 2].map(n => colorMap[n * size + sample(0)]! >> 8) as Colour
  }
  if (photometric === cmyk) return sample => [0, 1, 2].map(n => ((255 - sample(n)) * (255 - sample(3))) / 255) as Colour
  if (photometric === ycbcr)
    return sample => {
      const [y, cb, cr] = [sample(0), sample(1) - 128, sample(2) - 128]
      return [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb]
    }
  throw new EngineError('unsupported_format', 'The colours of the TIFF are not supported')
}

/** Whether pixels are only grey. */
export const isGrey = ({ photometric, samples }: Samples): boolean =>
  samples === 1 && [whiteIsZero, blackIsZero, mask].includes(photometric)

/** Writes grey pixels of one block into the picture. */
function toGrey(kind: Samples, plane: Uint8Array, { width, height, data }: Bitmap, position: Position): void {
  const { left, top, wide, high, rowBytes } = position
  const read = sampleReader(kind, false)
  const isInverted = kind.photometric === whiteIsZero
  const columns = Math.min(wide, width - left)
  for (let y = 0; y < Math.min(high, height - top); y++) {
    const row = plane.subarray(y * rowBytes, (y + 1) * rowBytes)
    const to = (top + y) * width + left
    for (let x = 0; x < columns; x++) data[to + x] = isInverted ? 255 - read(row, x) : read(row, x)
  }
}

/** The same of pixels as nearly all programs write colours: a byte each of red, green and blue, with nothing or plain opacity behind. */
function copyColours({ samples, opacity }: Samples, plane: Uint8Array, target: Bitmap, position: Position): void {
  const { left, top, wide, high, rowBytes } = position
  const { width, height, data } = target
  const alpha = opacity && opacity.at < samples ? opacity.at : undefined
  const columns = Math.min(wide, width - left)
  for (let y = 0; y < Math.min(high, height - top); y++) {
    let to = ((top + y) * width + left) * 4
    for (let from = y * rowBytes, end = from + columns * samples; from < end; from += samples, to += 4) {
      data[to] = plane[from]!
      data[to + 1] = plane[from + 1]!
      data[to + 2] = plane[from + 2]!
      data[to + 3] = alpha === undefined ? 255 : plane[from + alpha]!
    }
  }
}

/** Writes the pixels of one block, given as one plane of all samples or one for each, into the picture. */
export function toPixels(kind: Samples, planes: readonly Uint8Array[], target: Bitmap, position: Position): void {
  const { left, top, wide, high, rowBytes } = position
  const { samples, planar, opacity } = kind
  const read = sampleReader(kind, kind.photometric === palette)
  const colour = colourOf(kind)
  if (target.channels === 1) {
    toGrey(kind, planes[0]!, target, position)
    return
  }
  if (kind.photometric === rgb && kind.bits === 8 && !planar && samples >= 3 && !opacity?.multiplied) {
    copyColours(kind, planes[0]!, target, position)
    return
  }
  const { data } = target
  const [columns, lines] = [Math.min(wide, target.width - left), Math.min(high, target.height - top)]
  let x = 0
  let rows: Uint8Array[] = []
  const sample = planar ? (n: number) => read(rows[n]!, x) : (n: number) => read(rows[0]!, x * samples + n)
  for (let y = 0; y < lines; y++) {
    rows = planes.map(plane => plane.subarray(y * rowBytes, (y + 1) * rowBytes))
    let to = ((top + y) * target.width + left) * 4
    for (x = 0; x < columns; x++, to += 4) {
      const shown = colour(sample)
      const alpha = opacity && opacity.at < samples ? sample(opacity.at) : 255
      const share = opacity?.multiplied && alpha > 0 ? 255 / alpha : 1
      for (let n = 0; n < 3; n++) data[to + n] = shown[n]! * share
      data[to + 3] = alpha
    }
  }
}
