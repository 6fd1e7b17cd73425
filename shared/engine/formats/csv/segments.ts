import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import type { Edit, Editor, FormatContext, Input, Output, Segment } from '../format.ts'
import { applyEdits } from '../plain/write.ts'
import { encode, startDecoding } from '../text/encoding.ts'
import type { Table } from './read.ts'
import { cellText, type RawCell, readRecord, writeCell } from './records.ts'
import { runsAsFormula } from './sanitise.ts'

/** Characters of one batch of cells, and how many more come at most before a record that wasn't complete is read anew. */
const batchLength = 64 * 1024
const mostMore = 16 * 1024 * 1024

/** A batch of records as they stand in the text, with their cells. */
export type Batch = { text: string; records: { cells: RawCell[]; end: number }[]; row: number }

/** The records of an input, in batches whose text begins and ends with a record. */
export async function* batches(
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
  let enough = batchLength
  for await (const bytes of input.stream(begin, range?.end ?? input.size)) {
    signal.throwIfAborted()
    waiting += decoder.decode(bytes)
    while (waiting.length >= enough) {
      const batch = take(false)
      // A record is read from its beginning each time, so a long one waits for as much again.
      enough = batch ? batchLength : waiting.length + Math.min(waiting.length, mostMore)
      if (batch) yield batch
    }
  }
  waiting += decoder.end()
  for (let batch = take(true); batch; batch = take(true)) yield batch
}

/** Cells that are looked at together: what is made of each for the search takes some hundred bytes. */
const mostCells = 10_000

/** The cells of a batch as segments, some thousand at a time; the first record is the header where the table has one. */
export function* segmentsOf(
  { text, records, row }: Batch,
  { dialect, columns }: Table,
  header: boolean,
): Generator<Segment[]> {
  let part: Segment[] = []
  for (const [index, { cells }] of records.entries()) {
    const kind = header && row + index === 1 ? 'header' : 'cell'
    for (const [column, cell] of cells.entries()) {
      const place = { kind, row: row + index, column: columns[column] ?? String(column + 1) } as const
      part.push({ text: cellText(text, cell, dialect), place, visible: true })
      if (part.length < mostCells) continue
      yield part
      part = []
    }
  }
  if (part.length > 0) yield part
}

/** Whether columns that had different names have the same one after their edits: programs keep one of them, or rename them. */
function becomeAlike(header: readonly Segment[], edits: readonly Edit[][]): boolean {
  const before = new Set(header.map(({ text }) => text))
  const after = new Set(header.map(({ text }, column) => applyEdits(text, edits[column]!)))
  return after.size < before.size
}

/**
 * Writes a table cell by cell, in any encoding and dialect. Gives the number of cells that begin as a formula does, and
 * whether columns are now called the same.
 */
export async function writeSegments(
  output: Output,
  edit: Editor,
  parts: AsyncIterable<Batch>,
  table: Table,
  header: boolean,
): Promise<{ formulas: number; alike: boolean }> {
  let formulas = 0
  let alike = false
  for await (const batch of parts) {
    const segments: Segment[] = []
    const edits: Edit[][] = []
    for (const part of segmentsOf(batch, table, header)) {
      pushAll(segments, part)
      pushAll(edits, await edit(part))
    }
    if (header && batch.row === 1) {
      const names = segments.slice(0, batch.records[0]!.cells.length)
      alike = becomeAlike(names, edits)
    }
    let index = 0
    let at = 0
    let text = ''
    for (const { cells } of batch.records) {
      for (const cell of cells) {
        const changes = edits[index]!
        const shown = applyEdits(segments[index]!.text, changes)
        if (/^[=+\-@\t\r]/.test(shown)) {
          const bytes = Buffer.from(shown, 'utf8')
          if (runsAsFormula(bytes, 0, bytes.length)) formulas++
        }
        if (changes.length > 0) {
          text += batch.text.slice(at, cell.start) + writeCell(shown, cell.quoted, table.dialect)
          at = cell.end
        }
        index++
      }
    }
    await output.write(encode(text + batch.text.slice(at), table.encoding))
  }
  return { formulas, alike }
}
