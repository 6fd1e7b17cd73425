import { readAll } from '../../input.ts'
import type { Format, FormatContext } from '../format.ts'
import { loadDocument } from './document.ts'
import { openReader } from './page-reader.ts'
import { doubtfulPages } from './text/doubtful-pages.ts'
import { openSecond, secondText } from './text/second-reader.ts'
import { verifyBytes, verifyPages, verifySpoken } from './verify/checks.ts'

/** Reads an output with both readers and as pictures, and searches its bytes; see `Format.verify`. */
export const checkPdf: Format['verify'] = async (output, expected, context) => {
  const bytes = await readAll(output, context.limits.bytes)
  const reader = await openReader(bytes)
  try {
    const wanted = expected.gone.length > 0
    const second = wanted ? await secondTexts(bytes, context) : []
    const document = wanted ? await loadDocument(bytes, reader.pages) : undefined
    const doubtful = document ? doubtfulPages(document) : new Set<number>()
    return [
      ...(await verifyPages(reader, expected, second, doubtful, context)),
      ...(document ? verifySpoken(document, expected) : []),
      ...verifyBytes(bytes, expected, context.limits.inflatedBytes),
    ]
  } finally {
    reader.close()
  }
}

/** The text of each page as the second reader puts it. */
const secondTexts = async (bytes: Uint8Array, { signal }: FormatContext): Promise<string[]> => {
  const reader = await openSecond(bytes)
  try {
    const texts: string[] = []
    for (let page = 0; page < reader.pages; page++) {
      signal.throwIfAborted()
      texts.push(secondText(await reader.read(page)))
    }
    return texts
  } finally {
    await reader.close()
  }
}
