import { EngineError } from '../../errors.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Expected, Format, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { findValues } from '../leaks.ts'
import { type Draft, patchesOf, splice } from '../patch.ts'
import { jsonDrafts } from './extract.ts'

/** Largest line, in characters: each record is held in memory. */
const longestLine = 64 * 1024 * 1024

/** Characters of records that are handed out at once. */
const batchCharacters = 65_536

/** One JSON text a line, streamed: any size, one batch in memory. Blank lines and line ends stay as they are. */
export const ndjson: Format = {
  id: 'ndjson',
  type: 'TABLE',
  mediaType: 'application/x-ndjson',
  extensions: ['ndjson', 'jsonl'],
  propagates: true,
  keepsText: false,
  matches(head, name) {
    const lines = Buffer.from(head)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
    const named = /\.(ndjson|jsonl)$/i.test(name)
    if (head.length >= 65_536) lines.pop()
    const records = lines.filter(line => line.trim() !== '').slice(0, 3)
    if (records.length === 0 || !records.every(isRecord)) return named ? 0.7 : 0
    return named ? 0.98 : records.length > 1 ? 0.9 : 0
  },
  async open(input, context): Promise<OpenFile> {
    if (input.size > context.limits.bytes) throw new EngineError('limit_exceeded', 'The file is too large')
    return {
      async *segments() {
        for await (const batch of records(input, context)) yield batch.flatMap(segmentsOf)
      },
      async write(output, edit) {
        for await (const batch of records(input, context)) {
          const edits = await edit(batch.flatMap(segmentsOf))
          let next = 0
          const lines = batch.map(({ text, drafts }) => {
            const patches = drafts.flatMap(draft => patchesOf(draft, edits[next++] ?? []))
            return splice(text, patches)
          })
          await output.write(Buffer.from(lines.join('')))
        }
        return { dropped: [], rasterised: [], warnings: [] }
      },
      async close() {},
    }
  },
  verify,
}

async function verify(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const digest = textDigest()
  const leaks: Leak[] = []
  for await (const batch of records(output, context)) {
    const segments = batch.flatMap(segmentsOf)
    for (const segment of segments) if (segment.visible) digest.add(segment)
    if (leaks.length === 0) {
      const bytes = batch.map(record => Buffer.from(record.text))
      leaks.push(...findValues(expected.gone, segments, bytes, []))
    }
  }
  if (digest.hex() !== expected.digest) {
    const reason = 'The text of the output is not the expected one'
    leaks.push({ type: 'leak_detected', place: { kind: 'body' }, reason })
  }
  return leaks
}

type JsonRecord = { text: string; drafts: Draft[] }

const segmentsOf = (record: JsonRecord): Segment[] => record.drafts.map(draft => draft.segment)

async function* records(input: Input, { limits, signal }: FormatContext): AsyncGenerator<JsonRecord[]> {
  let row = 0
  let batch: JsonRecord[] = []
  let size = 0
  for await (const text of lines(input)) {
    signal.throwIfAborted()
    const blank = /^\ufeff?[ \t\r\n]*$/.test(text)
    batch.push({ text, drafts: blank ? [] : jsonDrafts(text, true, limits.depth, ++row) })
    size += text.length
    if (size < batchCharacters) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** The lines of a UTF-8 file with their ends. */
async function* lines(input: Input): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  const decode = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch {
      throw new EngineError('corrupt_file', 'The file is not valid UTF-8')
    }
  }
  for await (const piece of input.stream()) {
    const text = rest + decode(piece)
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      yield text.slice(at, end + 1)
      at = end + 1
    }
    rest = text.slice(at)
    if (rest.length > longestLine) throw new EngineError('limit_exceeded', 'A line is too long')
  }
  rest += decode()
  if (rest !== '') yield rest
}

function isRecord(line: string): boolean {
  if (!/^\s*[[{]/.test(line)) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
