import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { detectEncoding, type Encoding, startDecoding } from '../text/encoding.ts'
import { detectDialect, detectHeader, sampleRecords } from './dialect.ts'
import { type Dialect, openQuote, readRecord } from './records.ts'
import { createScanner, isScannable, type Scan, type Scanner } from './scan.ts'

/** What is known of a table before it is read. `columns` are the names in the header row, none where there is none. */
export type Table = { encoding: Encoding; dialect: Dialect; header: boolean; columns: string[] }

const sampleBytes = 64 * 1024
/** Bytes that a batch of cells is made of: few enough for its text to be made where V8 keeps what soon goes. */
const scanBytes = 120 * 1024
/** Longest record, bytes: beyond it a quote was surely left open. */
const longestRecord = 64 * 1024 * 1024

const optional = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Finds out encoding, dialect, header row and names of the columns from the first 64 KiB and the options. */
export async function inspectTable(input: Input, context: FormatContext, preferred: string): Promise<Table> {
  const { options } = context
  const encoding = await detectEncoding(input, context)
  const decoder = startDecoding(encoding)
  const head = await input.read(encoding.bom.length, encoding.bom.length + sampleBytes)
  const complete = encoding.bom.length + head.length >= input.size
  const text = decoder.decode(head) + (complete ? decoder.end() : '')
  const dialect = detectDialect(text, complete, options, preferred)
  const records = sampleRecords(text, dialect, complete)
  const header = optional(options.header) ?? detectHeader(records)
  return { encoding, dialect, header, columns: header ? (records[0] ?? []) : [] }
}

/** Where the first record of a table in UTF-8 ends, bytes from the beginning of the file. */
export async function headerEnd(input: Input, { encoding, dialect }: Table): Promise<number> {
  const begin = encoding.bom.length
  for (let window = sampleBytes; ; window *= 4) {
    const bytes = Buffer.from(await input.read(begin, begin + window))
    const text = bytes.toString('latin1')
    const record = readRecord(text, 0, dialect, begin + bytes.length >= input.size)
    if (record) return begin + record.end
  }
}

const lineFeed = 10
const carriageReturn = 13

/** Throws `corrupt_file` when a range ends elsewhere than behind a line end: it was cut in the wrong place. */
export async function checkRangeEnd(input: Input, { encoding }: Table, { range }: FormatContext): Promise<void> {
  if (!range || range.end >= input.size) return
  const width = encoding.name.startsWith('utf-16') ? 2 : 1
  const bytes = await input.read(range.end - width, range.end + width)
  const [low, high] = encoding.name === 'utf-16be' ? [1, 0] : [0, 1]
  const unit = (at: number) => (width === 1 ? bytes[at] : bytes[at * 2 + low]! + 256 * bytes[at * 2 + high]!)
  const [last, next] = [unit(0), unit(1)]
  if (last !== lineFeed && (last !== carriageReturn || next === lineFeed)) {
    throw new EngineError('corrupt_file', 'A chunk of the table does not end where a record ends')
  }
}

/** Whether the cells of a table can be searched as bytes, without being made into segments. */
export const isFast = ({ encoding, dialect }: Table) => /^utf-?8$/.test(encoding.name) && isScannable(dialect)

/**
 * Complete records of a table, or `fence` for bytes that hold a fence: those, and all behind them, are left to the
 * caller. Valid until the next part is asked for.
 */
type ScannedPart = { bytes: Uint8Array; scan: Scan | 'fence'; start: number }

/** The records of a table in parts of about 120 KiB, with the offset in the file where each part begins. */
export async function* scanTable(input: Input, table: Table, context: FormatContext): AsyncGenerator<ScannedPart> {
  const scanner = createScanner(table.dialect)
  try {
    yield* scanParts(input, table, context, scanner.scan)
  } finally {
    scanner.release()
  }
}

async function* scanParts(
  input: Input,
  { encoding }: Table,
  { signal, range }: FormatContext,
  scanner: Scanner,
): AsyncGenerator<ScannedPart> {
  let start = Math.max(encoding.bom.length, range?.start ?? 0)
  /** What was read and is not yet part of a complete record: from `done` to `length` in `waiting`. */
  let waiting = new Uint8Array(scanBytes * 4)
  let done = 0
  let length = 0
  let enough = scanBytes
  for await (const piece of input.stream(start, range?.end ?? input.size)) {
    signal.throwIfAborted()
    waiting.copyWithin(0, done, length)
    length -= done
    done = 0
    if (length + piece.length > waiting.length) {
      const more = new Uint8Array((length + piece.length) * 2)
      more.set(waiting.subarray(0, length))
      waiting = more
    }
    waiting.set(piece, length)
    length += piece.length
    while (length - done >= enough) {
      const bytes = waiting.subarray(done, done + enough)
      const scan = scanner(bytes, false)
      if (scan !== 'fence' && scan.consumed === 0) {
        if (enough > longestRecord) throw new EngineError('limit_exceeded', 'A record of the table is too long')
        // Twice as much each time, so that a long record isn't read again and again.
        enough *= 2
        continue
      }
      enough = scanBytes
      yield { bytes, scan, start }
      if (scan === 'fence') return
      start += scan.consumed
      done += scan.consumed
    }
  }
  if (done === length) return
  const bytes = waiting.subarray(done, length)
  const scan = scanner(bytes, true)
  if (scan !== 'fence' && scan.consumed < bytes.length) throw openQuote()
  yield { bytes, scan, start }
}
