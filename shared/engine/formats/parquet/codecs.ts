import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { CompressionCodec, Compressors } from 'hyparquet'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'
import { unpackHadoopLz4, unpackLz4 } from './lz4.ts'

/** How pages are unpacked; Snappy is the reader's own. None gives more than the page's header says. */
export const decompressors: Compressors = {
  GZIP: (bytes, length) => gunzipSync(bytes, { maxOutputLength: length + 1 }),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, { maxOutputLength: length + 1 }),
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, { maxOutputLength: length + 1 }),
  LZ4: unpackHadoopLz4,
  LZ4_RAW: unpackLz4,
}

const compressors: { [codec in CompressionCodec]?: (bytes: Uint8Array) => Uint8Array } = {
  UNCOMPRESSED: bytes => bytes,
  SNAPPY: snappyCompress,
  GZIP: bytes => gzipSync(bytes),
  BROTLI: bytes => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ZSTD: bytes => zstdCompressSync(bytes),
}

/** The codec that a column is written with: its own, or Snappy for the kinds of LZ4, which are only read. */
export const writtenCodec = (codec: CompressionCodec): CompressionCodec => (codec in compressors ? codec : 'SNAPPY')

/** Packs a page with a codec of {@link writtenCodec}. */
export const compress = (bytes: Uint8Array, codec: CompressionCodec): Uint8Array => compressors[codec]!(bytes)
