import { EngineError } from '../../errors.ts'
import { reportFiles, type Tally, withEmptyFiles } from '../container/emptied-files.ts'
import type { Format, FormatContext, Input, OpenFile } from '../format.ts'
import { startReport } from '../report.ts'
import { detectEncoding, encode, looksLikeText } from '../text/encoding.ts'
import { pieces } from './pieces.ts'
import { decoded } from './read.ts'
import { verifyPlain } from './verify.ts'
import { applyEdits } from './write.ts'

async function open(input: Input, context: FormatContext): Promise<OpenFile> {
  const { limits, signal, options } = context
  if (input.size === 0) throw new EngineError('corrupt_file', 'The file is empty')
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const encoding = await detectEncoding(input, context)
  const keep = options.pictures === 'keep'
  const texts = (tally: Tally) => withEmptyFiles(decoded(input, encoding, signal), tally, keep)
  return {
    choices: { encoding: encoding.name },
    async *segments() {
      for await (const segment of pieces(texts({ files: 0 }))) yield [segment]
    },
    async write(output, edit) {
      if (encoding.bom.length > 0) await output.write(encoding.bom)
      const tally: Tally = { files: 0 }
      for await (const segment of pieces(texts(tally))) {
        const [edits] = await edit([segment])
        await output.write(encode(applyEdits(segment.text, edits ?? []), encoding))
      }
      return reportFiles(startReport(), tally, keep)
    },
    async close() {},
  }
}

/** Plain text of any length. */
export const plain: Format = {
  id: 'txt',
  type: 'DOCUMENT',
  mediaType: 'text/plain',
  extensions: ['txt', 'text', 'log'],
  propagates: false,
  keepsText: false,
  matches(head, name) {
    if (!looksLikeText(head)) return 0
    return this.extensions.includes(name.toLowerCase().split('.').at(-1) ?? '') ? 0.4 : 0.1
  },
  open,
  verify: verifyPlain,
}
