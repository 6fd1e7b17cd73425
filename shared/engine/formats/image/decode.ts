import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import type { FormatContext, Input } from '../format.ts'
import { type Bitmap, release } from './bitmap.ts'
import type { Kind } from './kinds.ts'
import type { Size } from './size.ts'

/** Pixels of the largest picture in grey and in colour: what is decoded of one stays below 280 MB. */
const maxPixels = { grey: 100_000_000, colour: 70_000_000 }

/** A file of pictures, which are decoded when they are looked at. */
export type Pictures = {
  sizes: Size[]
  source: Uint8Array
  /** The pictures one after the other; the memory of each is given back when the next is asked for. */
  pages(): AsyncGenerator<Bitmap>
}

/** Bytes of a picture when it is decoded. */
export const bytesOf = ({ width, height, grey }: Size): number => width * height * (grey ? 1 : 4)

const checkSizes = (sizes: readonly Size[], { limits }: FormatContext): void => {
  if (sizes.length === 0) throw new EngineError('corrupt_file', 'The header of the picture cannot be read')
  if (sizes.length > limits.pages) throw new EngineError('limit_exceeded', 'The file has too many pictures')
  for (const { width, height, grey } of sizes) {
    const most = grey ? maxPixels.grey : maxPixels.colour
    if (width * height > most) throw new EngineError('limit_exceeded', `A picture has more than ${most} pixels`)
  }
  if (sizes.reduce((sum, size) => sum + bytesOf(size), 0) > limits.inflatedBytes)
    throw new EngineError('limit_exceeded', 'The pictures of the file are too large')
}

/** Whatever a decoder throws, it is about the bytes, and its message may quote them. */
const named = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('corrupt_file', 'The picture cannot be decoded')

/** Looks at a file of pictures within its bounds; throws `corrupt_file`, `unsupported_format` or `limit_exceeded`, as its pages do. */
export const openPictures = async (kind: Kind, input: Input, context: FormatContext): Promise<Pictures> => {
  const source = await readAll(input, context.limits.bytes)
  context.signal.throwIfAborted()
  const sizes = (() => {
    try {
      return kind.sizes(source)
    } catch (error) {
      throw named(error)
    }
  })()
  checkSizes(sizes, context)
  if (kind.animated?.(source))
    throw new EngineError('unsupported_format', 'Animated pictures with so many frames are not supported')
  return {
    sizes,
    source,
    async *pages() {
      const pages = kind.decode(source)[Symbol.asyncIterator]()
      for (;;) {
        context.signal.throwIfAborted()
        const next = await pages.next().catch((error: unknown) => {
          throw named(error)
        })
        if (next.done) return
        try {
          yield next.value
        } finally {
          release(next.value)
        }
      }
    },
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
