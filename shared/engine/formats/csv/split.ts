import type { FormatContext, Input } from '../format.ts'
import { encode } from '../text/encoding.ts'
import { sampleRecords } from './dialect.ts'
import { inspectTable, scanTable } from './read.ts'
import type { Dialect } from './records.ts'
import { isScannable } from './scan.ts'
import { batches } from './segments.ts'

const lineFeed = 10
const carriageReturn = 13

/** Bytes that are looked at for the beginning of a record, at first and at most. */
const firstWindow = 64 * 1024
const lastWindow = 4 * 1024 * 1024
/** Records that must follow with the right number of cells. */
const enough = 8

/** Encodings in which delimiters, quotes and line ends are single bytes that are nothing else. */
const isByteSafe = (name: string) =>
  /^(utf-?8|ascii|iso-?8859-?\d+|windows-?(?:125\d|874)|latin1|cp(?:125|85)\d|ibm866|koi8-[ru])$/.test(name)

/**
 * Follows records from the middle of one, either outside or inside of quotes. Gives where the complete ones begin, from
 * the first on behind which all have the right number of cells.
 */
function follow(bytes: Uint8Array, { delimiter, quote }: Dialect, columns: number, inside: boolean): number[] {
  const stop = delimiter.charCodeAt(0)
  const mark = quote === '' ? -1 : quote.charCodeAt(0)
  let starts: number[] = []
  let start = -1
  let cells = 1
  let quoted = inside
  let fresh = false
  let begin = 1
  // Between two quotes it would be neither outside nor inside.
  while (begin < bytes.length && (bytes[begin - 1] === mark || bytes[begin] === mark)) begin++
  for (let at = begin; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (quoted) {
      if (byte !== mark) continue
      if (bytes[at + 1] === mark) at++
      else quoted = false
      continue
    }
    if (byte === mark && fresh) {
      quoted = true
      fresh = false
    } else if (byte === stop) {
      cells++
      fresh = true
    } else if (byte === lineFeed || byte === carriageReturn) {
      // The second half of a line end may lie behind the window.
      if (at + 1 >= bytes.length) break
      if (byte === carriageReturn && bytes[at + 1] === lineFeed) at++
      if (start >= 0 && cells === columns) starts.push(start)
      else starts = []
      start = at + 1
      cells = 1
      fresh = true
    } else fresh = false
  }
  return starts
}

/** The beginning of the first record that surely begins behind `from`, or nothing when none is found. */
async function recordStart(
  input: Input,
  from: number,
  dialect: Dialect,
  columns: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let window = firstWindow; window <= lastWindow; window *= 4) {
    signal.throwIfAborted()
    const bytes = await input.read(from, from + window)
    const outside = follow(bytes, dialect, columns, false)
    const inside = follow(bytes, dialect, columns, true)
    const [some, other] = outside.length >= inside.length ? [outside, inside] : [inside, outside]
    // A wrong beginning comes right at the next quotes, and then both see the same records.
    const agreed = other.length === 0 ? some : some.filter(start => other.includes(start))
    if (agreed.length >= enough) return from + agreed[0]!
    if (bytes.length < window) return undefined
  }
  return undefined
}

/**
 * Cuts a table into byte ranges of about `size` bytes that each begin with a record, looking at a window at each cut
 * only: of the two ways to read on from there, outside and inside of quotes, one must give whole records and the other
 * the same or none. A wrong guess can't pass: whoever writes a range fails unless its last record ends where the range ends,
 * so that if the first range begins rightly, all do. Nothing comes back for tables that can't be cut so.
 */
export async function splitTable(
  input: Input,
  size: number,
  context: FormatContext,
  preferred: string,
): Promise<{ start: number; end: number }[] | undefined> {
  const { encoding, dialect } = await inspectTable(input, context, preferred)
  if (!isScannable(dialect) || !isByteSafe(encoding.name)) return undefined
  const head = Buffer.from(await input.read(encoding.bom.length, firstWindow)).toString('latin1')
  const records = sampleRecords(head, dialect, head.length + encoding.bom.length >= input.size)
  const columns = records[0]?.length ?? 0
  if (columns < 2 || records.some(({ length }) => length !== columns)) return undefined
  const ranges: { start: number; end: number }[] = []
  let start = 0
  while (start + size < input.size) {
    const end = await recordStart(input, start + size, dialect, columns, context.signal)
    if (end === undefined || end >= input.size) break
    ranges.push({ start, end })
    start = end
  }
  return [...ranges, { start, end: input.size }]
}

/** Where records begin, found by reading all of them: what is left where a window does not tell. */
export async function* tableBorders(
  input: Input,
  start: number,
  context: FormatContext,
  preferred: string,
): AsyncGenerator<number> {
  const table = await inspectTable(input, context, preferred)
  let at = Math.max(start, table.encoding.bom.length)
  const rest = () => ({ ...context, range: { start: at, end: input.size } })
  if (isScannable(table.dialect) && isByteSafe(table.encoding.name)) {
    for await (const part of scanTable(input, table, rest())) {
      if (part.scan === 'fence') break
      at = part.start + part.scan.consumed
      yield at
    }
  }
  if (at >= input.size) return
  for await (const { text } of batches(input, table, rest())) {
    at += encode(text, table.encoding).length
    yield at
  }
}
