import type { FileMetaData } from 'hyparquet'
import { parquetMetadata, parquetSchema } from 'hyparquet/src/metadata.js'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { type Leaf, leavesOf } from './columns.ts'
import { translated } from './pages.ts'

/** What the footer says of a file. `footer` are its bytes. */
export type ParquetFile = { metadata: FileMetaData; leaves: Leaf[]; footer: Uint8Array }

const longestFooter = 64 * 1024 * 1024
/** Values for each byte of the file beyond which it only says that it holds them. */
const valuesPerByte = 10_000
const harmlessValues = 10_000_000

/** Reads the footer of a file. Throws `encrypted_file`, `corrupt_file` or `limit_exceeded`. */
export async function readFooter(input: Input, context: FormatContext): Promise<ParquetFile> {
  const { size } = input
  if (size > context.limits.bytes) throw new EngineError('limit_exceeded', 'The file is too large')
  const tail = Buffer.from(await input.read(Math.max(0, size - 8), size))
  const mark = tail.toString('latin1', 4)
  if (mark === 'PARE') throw new EngineError('encrypted_file')
  if (size < 12 || mark !== 'PAR1') throw new EngineError('corrupt_file', 'The Parquet file has no footer')
  const length = tail.readUInt32LE()
  if (length > longestFooter) throw new EngineError('limit_exceeded', 'The footer of the file is too large')
  if (length > size - 12) throw new EngineError('corrupt_file', 'The footer of the file is longer than the file')
  const footer = await input.read(size - 8 - length, size)
  // What is stored for geographical programs only is left as it is.
  const metadata = translated(() => parquetMetadata(Uint8Array.from(footer), { geoparquet: false }))
  const leaves = translated(() => leavesOf(metadata, parquetSchema(metadata), context.limits.depth))
  checkGroups(metadata, leaves, size)
  return { metadata, leaves, footer }
}

function checkGroups({ row_groups: groups, num_rows: rows }: FileMetaData, leaves: Leaf[], size: number): void {
  let values = 0n
  let counted = 0n
  for (const { columns, num_rows: number } of groups) {
    if (columns.length !== leaves.length) throw new EngineError('corrupt_file', 'A row group lacks a column')
    counted += number
    columns.forEach(
      ({ crypto_metadata: secret, encrypted_column_metadata: hidden, file_path: elsewhere, meta_data: meta }, n) => {
        if (secret || hidden) throw new EngineError('encrypted_file', 'A column of the file is encrypted')
        if (elsewhere) throw new EngineError('unsupported_format', 'A column is stored in another file')
        const path = leaves[n]!.path.slice(1).map(({ element }) => element.name)
        if (
          !meta ||
          meta.path_in_schema.join('\u0000') !== path.join('\u0000') ||
          meta.type !== leaves[n]!.element.type
        )
          throw new EngineError('corrupt_file', 'The columns of a row group are not those of the file')
        if (!(meta.num_values >= 0n)) throw new EngineError('corrupt_file', 'A column has no number of values')
        values += meta.num_values
      },
    )
    if (!(number >= 0n)) throw new EngineError('corrupt_file', 'A row group has no number of rows')
  }
  if (counted !== rows)
    throw new EngineError('corrupt_file', 'The row groups hold another number of rows than the file')
  if (values > harmlessValues && values > size * valuesPerByte)
    throw new EngineError('limit_exceeded', 'The file is compressed beyond the limit')
}
