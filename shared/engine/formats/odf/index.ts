import type { Format } from '../format.ts'

/**
 * How sure it is that the first entry, which is never packed, says that the file is of a type. Where a program wrote another
 * entry first or packed that one, the extension decides.
 */
export function matches(head: Uint8Array, type: string, name: string, { extensions }: Format): number {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1')
  if (!start.startsWith('PK\u0003\u0004')) return 0
  const said = /mimetype[\s\S]{0,40}?application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(start)?.[1]
  if (said !== undefined) return said === type ? 0.97 : 0
  return extensions.includes(name.toLowerCase().split('.').at(-1) ?? '') ? 0.8 : 0
}

const shared = {
  propagates: true,
  keepsText: true,
  // Loaded when a file is opened: telling formats apart needs none of it.
  open: async (input, context) => (await import('./read.ts')).openDocument(input, context),
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
  matches: (head, name) => matches(head, 'text', name, odt),
}

/** OpenDocument presentations. */
export const odp: Format = {
  ...shared,
  id: 'odp',
  type: 'DOCUMENT',
  mediaType: `${media}.presentation`,
  extensions: ['odp', 'otp'],
  matches: (head, name) => matches(head, 'presentation', name, odp),
}
