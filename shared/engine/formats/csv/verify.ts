import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { detectEncoding } from '../text/encoding.ts'
import { decodedAgain } from '../text/verify-decoder.ts'
import { isFast, type Table } from './read.ts'
import { createTextReader } from './verify-dialect.ts'
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
      reader.push(bytes, digest.addAll)
      scan.push(bytes)
    }
    digest.addAll(reader.end())
  } else {
    const reader = createTextReader(dialect)
    for await (const text of decodedAgain(output, context)) {
      digest.addTexts(reader.push(text))
      scan.push(Buffer.from(text, 'utf8'))
    }
    digest.addTexts(reader.end())
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
