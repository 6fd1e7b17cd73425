import { PDFArray, PDFName, type PDFPage, PDFRawStream } from '@cantoo/pdf-lib'
import { EngineError } from '../../errors.ts'
import { decode, resolve } from './objects.ts'

/** The content of a page as one stream; the parts of a page's content may be cut anywhere between two tokens. */
export const contentOf = (page: PDFPage): Uint8Array => {
  const { context } = page.node
  const contents = resolve(context, page.node.get(PDFName.of('Contents')))
  const streams = contents instanceof PDFArray ? contents.asArray().map(item => resolve(context, item)) : [contents]
  const parts: Uint8Array[] = []
  for (const stream of streams) {
    if (!(stream instanceof PDFRawStream)) continue
    const bytes = decode(stream)
    if (!bytes) throw new EngineError('corrupt_file', 'The content of a page cannot be decoded')
    parts.push(bytes, Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}
