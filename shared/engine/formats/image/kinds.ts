import { type Bitmap, type Bitmaps, hasHoles } from './bitmap.ts'
import { decodeJpeg, decodePng, decodeWebp, encodeJpeg, encodePng, encodeWebp } from './codecs.ts'
import { decodeGif, gifSizes, isLongGif } from './gif/read.ts'
import { encodeGif } from './gif/write.ts'
import { decodeInks } from './inks.ts'
import { jpegComponents, jpegSize, pngSize, type Size, webpSize } from './size.ts'
import { decodeTiff, tiffSizes } from './tiff/read.ts'
import { encodeTiff } from './tiff/write.ts'

/** How pictures of one format are stored. */
export type Kind = {
  id: string
  /** Sizes of all pictures in the file, before any is decoded; empty when the header makes no sense. */
  sizes(bytes: Uint8Array): Size[]
  /** Whether the file moves, and more than can be examined. */
  animated?(bytes: Uint8Array): boolean
  decode(bytes: Uint8Array): AsyncIterable<Bitmap>
  /** `source`: the bytes that the pictures came from, which tell how they were stored. */
  encode(pages: Bitmaps, source: Uint8Array): Promise<Uint8Array>
}

/** Quality of pictures that are stored with loss. */
const quality = 92

const list = (size: Size | undefined): Size[] => (size ? [size] : [])

/** The one picture of a file that has no more. */
const only = (decode: (bytes: Uint8Array) => Promise<Bitmap>): Kind['decode'] =>
  async function* (bytes) {
    yield await decode(bytes)
  }

/** Encodes the one picture of a file that has no more. */
const alone =
  (encode: (page: Bitmap, source: Uint8Array) => Promise<Uint8Array>): Kind['encode'] =>
  async (pages, source) => {
    for await (const page of pages) return await encode(page, source)
    throw new Error('There is no picture')
  }

const jpeg: Kind = {
  id: 'jpg',
  sizes: bytes => list(jpegSize(bytes)),
  decode: only(bytes => (jpegComponents(bytes) === 4 ? decodeInks(bytes) : decodeJpeg(bytes))),
  encode: alone(page => encodeJpeg(page, quality)),
}

const png: Kind = {
  id: 'png',
  sizes: bytes => list(pngSize(bytes)),
  animated: bytes => pngSize(bytes)?.animated === true,
  decode: only(decodePng),
  encode: alone(encodePng),
}

const webp: Kind = {
  id: 'webp',
  sizes: bytes => list(webpSize(bytes)),
  animated: bytes => webpSize(bytes)?.animated === true,
  decode: only(decodeWebp),
  // With loss, pixels that show nothing would get colours of those around them.
  encode: alone((page, source) =>
    encodeWebp(page, webpSize(source)?.lossless || hasHoles(page) ? 'lossless' : quality),
  ),
}

const tiff: Kind = {
  id: 'tiff',
  sizes: tiffSizes,
  decode: decodeTiff,
  encode: encodeTiff,
}

const gif: Kind = {
  id: 'gif',
  sizes: gifSizes,
  animated: isLongGif,
  decode: decodeGif,
  encode: encodeGif,
}

/** The formats of pictures. */
export const kinds: readonly Kind[] = [jpeg, png, webp, tiff, gif]

/** The kind with that identifier. */
export const kindOf = (id: string): Kind => kinds.find(kind => kind.id === id) as Kind
