import { EngineError } from '../../errors.ts'
import type { Format } from '../format.ts'
import { type Extract, openText, verifyText } from '../text/text-file.ts'
import { extractRtf } from './read.ts'
import { rereadRtf } from './verify-reader.ts'

/** A byte is a character of the source; what characters it stands for is the business of the file itself. */
const bytes = () => 'iso-8859-1'

const extract: Extract = (source, context, input) => {
  if (!source.text.startsWith('{\\rtf')) throw new EngineError('corrupt_file', 'The RTF has no beginning')
  return extractRtf(source, context, input)
}

/** Rich Text Format of any version and code page, by position. */
export const rtf: Format = {
  id: 'rtf',
  type: 'DOCUMENT',
  mediaType: 'application/rtf',
  extensions: ['rtf'],
  propagates: true,
  keepsText: true,
  matches: head => (Buffer.from(head.subarray(0, 5)).toString('latin1') === '{\\rtf' ? 0.99 : 0),
  open: (input, context) =>
    openText(input, { ...context, options: { ...context.options, encoding: undefined } }, extract, bytes),
  verify: (output, expected, context) =>
    verifyText(
      output,
      expected,
      { ...context, options: { ...context.options, encoding: undefined } },
      rereadRtf,
      bytes,
    ),
}
