import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { SourceError } from '../errors.ts'
import { readHeader } from './csv.ts'

const ROWS = 1000
const BYTES = 512 * 1024

/**
 * The records of a CSV with a header line, in batches for one statement each: at most 1,000 rows and about 512 KiB.
 * An unquoted empty cell is NULL, a quoted one the empty text.
 */
export async function csvBatches(body: Readable) {
  const { names, rest } = await readHeader(body)
  const parser = parse({
    bom: true,
    from: 2,
    columns: false,
    max_record_size: 64 * 1024 * 1024,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  })
  rest.on('error', error => parser.destroy(error))
  // Its failure is told to whoever takes the batches; nobody may be doing so yet.
  parser.on('error', () => rest.destroy())
  rest.pipe(parser)

  async function* batches(): AsyncGenerator<(string | null)[][]> {
    let batch: (string | null)[][] = []
    let size = 0
    try {
      for await (const row of parser as AsyncIterable<(string | null)[]>) {
        if (row.length !== names.length)
          throw new SourceError('source_unsupported', 'A row has too few or too many cells')
        batch.push(row)
        for (const cell of row) size += cell?.length ?? 0
        if (batch.length < ROWS && size < BYTES) continue
        yield batch
        batch = []
        size = 0
      }
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('CSV_'))
        throw new SourceError('source_unsupported', 'The result is not the CSV of a table')
      throw error
    }
    if (batch.length) yield batch
  }
  return { names, batches: batches(), bytes: () => parser.info.bytes }
}
