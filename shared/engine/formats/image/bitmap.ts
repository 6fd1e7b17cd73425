import type { Picture } from '../../ocr/ocr.ts'

/** Pixels of a decoded picture: red, green, blue, opacity; rows from the top. */
export type Bitmap = { width: number; height: number; data: Uint8ClampedArray }

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
