import { EngineError } from '../../errors.ts'
import { smallText } from '../../limits.ts'
import type { Format, FormatContext, Input } from '../format.ts'
import type { Stretch } from './items.ts'

/** Largest line, in characters: each record is held in memory. */
const longestLine = 64 * 1024 * 1024

/** One JSON text a line, streamed. Blank lines and line ends stay as they are. */
export const ndjson: Format = {
  id: 'ndjson',
  type: 'TABLE',
  mediaType: 'application/x-ndjson',
  extensions: ['ndjson', 'jsonl'],
  propagates: false,
  identifiers: smallText,
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
    // Whatever it is called: no line of another JSON text is one by itself, with another behind it.
    return named ? 0.98 : records.length > 1 ? 0.97 : 0
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  names: async (input, context) => (await import('./records.ts')).firstNames(input, context, lines),
  async open(input, context) {
    await checkRangeEnd(input, context)
    return (await import('./records.ts')).openRecords(input, context, lines)
  },
  split: splitLines,
  async verify(output, expected, context) {
    const { verifyRecords } = await import('./records.ts')
    return verifyRecords(output, expected, context, (await import('./verify-records.ts')).rereadLines)
  },
}

const lineFeed = 0x0a
/** Bytes that are looked at for the end of a line at once. */
const windowBytes = 1024 * 1024

/** Where the first line begins that begins at `from` or behind it; the end of the file if none does. */
async function lineStart(input: Input, from: number, signal: AbortSignal): Promise<number> {
  for (let at = from - 1; at < input.size; at += windowBytes) {
    signal.throwIfAborted()
    const found = (await input.read(at, at + windowBytes)).indexOf(lineFeed)
    if (found >= 0) return at + found + 1
  }
  return input.size
}

/**
 * Cuts a file at ends of lines, into ranges of about `size` bytes: JSON holds no line feed but between its tokens, and in
 * UTF-8 the byte is nothing else. Nothing comes back where records have so many names that they can't be handed on.
 */
async function splitLines(input: Input, size: number, context: FormatContext) {
  if (input.size <= size) return undefined
  if (!(await (await import('./records.ts')).hasFewNames(input, context, lines))) return undefined
  const ranges: { start: number; end: number }[] = []
  let start = 0
  while (start + size < input.size) {
    const end = await lineStart(input, start + size, context.signal)
    if (end === input.size) break
    ranges.push({ start, end })
    start = end
  }
  return [...ranges, { start, end: input.size }]
}

/** Throws `corrupt_file` when a range ends elsewhere than behind a line end: it was cut in the wrong place. */
async function checkRangeEnd(input: Input, { range }: FormatContext): Promise<void> {
  if (!range || range.end >= input.size) return
  const [last] = await input.read(range.end - 1, range.end)
  if (last !== lineFeed) throw new EngineError('corrupt_file', 'A chunk of the file does not end at the end of a line')
}

/** The lines of a file with their ends. */
async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<Stretch[]> {
  const stretch = (text: string): Stretch => ({ text, item: !/^\ufeff?[ \t\r\n]*$/.test(text) })
  /** The beginning of a line whose end is still to come. */
  let begun: string[] = []
  let length = 0
  for await (const piece of pieces) {
    const cut: Stretch[] = []
    let at = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', at)) {
      const text = piece.slice(at, end + 1)
      cut.push(stretch(length === 0 ? text : begun.join('') + text))
      if (length > 0) begun = []
      length = 0
      at = end + 1
    }
    if (cut.length > 0) yield cut
    if (at === piece.length) continue
    begun.push(piece.slice(at))
    length += piece.length - at
    if (length > longestLine) throw new EngineError('limit_exceeded', 'A line is too long')
  }
  if (length > 0) yield [stretch(begun.join(''))]
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
