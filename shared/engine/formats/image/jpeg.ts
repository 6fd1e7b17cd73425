import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js'
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js'
import type { Picture } from '../../ocr/ocr.ts'
import { type Bitmap, provideImageData, rgba } from './bitmap.ts'

const locate = createRequire(import.meta.url)

/** The code of a codec, which its package would fetch from a web page. */
const wasm = (name: string): Promise<Uint8Array> => readFile(locate.resolve(`@jsquash/jpeg/${name}`))

let encoder: Promise<unknown> | undefined
let decoder: Promise<unknown> | undefined

/** Encodes a picture as JPEG without any metadata. `quality` from 1 to 100. */
export const encodeJpeg = async (picture: Picture, quality: number): Promise<Uint8Array> => {
  encoder ??= wasm('codec/enc/mozjpeg_enc.wasm').then(wasmBinary => initEncoder({ wasmBinary } as never))
  await encoder
  return new Uint8Array(await encode(rgba(picture) as never, { quality }))
}

/** Decodes a JPEG, turned upright as its orientation says. Throws when it is damaged. */
export const decodeJpeg = async (bytes: Uint8Array): Promise<Bitmap> => {
  provideImageData()
  decoder ??= wasm('codec/dec/mozjpeg_dec.wasm').then(wasmBinary => initDecoder({ wasmBinary } as never))
  await decoder
  const { width, height, data } = await decode(Uint8Array.from(bytes).buffer, { preserveOrientation: true })
  return { width, height, data }
}
