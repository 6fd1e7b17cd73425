import { readAll } from '../../input.ts'
import type { KnownPictures, PendingIn } from '../../ocr/cache.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { FormatContext, Input } from '../format.ts'
import { loadDocument } from './document.ts'
import { flatten } from './objects/annotations.ts'
import { pictureReader } from './pictures/pictures.ts'
import { openWithin } from './read.ts'
import { doubtfulPages } from './text/doubtful-pages.ts'

/** Reads the pictures of some pages: {@link Format.read}. */
export const readPdf = async (
  input: Input,
  pages: readonly number[],
  where: PendingIn,
  context: FormatContext,
): Promise<KnownPictures> => {
  const read = await readAll(input, context.limits.bytes)
  const reader = await openWithin(read, context)
  const before = new Set(context.readings?.known.keys())
  const known: KnownPictures = new Map(context.readings?.known)
  // An asset is read as it is when its annotations have become part of its pages; an output has none.
  const bytes = where === 'input' ? flatten(reader).bytes : read
  const doubtful = doubtfulPages(await loadDocument(bytes, reader.pages))
  const pictures = pictureReader(reader, doubtful, () => startOcr(ocrLanguages(context.options), context.signal), known)
  try {
    for (const [i, index] of pages.entries()) {
      context.signal.throwIfAborted()
      await pictures.read(index, pages[i + 1])
    }
  } finally {
    await pictures.close()
    reader.close()
  }
  for (const key of before) known.delete(key)
  return known
}
