import { EngineError } from '../../errors.ts'
import { withEmptyBareFiles } from '../container/bare-files.ts'
import { reportFiles, type Tally, withEmptyFiles } from '../container/emptied-files.ts'
import type { FormatContext, Input, OpenFile } from '../format.ts'
import { startReport } from '../report.ts'
import { detectEncoding, encode } from '../text/encoding.ts'
import { modelledSizes, pieces } from './pieces.ts'
import { decoded } from './read.ts'
import { applyEdits } from './write.ts'

export async function openPlain(input: Input, context: FormatContext): Promise<OpenFile> {
  const { limits, signal, options } = context
  if (input.size === 0) throw new EngineError('corrupt_file', 'The file is empty')
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const encoding = await detectEncoding(input, context)
  const keep = options.pictures === 'keep'
  const texts = (tally: Tally) =>
    pieces(
      withEmptyBareFiles(withEmptyFiles(decoded(input, encoding, signal), tally, keep), tally, keep),
      context.modelled ? modelledSizes : undefined,
    )
  return {
    choices: { encoding: encoding.name },
    async *segments() {
      for await (const segment of texts({ files: 0 })) yield [segment]
    },
    async write(output, edit) {
      if (encoding.bom.length > 0) await output.write(encoding.bom)
      const tally: Tally = { files: 0 }
      for await (const segment of texts(tally)) {
        const [edits] = await edit([segment])
        await output.write(encode(applyEdits(segment.text, edits ?? []), encoding))
      }
      return reportFiles(startReport(), tally, keep)
    },
    async close() {},
  }
}
