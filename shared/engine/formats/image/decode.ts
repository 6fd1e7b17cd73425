import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import type { FormatContext, Input } from '../format.ts'
import type { Bitmap } from './bitmap.ts'
import type { Kind } from './kinds.ts'
import type { Size } from './size.ts'

/** Pixels of the largest picture accepted. */
const maxPixels = 100_000_000

/** A file of pictures, decoded. */
export type Decoded = { pages: Bitmap[]; sizes: Size[]; source: Uint8Array }

/** Decodes a file of pictures within its bounds; throws `corrupt_file`, `unsupported_format` or `limit_exceeded`. */
export const decode = async (kind: Kind, input: Input, context: FormatContext): Promise<Decoded> => {
  const source = await readAll(input, context.limits.bytes)
  context.signal.throwIfAborted()
  try {
    const sizes = kind.sizes(source)
    if (sizes.length === 0) throw new EngineError('corrupt_file', 'The header of the picture cannot be read')
    if (kind.animated?.(source))
      throw new EngineError('unsupported_format', 'Animated pictures with so many frames are not supported')
    if (sizes.length > context.limits.pages) throw new EngineError('limit_exceeded', 'The file has too many pictures')
    const pixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0)
    if (pixels > maxPixels || pixels * 4 > context.limits.inflatedBytes)
      throw new EngineError('limit_exceeded', `The file has more than ${maxPixels} pixels`)
    return { pages: await kind.decode(source), sizes, source }
  } catch (error) {
    if (error instanceof EngineError) throw error
    // Whatever a decoder throws, it is about the bytes, and its message may quote them.
    throw new EngineError('corrupt_file', 'The picture cannot be decoded')
  }
}

/** Lends a reader of pictures. */
export const withOcr = async <T>(context: FormatContext, use: (ocr: OcrReader) => Promise<T>): Promise<T> => {
  const ocr = await startOcr(ocrLanguages(context.options), context.signal)
  try {
    return await use(ocr)
  } finally {
    await ocr.close()
  }
}
