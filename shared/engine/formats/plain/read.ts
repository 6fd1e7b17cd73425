import type { Input } from '../format.ts'
import { type Encoding, startDecoding } from '../text/encoding.ts'

/** The decoded text of an input in pieces as they come; nothing of it is held. */
export async function* decoded(input: Input, encoding: Encoding, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = startDecoding(encoding)
  for await (const bytes of input.stream(encoding.bom.length)) {
    signal.throwIfAborted()
    yield decoder.decode(bytes)
  }
  yield decoder.end()
}
