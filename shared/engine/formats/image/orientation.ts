import type { Bitmap } from './bitmap.ts'
import { segmentsOf } from './jpeg-segments.ts'
import { firstValue, readDirectories, tags } from './tiff/directory.ts'

/** From a place of the upright picture to where its pixel is stored, by orientation (TIFF 6.0, tag 274: 1 to 8). */
const sources: Record<number, (x: number, y: number, right: number, bottom: number) => [number, number]> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
}

/** A picture turned and mirrored so that it stands upright; itself where it does or the orientation is unknown. */
export function turned(bitmap: Bitmap, orientation: number): Bitmap {
  const source = sources[orientation]
  if (!source) return bitmap
  const { width, height, channels, data } = bitmap
  const upright = orientation > 4 ? { width: height, height: width } : { width, height }
  const [from, to] =
    channels === 1
      ? [data, new Uint8ClampedArray(width * height)]
      : [new Uint32Array(data.buffer, data.byteOffset, width * height), new Uint32Array(width * height)]
  for (let y = 0, at = 0; y < upright.height; y++)
    for (let x = 0; x < upright.width; x++) {
      const [column, row] = source(x, y, width - 1, height - 1)
      to[at++] = from[row * width + column]!
    }
  return { ...upright, channels, data: new Uint8ClampedArray(to.buffer) }
}

const exif = Buffer.from('Exif\0\0', 'latin1')

/** The orientation that the Exif data of a JPEG state; 1, upright, where they state none that can be read. */
export function jpegOrientation(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { marker, payload } of segmentsOf(file)) {
    if (marker !== 0xe1 || !payload.subarray(0, exif.length).equals(exif)) continue
    try {
      const [first] = readDirectories(payload.subarray(exif.length))
      return first ? firstValue(first, tags.orientation, 1) : 1
    } catch {
      // Exif data are often damaged; viewers show the picture as it is stored, and so does this.
      return 1
    }
  }
  return 1
}
