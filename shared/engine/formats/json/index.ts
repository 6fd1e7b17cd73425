import type { InlineImage } from '../container/inline-images.ts'
import type { Format } from '../format.ts'
import { type Extract, openText } from '../text/text-file.ts'
import { verifyText } from '../text/verify-text.ts'
import { jsonTextNodes } from './read.ts'
import { looksLikeJson } from './sniff.ts'
import { rereadJson } from './verify.ts'

/** Bytes that are looked at to tell what a file is. */
const SNIFFED = 4096

const extract: Extract = (source, context) => {
  const embedded: InlineImage[] = []
  const nodes = jsonTextNodes(source.text, source.unicode, context.limits.depth, undefined, embedded)
  return { nodes, embedded }
}

/** JSON (RFC 8259): keys, strings and numbers by position; escapes, duplicate keys and long numbers kept as written. */
export const json: Format = {
  id: 'json',
  type: 'DOCUMENT',
  mediaType: 'application/json',
  extensions: ['json', 'geojson', 'jsonld', 'ipynb'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFFED))
    const start = text.toString(text[1] === 0 || text[0] === 0xff ? 'utf16le' : 'utf8').trimStart()
    const named = /\.(json|geojson|jsonld|ipynb)$/i.test(name)
    if (looksLikeJson(start, head.byteLength <= SNIFFED)) return named ? 0.95 : 0.6
    return named ? 0.7 : 0
  },
  open: (input, context) => openText(input, context, extract),
  verify: (output, expected, context) => verifyText(output, expected, context, rereadJson),
}
