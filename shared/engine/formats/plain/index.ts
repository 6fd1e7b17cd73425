import { EngineError } from '../../errors.ts'
import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Edit, Expected, Format, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { detectEncoding, type Encoding, encode, looksLikeText, startDecoding } from '../text/encoding.ts'
import { decodedAgain } from '../text/verify-decoder.ts'

/** Characters of a piece, and of what is shown of its neighbours. */
type Sizes = { piece: number; before: number; after: number }
const usualSizes: Sizes = { piece: 64 * 1024, before: 1024, after: 8 * 1024 }

const place = { kind: 'body' } as const

/** The decoded text of an input in pieces as they come; nothing of it is held. */
async function* decoded(input: Input, encoding: Encoding, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = startDecoding(encoding)
  for await (const bytes of input.stream(encoding.bom.length)) {
    signal.throwIfAborted()
    yield decoder.decode(bytes)
  }
  yield decoder.end()
}

/** Where to end a piece: behind a line or a word where one ends near, never inside of a character. */
function cut(text: string, { piece: pieceLength }: Sizes): number {
  const line = text.lastIndexOf('\n', pieceLength - 1)
  if (line >= pieceLength / 2) return line + 1
  const space = text.lastIndexOf(' ', pieceLength - 1)
  if (space >= pieceLength / 2) return space + 1
  const code = text.charCodeAt(pieceLength - 1)
  return code >= 0xd800 && code < 0xdc00 ? pieceLength - 1 : pieceLength
}

/** Cuts a text that comes in parts of any size into segments that continue each other. */
export async function* pieces(parts: AsyncIterable<string>, sizes = usualSizes): AsyncGenerator<Segment> {
  let waiting = ''
  let before: string | undefined
  for await (const part of parts) {
    waiting += part
    while (waiting.length >= sizes.piece + sizes.after) {
      const end = cut(waiting, sizes)
      const text = waiting.slice(0, end)
      yield { text, place, visible: true, before, after: waiting.slice(end, end + sizes.after) }
      before = text.slice(-sizes.before)
      waiting = waiting.slice(end)
    }
  }
  // The rest may be longer than a piece, but not by more than the look ahead.
  if (waiting !== '') yield { text: waiting, place, visible: true, before }
}

/** The text with its edits made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

async function open(input: Input, context: FormatContext): Promise<OpenFile> {
  const { limits, signal } = context
  if (input.size === 0) throw new EngineError('corrupt_file', 'The file is empty')
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const encoding = await detectEncoding(input, context)
  return {
    choices: { encoding: encoding.name },
    async *segments() {
      for await (const segment of pieces(decoded(input, encoding, signal))) yield [segment]
    },
    async write(output, edit) {
      if (encoding.bom.length > 0) await output.write(encoding.bom)
      for await (const segment of pieces(decoded(input, encoding, signal))) {
        const [edits] = await edit([segment])
        await output.write(encode(applyEdits(segment.text, edits ?? []), encoding))
      }
      return { dropped: [], rasterised: [], warnings: [] }
    },
    async close() {},
  }
}

/** Reads the output by another decoder than the writer's: its text must be the expected one, and hide no value. */
async function verify(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const digest = textDigest()
  const scan = byteScan(expected.gone)
  digest.add({ text: '' })
  for await (const text of decodedAgain(output, context)) {
    digest.add({ text, before: '' })
    scan.push(Buffer.from(text, 'utf8'))
  }
  if (digest.hex() !== expected.digest)
    return [{ type: 'leak_detected', place, reason: 'The text is not the expected one' }]
  // The text is the expected one, so what stands in it as it is was left there by decision.
  const { plain, hidden } = scan.found()
  const left = [...hidden].filter(value => !plain.has(value))
  return left.length === 0
    ? []
    : [{ type: 'leak_detected', place, reason: 'A replaced value stands in an encoded form' }]
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
  verify,
}
