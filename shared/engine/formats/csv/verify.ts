import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { detectEncoding } from '../text/encoding.ts'
import { isFast, type Table } from './read.ts'
import { cellText } from './records.ts'
import { batches } from './segments.ts'
import { createCellReader } from './verify-reader.ts'

const place = { kind: 'cell' } as const

/** Reads the output again: its cells must be the expected ones, one by one, and hide no value in another form. */
export async function verifyTable(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const encoding = await detectEncoding(output, context)
  const choices = context.options as { delimiter: string; quote: string; escape: string }
  const dialect = { delimiter: choices.delimiter, quote: choices.quote, escapeWith: choices.escape }
  const table: Table = { encoding, dialect, header: false, columns: [] }
  const digest = textDigest()
  const scan = byteScan(expected.gone)
  if (isFast(table)) {
    const reader = createCellReader(dialect)
    for await (const bytes of output.stream(encoding.bom.length)) {
      context.signal.throwIfAborted()
      digest.addAll(reader.push(bytes))
      scan.push(bytes)
    }
    digest.addAll(reader.end())
  } else {
    for await (const batch of batches(output, table, { ...context, range: undefined })) {
      for (const { cells } of batch.records) {
        for (const cell of cells) digest.add({ text: cellText(batch.text, cell, dialect) })
      }
      scan.push(Buffer.from(batch.text, 'utf8'))
    }
  }
  if (digest.hex() !== expected.digest) {
    return [{ type: 'leak_detected', place, reason: 'The cells are not the expected ones' }]
  }
  // The cells are the expected ones, so what stands in them as it is was left there by decision.
  const { plain, hidden } = scan.found()
  const left = [...hidden].filter(value => !plain.has(value))
  return left.length === 0
    ? []
    : [{ type: 'leak_detected', place, reason: 'A replaced value stands in an encoded form' }]
}
