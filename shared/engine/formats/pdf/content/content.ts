import { PDFArray, type PDFDict, PDFName, type PDFPage, PDFRawStream } from '@cantoo/pdf-lib'
import { EngineError } from '../../../errors.ts'
import { decode, dictAt, resolve } from '../objects/objects.ts'

/** The resources of a page, its own or those that it inherits; the library fails on parents that don't say what they are. */
export const resourcesOf = ({ node }: PDFPage): PDFDict | undefined => {
  for (let at: PDFDict | undefined = node, up = 0; at && up < 64; at = dictAt(at, 'Parent'), up++) {
    const own = dictAt(at, 'Resources')
    if (own) return own
  }
  return undefined
}

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
