import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import decodeJpegBytes, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpegBytes, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePngBytes, { init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePngBytes, { init as initPngEncoder } from '@jsquash/png/encode.js'
import decodeWebpBytes, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import encodeWebpBytes, { init as initWebpEncoder } from '@jsquash/webp/encode.js'
import type { Picture } from '../../ocr/picture.ts'
import { type Bitmap, provideImageData, rgba } from './bitmap.ts'
import { encodeInStrips } from './jpeg-strips.ts'

const locate = createRequire(import.meta.url)

const load = (path: string): Promise<Uint8Array> => readFile(locate.resolve(`@jsquash/${path}`))

/** Pixels of pictures behind which a codec is started anew, for the memory of its program only grows. */
const large = 16_000_000

/** The codecs would fetch their code from a web page; they are given it from their package. */
const codec = (path: string, start: (code: Uint8Array) => Promise<unknown>) => {
  const begin = () => load(path).then(start)
  let started: Promise<unknown> | undefined
  return async <T>(work: () => Promise<T>, pixelsOf: (result: T) => number): Promise<T> => {
    provideImageData()
    started ??= begin()
    await started
    const result = await work()
    if (pixelsOf(result) > large) {
      started = begin()
      await started
    }
    return result
  }
}

const options = (wasmBinary: Uint8Array) => ({ wasmBinary, print: () => {}, printErr: () => {} }) as never
const jpegDecoder = codec('jpeg/codec/dec/mozjpeg_dec.wasm', code => initJpegDecoder(options(code)))
const jpegEncoder = codec('jpeg/codec/enc/mozjpeg_enc.wasm', code => initJpegEncoder(options(code)))
const webpDecoder = codec('webp/codec/dec/webp_dec.wasm', code => initWebpDecoder(options(code)))
const webpEncoder = codec('webp/codec/enc/webp_enc_simd.wasm', code => initWebpEncoder(options(code)))
const pngDecoder = codec('png/codec/pkg/squoosh_png_bg.wasm', code => initPngDecoder(code as never))
const pngEncoder = codec('png/codec/pkg/squoosh_png_bg.wasm', code => initPngEncoder(code as never))

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
const pixels = ({ width, height, data }: Bitmap): Bitmap => ({ width, height, data })
const area = ({ width, height }: Bitmap): number => width * height

/** Decodes a JPEG, turned upright as its orientation says. All of these throw when the picture is damaged. */
export const decodeJpeg = async (bytes: Uint8Array): Promise<Bitmap> => {
  try {
    const decode = () => decodeJpegBytes(buffer(bytes), { preserveOrientation: true })
    return pixels(await jpegDecoder(decode, area))
  } catch (error) {
    // The decoder ends its program, which is no error, when the bytes are damaged.
    throw error instanceof Error ? error : new Error('The JPEG is damaged')
  }
}

/** Colours of a JPEG as its encoder numbers them. */
const colours = { grey: 1, all: 3 }

/** Encodes as JPEG, `quality` from 1 to 100; in one scan, as several take twice the time. None of these writes metadata. */
export const encodeJpeg = async (
  bitmap: Bitmap,
  quality: number,
  shades: keyof typeof colours = 'all',
): Promise<Uint8Array> => {
  const choice = { quality, baseline: true, progressive: false, color_space: colours[shades] }
  const encode = async (part: Bitmap) =>
    new Uint8Array(
      await jpegEncoder(
        () => encodeJpegBytes(part as never, choice),
        () => area(part),
      ),
    )
  return area(bitmap) > large ? encodeInStrips(bitmap, encode) : encode(bitmap)
}

/** Encodes a picture of a page as JPEG, with as many channels as it has. */
export const encodePage = (picture: Picture, quality: number): Promise<Uint8Array> =>
  encodeJpeg(rgba(picture), quality, picture.channels === 1 ? 'grey' : 'all')

/** Decodes a PNG of any depth; 16 bits become 8. */
export const decodePng = async (bytes: Uint8Array): Promise<Bitmap> => {
  return pixels(await pngDecoder(() => decodePngBytes(buffer(bytes)), area))
}

/** Encodes as PNG, 8 bits. */
export const encodePng = async (bitmap: Bitmap): Promise<Uint8Array> => {
  const encode = () => encodePngBytes(bitmap as never)
  return new Uint8Array(await pngEncoder(encode, () => area(bitmap)))
}

/** Decodes a WebP picture that isn't animated. */
export const decodeWebp = async (bytes: Uint8Array): Promise<Bitmap> => {
  return pixels(await webpDecoder(() => decodeWebpBytes(buffer(bytes)), area))
}

/** Encodes as WebP, without loss or at a quality from 1 to 100. */
export const encodeWebp = async (bitmap: Bitmap, quality: number | 'lossless'): Promise<Uint8Array> => {
  const choice = quality === 'lossless' ? { lossless: 1, quality: 75, exact: 1 } : { quality }
  const encode = () => encodeWebpBytes(bitmap as never, choice)
  return new Uint8Array(await webpEncoder(encode, () => area(bitmap)))
}
