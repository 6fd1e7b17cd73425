import type { Picture } from '../../ocr/picture.ts'

/** Pixels of a decoded picture: red, green, blue, opacity, or where it has one channel, grey; rows from the top. */
export type Bitmap = { width: number; height: number; channels?: 1 | 4; data: Uint8ClampedArray }

/** Pictures one after the other: each is the reader's until it asks for the next. */
export type Bitmaps = AsyncIterable<Bitmap> | Iterable<Bitmap>

/** Gives the memory of a picture back at once; it is empty then. */
export const release = ({ data }: Bitmap): void => {
  const buffer = data.buffer as ArrayBuffer
  if (!buffer.detached) buffer.transfer(0)
}

/** Opacity, of 255, up to which a pixel shows nothing. */
const unseen = 15

/** The picture without the colours of pixels that nobody sees: whoever drops the opacity would read them. */
export const withoutUnseen = (bitmap: Bitmap): Bitmap => {
  const { data, channels } = bitmap
  if (channels === 1) return bitmap
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
  const isUnseen = (at: number) => data[at * 4 + 3]! <= unseen && pixels[at] !== 0
  if (!pixels.some((_, at) => isUnseen(at))) return bitmap
  const cleared = pixels.map((pixel, at) => (data[at * 4 + 3]! <= unseen ? 0 : pixel))
  return { ...bitmap, data: new Uint8ClampedArray(cleared.buffer) }
}

/** Whether a pixel that shows nothing has a colour all the same. */
export const holdsUnseen = ({ data, channels }: Bitmap): boolean => {
  for (let at = 0; channels !== 1 && at < data.length; at += 4)
    if (data[at + 3] === 0 && (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 0)) return true
  return false
}

class PlainImageData {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height = data.length / 4 / width) {
    this.data = data
    this.width = width
    this.height = height
  }
}

/** The codecs were made for browsers and return the browser's own class of pixels. */
export const provideImageData = (): void => {
  const scope = globalThis as { ImageData?: unknown }
  scope.ImageData ??= PlainImageData
}

/** A picture with opacity, as encoders want it. */
export const rgba = ({ width, height, channels, pixels }: Picture): Bitmap => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let from = 0, to = 0; to < data.length; from += channels, to += 4) {
    data[to] = pixels[from] as number
    data[to + 1] = pixels[channels === 1 ? from : from + 1] as number
    data[to + 2] = pixels[channels === 1 ? from : from + 2] as number
    data[to + 3] = 255
  }
  return { width, height, data }
}
