import { smallText } from '../../limits.ts'
import type { Format } from '../format.ts'
import { looksLikeText } from '../text/first-bytes.ts'

/** Plain text of any length. */
export const plain: Format = {
  id: 'txt',
  type: 'DOCUMENT',
  mediaType: 'text/plain',
  extensions: ['txt', 'text', 'log'],
  propagates: false,
  identifiers: smallText,
  keepsText: false,
  matches(head, name) {
    if (!looksLikeText(head)) return 0
    return this.extensions.includes(name.toLowerCase().split('.').at(-1) ?? '') ? 0.4 : 0.1
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  open: async (input, context) => (await import('./open.ts')).openPlain(input, context),
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyPlain(output, expected, context),
}
