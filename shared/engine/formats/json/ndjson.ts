import { EngineError } from '../../errors.ts'
import type { Format } from '../format.ts'
import type { Stretch } from './items.ts'
import { namesOf, namesWithin, openRecords, verifyRecords } from './records.ts'

/** Largest line, in characters: each record is held in memory. */
const longestLine = 64 * 1024 * 1024

/** One JSON text a line, streamed. Blank lines and line ends stay as they are. */
export const ndjson: Format = {
  id: 'ndjson',
  type: 'TABLE',
  mediaType: 'application/x-ndjson',
  extensions: ['ndjson', 'jsonl'],
  propagates: false,
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
  names: (input, context) => namesOf(input, context, lines, namesWithin),
  open: async (input, context) => openRecords(input, context, lines),
  verify: (output, expected, context) => verifyRecords(output, expected, context, lines),
}

/** The lines of a file with their ends. */
async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<Stretch> {
  const stretch = (text: string): Stretch => ({ text, item: !/^\ufeff?[ \t\r\n]*$/.test(text) })
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      yield stretch(text.slice(at, end + 1))
      at = end + 1
    }
    rest = text.slice(at)
    if (rest.length > longestLine) throw new EngineError('limit_exceeded', 'A line is too long')
  }
  if (rest !== '') yield stretch(rest)
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
