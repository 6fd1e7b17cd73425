import type { ColumnChunk, FileMetaData, KeyValue, SchemaElement } from 'hyparquet'
import { BoundaryOrders } from 'hyparquet/src/constants.js'
import { writeBlooms } from 'hyparquet-writer/src/bloom.js'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writeIndexes } from 'hyparquet-writer/src/indexes.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { storedRange } from './bounds.ts'
import type { WrittenChunk } from './chunk.ts'

/** A column of a row group in the file: where it begins, and whether it had an index of its pages. */
export type PlacedChunk = { chunk: WrittenChunk; at: number; element: SchemaElement; indexed: boolean }

/** A row group as it was written. */
export type WrittenGroup = {
  rows: bigint
  columns: PlacedChunk[]
  sorting: FileMetaData['row_groups'][number]['sorting_columns']
}

type Indexes = Parameters<typeof writeIndexes>[1][number]

/** What indexes say of the pages of a column: where each is, and between which bounds its values lie. */
function indexesOf({
  chunk: { pages, dictionary },
  at,
  element,
}: PlacedChunk): Pick<Indexes, 'columnIndex' | 'offsetIndex'> {
  const offsetIndex = {
    page_locations: pages.map(page => ({
      offset: BigInt(at + dictionary + page.at),
      compressed_page_size: page.length,
      first_row_index: BigInt(page.firstRow),
    })),
  }
  const empty = new Uint8Array()
  const bounds = pages.map(({ range, nulls, entries }) =>
    nulls === entries ? [empty, empty] : storedRange(range, element),
  )
  // Without bounds for each page that has values there can be no index of them.
  if (bounds.includes(undefined)) return { offsetIndex }
  const columnIndex = {
    null_pages: pages.map(({ nulls, entries }) => nulls === entries),
    min_values: bounds.map(pair => pair![0]!),
    max_values: bounds.map(pair => pair![1]!),
    boundary_order: BoundaryOrders[0]!,
    null_counts: pages.map(({ nulls }) => BigInt(nulls)),
  }
  return { offsetIndex, columnIndex }
}

/** Whole numbers by their older name: the library writes the newer one with a field of the wrong width. */
function named(element: SchemaElement): SchemaElement {
  const { logical_type: logical } = element
  if (logical?.type !== 'INTEGER') return element
  const converted = `${logical.isSigned ? '' : 'U'}INT_${logical.bitWidth}` as SchemaElement['converted_type']
  return { ...element, logical_type: undefined, converted_type: converted }
}

/** Everything behind the last row group: Bloom filters, indexes, and the footer. `offset` is where it will stand. */
export function footerOf(
  { schema, version, num_rows }: Pick<FileMetaData, 'schema' | 'version' | 'num_rows'>,
  groups: readonly WrittenGroup[],
  said: { created_by: string | undefined; key_value_metadata: KeyValue[] | undefined },
  offset: number,
): Uint8Array {
  const writer = new ByteWriter()
  writer.offset = offset
  const indexes: Indexes[] = []
  const rowGroups = groups.map(({ rows, columns, sorting }) => {
    const chunks = columns.map((placed): ColumnChunk => {
      const {
        chunk: { meta, dictionary, bloom },
        at,
        indexed,
      } = placed
      const chunk: ColumnChunk = {
        file_offset: BigInt(at),
        meta_data: {
          ...meta,
          data_page_offset: BigInt(at + dictionary),
          ...(dictionary > 0 && { dictionary_page_offset: BigInt(at) }),
        },
      }
      indexes.push({ chunk, bloomFilter: bloom, ...(indexed ? indexesOf(placed) : {}) })
      return chunk
    })
    const sum = (size: 'total_uncompressed_size' | 'total_compressed_size') =>
      chunks.reduce((all, { meta_data: meta }) => all + meta![size], 0n)
    return {
      columns: chunks,
      total_byte_size: sum('total_uncompressed_size'),
      num_rows: rows,
      sorting_columns: sorting,
      total_compressed_size: sum('total_compressed_size'),
    }
  })
  writeBlooms(writer, indexes)
  writeIndexes(writer, indexes)
  writeMetadata(
    writer,
    {
      schema: schema.map(named),
      version,
      num_rows,
      row_groups: rowGroups,
      ...said,
      metadata_length: 0,
    } as FileMetaData,
    64,
  )
  writer.appendBytes(Buffer.from('PAR1'))
  return writer.getBytes()
}
