import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'

type Decoder = { write(bytes: Buffer): string; end(): string | undefined }

/** The platform's decoder for Unicode, which refuses what is malformed, and that of iconv-lite for all else. */
function decoderOf(encoding: string): Decoder {
  if (!/^utf-?(?:8|16le|16be)$/.test(encoding)) return iconv.getDecoder(encoding)
  const decoder = new TextDecoder(encoding.replace(/^utf(?=\d)/, 'utf-'), { fatal: true })
  return { write: bytes => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/** The text of an output piece by piece, decoded in the encoding that it was written in, without a byte order mark. */
export async function* decodedAgain(output: Input, { options, signal }: FormatContext): AsyncGenerator<string> {
  const decoder = decoderOf(typeof options.encoding === 'string' ? options.encoding.toLowerCase() : 'utf-8')
  try {
    for await (const bytes of output.stream()) {
      signal.throwIfAborted()
      yield decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    }
    yield decoder.end() ?? ''
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new EngineError('corrupt_file', 'The output is not in the encoding that it was written in')
  }
}
