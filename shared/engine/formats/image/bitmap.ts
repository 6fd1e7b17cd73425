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
  if (!holdsUnseen(bitmap, unseen)) return bitmap
  const cleared = wordsOf(bitmap).map(pixel => (pixel >>> 24 <= unseen ? 0 : pixel))
  return { ...bitmap, data: new Uint8ClampedArray(cleared.buffer) }
}

/** Each pixel as one number with its opacity in the highest byte, as on all machines that this is built for. */
const wordsOf = ({ data }: Bitmap) => new Uint32Array(data.buffer, data.byteOffset, data.length / 4)

/** Whether a pixel that shows nothing, of so much opacity at most, has a colour all the same. */
export const holdsUnseen = (bitmap: Bitmap, most = 0): boolean => {
  if (bitmap.channels === 1) return false
  const pixels = wordsOf(bitmap)
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at]!
    if (pixel >>> 24 <= most && pixel !== 0) return true
  }
  return false
}

/** Whether a picture has pixels that show nothing. */
export const hasHoles = (bitmap: Bitmap): boolean =>
  bitmap.channels !== 1 && wordsOf(bitmap).some(pixel => pixel >>> 24 === 0)

/** Whether all of a picture is opaque. */
export const isOpaque = (bitmap: Bitmap): boolean => {
  if (bitmap.channels === 1) return true
  const pixels = wordsOf(bitmap)
  for (let at = 0; at < pixels.length; at++) if (pixels[at]! < 0xff000000) return false
  return true
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
