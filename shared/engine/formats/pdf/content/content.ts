import { PDFArray, type PDFDict, type PDFObject, type PDFPage, PDFRawStream } from '@cantoo/pdf-lib'
import { EngineError } from '../../../errors.ts'
import { decode, dictAt, resolve, value } from '../objects/objects.ts'

/** The resources of a page, its own or those that it inherits; the library fails on parents that don't say what they are. */
export const resourcesOf = ({ node }: PDFPage): PDFDict | undefined => {
  for (let at: PDFDict | undefined = node, up = 0; at && up < 64; at = dictAt(at, 'Parent'), up++) {
    const own = dictAt(at, 'Resources')
    if (own) return own
  }
  return undefined
}

/** The streams that hold a page's content. */
export const streamsOf = ({ node }: PDFPage): (PDFObject | undefined)[] => {
  const contents = value(node, 'Contents')
  return contents instanceof PDFArray ? contents.asArray().map(item => resolve(node.context, item)) : [contents]
}

const blank = Buffer.from(' ')

/** The parts of a page's content as the first reader joins them; they may be cut anywhere between two tokens. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts.flatMap(part => [part, blank]))

/** The content of a page as one stream. */
export const contentOf = (page: PDFPage): Uint8Array => {
  const parts: Uint8Array[] = []
  for (const stream of streamsOf(page)) {
    if (!(stream instanceof PDFRawStream)) continue
    const bytes = decode(stream)
    if (!bytes) throw new EngineError('corrupt_file', 'The content of a page cannot be decoded')
    parts.push(bytes)
  }
  return joined(parts)
}
