import type { Format, FormatContext } from '../format.ts'

/** A byte is a character of the source; what characters it stands for is the business of the file itself. */
const bytes = () => 'binary'

const inBytes = (context: FormatContext) => ({ ...context, options: { ...context.options, encoding: undefined } })

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
  async open(input, context) {
    const { openText } = await import('../text/text-file.ts')
    return openText(input, inBytes(context), (await import('./read.ts')).extractRtf, bytes)
  },
  async verify(output, expected, context) {
    const { verifyText } = await import('../text/verify-text.ts')
    return verifyText(output, expected, inBytes(context), (await import('./verify.ts')).rereadRtf, bytes)
  },
}
