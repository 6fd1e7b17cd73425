import type { Format } from '../format.ts'
import { openText } from '../text/text-file.ts'
import { verifyText } from '../text/verify-text.ts'

/** A byte is a character of the source; what characters it stands for is the business of the file itself. */
const bytes = () => 'iso-8859-1'

/** Rich Text Format of any version and code page, by position. */
export const rtf: Format = {
  id: 'rtf',
  type: 'DOCUMENT',
  mediaType: 'application/rtf',
  extensions: ['rtf'],
  propagates: true,
  keepsText: true,
  matches: head => (Buffer.from(head.subarray(0, 5)).toString('latin1') === '{\\rtf' ? 0.99 : 0),
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  open: async (input, context) =>
    openText(
      input,
      { ...context, options: { ...context.options, encoding: undefined } },
      (await import('./read.ts')).extractRtf,
      bytes,
    ),
  verify: async (output, expected, context) =>
    verifyText(
      output,
      expected,
      { ...context, options: { ...context.options, encoding: undefined } },
      (await import('./verify.ts')).rereadRtf,
      bytes,
    ),
}
