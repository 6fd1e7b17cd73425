import type { Bitmap } from './bitmap.ts'
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
  decode(bytes: Uint8Array): Promise<Bitmap[]>
  /** `source`: the bytes that the pictures came from, which tell how they were stored. */
  encode(pages: Bitmap[], source: Uint8Array): Promise<Uint8Array>
}

/** Quality of pictures that are stored with loss. */
const quality = 92

const list = (size: Size | undefined): Size[] => (size ? [size] : [])

const jpeg: Kind = {
  id: 'jpg',
  sizes: bytes => list(jpegSize(bytes)),
  decode: async bytes => [jpegComponents(bytes) === 4 ? await decodeInks(bytes) : await decodeJpeg(bytes)],
  encode: ([page]) => encodeJpeg(page as Bitmap, quality),
}

const png: Kind = {
  id: 'png',
  sizes: bytes => list(pngSize(bytes)),
  animated: bytes => pngSize(bytes)?.animated === true,
  decode: async bytes => [await decodePng(bytes)],
  encode: ([page]) => encodePng(page as Bitmap),
}

const webp: Kind = {
  id: 'webp',
  sizes: bytes => list(webpSize(bytes)),
  animated: bytes => webpSize(bytes)?.animated === true,
  decode: async bytes => [await decodeWebp(bytes)],
  encode: ([page], source) => encodeWebp(page as Bitmap, webpSize(source)?.lossless ? 'lossless' : quality),
}

const tiff: Kind = {
  id: 'tiff',
  sizes: tiffSizes,
  decode: decodeTiff,
  encode: async pages => encodeTiff(pages),
}

const gif: Kind = {
  id: 'gif',
  sizes: gifSizes,
  animated: isLongGif,
  decode: async bytes => decodeGif(bytes),
  encode: async (pages, source) => encodeGif(pages, source),
}

/** The formats of pictures. */
export const kinds: readonly Kind[] = [jpeg, png, webp, tiff, gif]

/** The kind with that identifier. */
export const kindOf = (id: string): Kind => kinds.find(kind => kind.id === id) as Kind
