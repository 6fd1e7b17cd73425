import { EngineError } from '../../errors.ts'
import { textDigest } from '../../verify/digest.ts'
import { byteScan } from '../../verify/scan.ts'
import { detectEncoding, type Encoding, encode, looksLikeText, startDecoding } from '../encoding.ts'
import type { Expected, Format, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { applyEdits } from '../text.ts'
import { detectDialect, detectHeader, sampleRecords } from './dialect.ts'
import { cellText, type Dialect, type RawCell, readRecord, writeCell } from './records.ts'

/** What is known of a table before it is read. */
type Table = { encoding: Encoding; dialect: Dialect; header: boolean; columns: string[] }

/** Characters of one batch of cells. */
const batchLength = 64 * 1024
const sampleBytes = 64 * 1024

const optional = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

async function inspect(input: Input, context: FormatContext, preferred: string): Promise<Table> {
  const { options } = context
  const encoding = await detectEncoding(input, context)
  const decoder = startDecoding(encoding)
  const head = await input.read(encoding.bom.length, sampleBytes)
  const complete = input.size <= sampleBytes
  const text = decoder.decode(head) + (complete ? decoder.end() : '')
  const dialect = detectDialect(text, complete, options, preferred)
  const records = sampleRecords(text, dialect, complete)
  const header = optional(options.header) ?? detectHeader(records)
  return { encoding, dialect, header, columns: header ? (records[0] ?? []) : [] }
}

/** A batch of records as they stand in the text, with their cells. */
type Batch = { text: string; records: { cells: RawCell[]; end: number }[]; row: number }

/** The records of an input, in batches whose text begins and ends with a record. */
async function* batches(
  input: Input,
  { encoding, dialect }: Table,
  { signal, range, limits }: FormatContext,
): AsyncGenerator<Batch> {
  const decoder = startDecoding(encoding)
  const begin = Math.max(encoding.bom.length, range?.start ?? 0)
  let waiting = ''
  let row = 1
  const take = (last: boolean): Batch | undefined => {
    const records: Batch['records'] = []
    let at = 0
    while (at < waiting.length && at < batchLength) {
      const record = readRecord(waiting, at, dialect, last)
      if (!record) break
      if (record.cells.length > limits.entries * 10)
        throw new EngineError('limit_exceeded', 'A record has too many cells')
      records.push(record)
      at = record.end
    }
    if (records.length === 0) return undefined
    const batch = { text: waiting.slice(0, at), records, row }
    waiting = waiting.slice(at)
    row += records.length
    return batch
  }
  for await (const bytes of input.stream(begin, range?.end ?? input.size)) {
    signal.throwIfAborted()
    waiting += decoder.decode(bytes)
    while (waiting.length >= batchLength) {
      const batch = take(false)
      if (!batch) break
      yield batch
    }
  }
  waiting += decoder.end()
  for (let batch = take(true); batch; batch = take(true)) yield batch
}

function segmentsOf({ text, records, row }: Batch, { dialect, columns }: Table, header: boolean): Segment[] {
  return records.flatMap(({ cells }, index) =>
    cells.map((cell, column) => ({
      text: cellText(text, cell, dialect),
      place: {
        kind: header && row + index === 1 ? ('header' as const) : ('cell' as const),
        row: row + index,
        column: columns[column] ?? String(column + 1),
      },
      visible: true,
    })),
  )
}

async function open(input: Input, context: FormatContext, preferred: string): Promise<OpenFile> {
  const { limits, range } = context
  if (input.size === 0) throw new EngineError('corrupt_file', 'The file is empty')
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const table = await inspect(input, context, preferred)
  const { encoding, dialect } = table
  // Only the chunk that holds the beginning of the file holds the header.
  const header = table.header && !range?.start
  return {
    choices: {
      encoding: encoding.name,
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      escape: dialect.escapeWith,
      header,
      columns: table.columns,
    },
    async *segments() {
      for await (const batch of batches(input, table, context)) yield segmentsOf(batch, table, header)
    },
    async write(output, edit) {
      if (encoding.bom.length > 0 && !range?.start) await output.write(encoding.bom)
      for await (const batch of batches(input, table, context)) {
        const segments = segmentsOf(batch, table, header)
        const edits = await edit(segments)
        let index = 0
        let at = 0
        let text = ''
        for (const { cells } of batch.records) {
          for (const cell of cells) {
            const changes = edits[index]!
            if (changes.length > 0) {
              const changed = writeCell(applyEdits(segments[index]!.text, changes), cell.quoted, dialect)
              text += batch.text.slice(at, cell.start) + changed
              at = cell.end
            }
            index++
          }
        }
        await output.write(encode(text + batch.text.slice(at), encoding))
      }
      return { dropped: [], rasterised: [], warnings: [] }
    },
    async close() {},
  }
}

async function verify(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const place = { kind: 'cell' } as const
  const encoding = await detectEncoding(output, context)
  const {
    delimiter,
    quote,
    escape: escapeWith,
  } = context.options as { delimiter: string; quote: string; escape: string }
  const table = { encoding, dialect: { delimiter, quote, escapeWith }, header: false, columns: [] }
  const digest = textDigest()
  const scan = byteScan(expected.gone)
  for await (const batch of batches(output, table, { ...context, range: undefined })) {
    for (const { cells } of batch.records) {
      for (const cell of cells) {
        const text = cellText(batch.text, cell, table.dialect)
        digest.add({ text })
      }
    }
    scan.push(Buffer.from(batch.text, 'utf8'))
  }
  if (digest.hex() !== expected.digest)
    return [{ type: 'leak_detected', place, reason: 'The cells are not the expected ones' }]
  const { plain, hidden } = scan.found()
  const left = [...hidden].filter(value => !plain.has(value))
  return left.length === 0
    ? []
    : [{ type: 'leak_detected', place, reason: 'A replaced value stands in an encoded form' }]
}

const named = (name: string, extensions: readonly string[]) =>
  extensions.includes(name.toLowerCase().split('.').at(-1) ?? '')
const documents = ['txt', 'text', 'log', 'md', 'markdown', 'mdown']

/** Whether text without a telling name is surely a table with this delimiter. */
function looksLikeTable(head: Uint8Array, delimiter: string): boolean {
  if (!looksLikeText(head)) return false
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 16 * 1024)).toString('latin1')
  const found = detectDialect(text, head.length <= 16 * 1024, {}, ',')
  return found.sure && found.delimiter === delimiter
}

const shared = {
  type: 'TABLE',
  propagates: false,
  keepsText: false,
  formulas: true,
  verify,
} as const satisfies Partial<Format>

/** Comma-separated values, in whatever dialect. */
export const csv: Format = {
  ...shared,
  id: 'csv',
  mediaType: 'text/csv',
  extensions: ['csv'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...tsv.extensions])) return 0
    return [',', ';', '|'].some(delimiter => looksLikeTable(head, delimiter)) ? 0.2 : 0
  },
  open: (input, context) => open(input, context, ','),
}

/** Tab-separated values. */
export const tsv: Format = {
  ...shared,
  id: 'tsv',
  mediaType: 'text/tab-separated-values',
  extensions: ['tsv', 'tab'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...csv.extensions])) return 0
    return looksLikeTable(head, '\t') ? 0.2 : 0
  },
  open: (input, context) => open(input, context, '\t'),
}
