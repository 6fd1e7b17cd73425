import type { Bitmap } from '../bitmap.ts'
import type { Size } from '../size.ts'
import { type Frame, readGif } from './blocks.ts'
import { unpack } from './lzw.ts'

/** Moments of a GIF that are looked at, and pixels of all of them together: reading each takes a second. */
const maxFrames = 32
const maxPixels = 32_000_000

/** Sizes of all moments of a GIF; none where the header makes no sense. */
export function gifSizes(bytes: Uint8Array): Size[] {
  const gif = readGif(bytes)
  if (gif === undefined || gif.width === 0 || gif.height === 0) return []
  return gif.frames.map(() => ({ width: gif.width, height: gif.height }))
}

/** Whether a GIF moves for longer than can be looked at. */
export function isLongGif(bytes: Uint8Array): boolean {
  const sizes = gifSizes(bytes)
  const pixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0)
  return sizes.length > maxFrames || (sizes.length > 1 && pixels > maxPixels)
}

/** What a GIF shows, moment by moment. Throws where a picture of it is damaged. */
export async function* decodeGif(bytes: Uint8Array): AsyncGenerator<Bitmap> {
  const { width, height, frames } = readGif(bytes)!
  const canvas = new Uint32Array(width * height)
  for (const frame of frames) {
    const before = frame.disposal === 3 ? canvas.slice() : undefined
    draw(frame, canvas, width, height)
    yield { width, height, data: new Uint8ClampedArray(canvas.slice().buffer) }
    if (before) canvas.set(before)
    else if (frame.disposal === 2) eachRow(frame, width, height, (from, to) => canvas.fill(0, from, to))
  }
}

/** The rows of a frame as far as they lie on the canvas. */
function eachRow(frame: Frame, width: number, height: number, visit: (from: number, to: number, row: number) => void) {
  const right = Math.min(width, frame.left + frame.width)
  for (let row = 0; row < frame.height && frame.top + row < height && right > frame.left; row++) {
    const start = (frame.top + row) * width
    visit(start + frame.left, start + right, row)
  }
}

/** Rows of a picture in the order in which they are stored: interlaced ones in four passes. */
function rowsOf({ height, interlaced }: Frame): number[] {
  const passes = interlaced ? [[0, 8] as const, [4, 8] as const, [2, 4] as const, [1, 2] as const] : [[0, 1] as const]
  const rows: number[] = []
  for (const [first, step] of passes) for (let row = first; row < height; row += step) rows.push(row)
  return rows
}

function draw(frame: Frame, canvas: Uint32Array, width: number, height: number): void {
  const { palette, transparent } = frame
  // Pixels off the canvas are never shown, and a frame that is much larger than it is a bomb.
  if (frame.width * frame.height > 4 * (canvas.length + 1024)) throw new Error('A picture is larger than its canvas')
  const pixels = unpack(frame.data, frame.codeSize, frame.width * frame.height)
  const colours = Uint32Array.from({ length: 256 }, (_, index) => {
    const [red, green, blue] = palette.subarray(index * 3, index * 3 + 3)
    return index === transparent ? 0 : ((255 << 24) | ((blue ?? 0) << 16) | ((green ?? 0) << 8) | (red ?? 0)) >>> 0
  })
  const stored = new Int32Array(frame.height)
  for (const [index, row] of rowsOf(frame).entries()) stored[row] = index
  eachRow(frame, width, height, (from, to, row) => {
    let source = stored[row]! * frame.width
    for (let at = from; at < to && source < pixels.length; at++, source++) {
      const pixel = pixels[source]!
      if (pixel !== transparent) canvas[at] = colours[pixel]!
    }
  })
}
