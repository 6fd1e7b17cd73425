import { Readable } from 'node:stream'
import { type Cell, csvRecord } from './csv.ts'

const CHUNK = 64 * 1024

/** Rows of a driver, selected in their exact text form, as CSV with a header line. */
export function rowsToCsv(names: string[], rows: Readable): Readable {
  async function* chunks() {
    let text = csvRecord(names)
    for await (const row of rows as AsyncIterable<Cell[]>) {
      text += csvRecord(row)
      if (text.length < CHUNK) continue
      yield Buffer.from(text)
      text = ''
    }
    if (text) yield Buffer.from(text)
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 4 * CHUNK })
}
