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

const locate = createRequire(import.meta.url)

const load = (path: string): Promise<Uint8Array> => readFile(locate.resolve(`@jsquash/${path}`))

/** The codecs would fetch their code from a web page; they are given it from their package, once. */
const once = (path: string, start: (code: Uint8Array) => Promise<unknown>): (() => Promise<unknown>) => {
  let started: Promise<unknown> | undefined
  return () => {
    provideImageData()
    started ??= load(path).then(start)
    return started
  }
}

const options = (wasmBinary: Uint8Array) => ({ wasmBinary, print: () => {}, printErr: () => {} }) as never
const jpegDecoder = once('jpeg/codec/dec/mozjpeg_dec.wasm', code => initJpegDecoder(options(code)))
const jpegEncoder = once('jpeg/codec/enc/mozjpeg_enc.wasm', code => initJpegEncoder(options(code)))
const webpDecoder = once('webp/codec/dec/webp_dec.wasm', code => initWebpDecoder(options(code)))
const webpEncoder = once('webp/codec/enc/webp_enc_simd.wasm', code => initWebpEncoder(options(code)))
const pngDecoder = once('png/codec/pkg/squoosh_png_bg.wasm', code => initPngDecoder(code as never))
const pngEncoder = once('png/codec/pkg/squoosh_png_bg.wasm', code => initPngEncoder(code as never))

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
const pixels = ({ width, height, data }: Bitmap): Bitmap => ({ width, height, data })

/** Decodes a JPEG, turned upright as its orientation says. All of these throw when the picture is damaged. */
export const decodeJpeg = async (bytes: Uint8Array): Promise<Bitmap> => {
  await jpegDecoder()
  try {
    return pixels(await decodeJpegBytes(buffer(bytes), { preserveOrientation: true }))
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
  await jpegEncoder()
  const choice = { quality, progressive: false, color_space: colours[shades] }
  return new Uint8Array(await encodeJpegBytes(bitmap as never, choice))
}

/** Encodes a picture of a page as JPEG, with as many channels as it has. */
export const encodePage = (picture: Picture, quality: number): Promise<Uint8Array> =>
  encodeJpeg(rgba(picture), quality, picture.channels === 1 ? 'grey' : 'all')

/** Decodes a PNG of any depth; 16 bits become 8. */
export const decodePng = async (bytes: Uint8Array): Promise<Bitmap> => {
  await pngDecoder()
  return pixels(await decodePngBytes(buffer(bytes)))
}

/** Encodes as PNG, 8 bits. */
export const encodePng = async (bitmap: Bitmap): Promise<Uint8Array> => {
  await pngEncoder()
  return new Uint8Array(await encodePngBytes(bitmap as never))
}

/** Decodes a WebP picture that isn't animated. */
export const decodeWebp = async (bytes: Uint8Array): Promise<Bitmap> => {
  await webpDecoder()
  return pixels(await decodeWebpBytes(buffer(bytes)))
}

/** Encodes as WebP, without loss or at a quality from 1 to 100. */
export const encodeWebp = async (bitmap: Bitmap, quality: number | 'lossless'): Promise<Uint8Array> => {
  await webpEncoder()
  const choice = quality === 'lossless' ? { lossless: 1, quality: 75, exact: 1 } : { quality }
  return new Uint8Array(await encodeWebpBytes(bitmap as never, choice))
}
