import type { Format } from '../format.ts'
import { looksLikeJson } from './sniff.ts'

/** Bytes that are looked at to tell what a file is. */
const SNIFFED = 4096

/** JSON (RFC 8259), and as editors have it with comments and a comma behind the last item: keys, strings and numbers by position; escapes, duplicate keys and long numbers kept as written. */
export const json: Format = {
  id: 'json',
  type: 'DOCUMENT',
  mediaType: 'application/json',
  extensions: ['json', 'geojson', 'jsonld', 'ipynb', 'jsonc'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFFED))
    const start = text.toString(text[1] === 0 || text[0] === 0xff ? 'utf16le' : 'utf8').trimStart()
    const named = /\.(json|geojson|jsonld|ipynb|jsonc)$/i.test(name)
    if (looksLikeJson(start, head.byteLength <= SNIFFED)) return named ? 0.95 : 0.6
    return named ? 0.7 : 0
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  async open(input, context) {
    const { openText } = await import('../text/text-file.ts')
    return openText(input, context, (await import('./extract.ts')).extractJson)
  },
  async verify(output, expected, context) {
    const { verifyText } = await import('../text/verify-text.ts')
    return verifyText(output, expected, context, (await import('./verify.ts')).rereadJson)
  },
}
