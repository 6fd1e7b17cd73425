import type { Format } from '../format.ts'
import { openDocument } from './read.ts'

/** How sure it is that the first entry, which is never packed, says that the file is of a type. */
export function matches(head: Uint8Array, type: string): number {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1')
  if (!start.startsWith('PK\u0003\u0004')) return 0
  return new RegExp(`mimetype[\\s\\S]{0,40}?application/vnd\\.oasis\\.opendocument\\.${type}`).test(start) ? 0.97 : 0
}

const shared = {
  propagates: true,
  keepsText: true,
  open: openDocument,
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyOdf(output, expected, context),
} as const satisfies Partial<Format>

/** What the media types of OpenDocument begin with. */
export const media = 'application/vnd.oasis.opendocument'

/** OpenDocument texts. */
export const odt: Format = {
  ...shared,
  id: 'odt',
  type: 'DOCUMENT',
  mediaType: `${media}.text`,
  extensions: ['odt', 'ott'],
  matches: head => matches(head, 'text'),
}

/** OpenDocument presentations. */
export const odp: Format = {
  ...shared,
  id: 'odp',
  type: 'DOCUMENT',
  mediaType: `${media}.presentation`,
  extensions: ['odp', 'otp'],
  matches: head => matches(head, 'presentation'),
}
