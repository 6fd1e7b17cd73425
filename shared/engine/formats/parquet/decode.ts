import type { ParquetType, SchemaElement } from 'hyparquet'
import { readDataPage } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { EngineError } from '../../errors.ts'
import type { Layout } from './guard.ts'
import { readLevels, readRuns } from './runs.ts'
import { type ByteEntries, type Entries, entryCount, ofDecoded, type Vector, vectorOf } from './vectors.ts'

/** A page of a column. Levels are absent where all are 0 or all the greatest; `values` are those that are not null. */
export type Page = { count: number; repeats?: Uint16Array; defines?: Uint16Array; values: Vector }

const damaged = (what: string) => new EngineError('corrupt_file', what)

/** Bytes of a value of those types that are read as they lie in memory. */
const widths: { [type in ParquetType]?: number } = { INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8 }

/** Stretches that each stand behind their length. */
function byteArrays(bytes: Buffer, offset: number, count: number): ByteEntries {
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  let at = offset
  for (let index = 0; index < count; index++) {
    const length = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    at += 4
    if (length < 0 || length > bytes.length - at) throw damaged('A value of a page is longer than the page')
    starts[index] = at
    at += length
    ends[index] = at
  }
  return { bytes, starts, ends, framed: true }
}

/** Stretches of one length. */
function fixedArrays(bytes: Buffer, offset: number, count: number, length: number): ByteEntries {
  if (!(length > 0) || offset + count * length > bytes.length) throw damaged('A page ends too early')
  const starts = Int32Array.from({ length: count }, (_, index) => offset + index * length)
  return { bytes, starts, ends: starts.map(start => start + length), framed: false }
}

/** Values in the encoding PLAIN, from an offset on. */
export function plainEntries(
  bytes: Buffer,
  offset: number,
  count: number,
  { type, element }: Pick<Decoded, 'type' | 'element'>,
): Entries {
  if (type === 'BYTE_ARRAY') return { stretches: byteArrays(bytes, offset, count) }
  if (type === 'FIXED_LEN_BYTE_ARRAY' && count > 0)
    return { stretches: fixedArrays(bytes, offset, count, element.type_length ?? 0) }
  if (count * (widths[type] ?? 0) > bytes.length - offset) throw damaged('A page ends too early')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return ofDecoded(readPlain({ view, offset }, type, count, element.type_length))
}

/** What a page is decoded by: its column with its physical type, and its dictionary. */
export type Decoded = { element: SchemaElement; type: ParquetType; dictionary: Entries | undefined }

/** How many of a page's values are there, by its levels. */
function presentOf({ count, defines: most }: Layout, defines: Uint16Array | undefined): number {
  if (defines === undefined) return count
  let present = 0
  for (let at = 0; at < count; at++) if (defines[at] === most) present++
  return present
}

/** Decodes a page, unpacked, that is laid out as said. */
export function decodePage(bytes: Buffer, layout: Layout, decoded: Decoded): Page {
  const { count, levels } = layout
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  const read = (most: number, usual: number, length: number | undefined) => {
    if (most === 0 && length === undefined) return undefined
    const own = length ?? reader.view.getUint32(reader.offset, true)
    const start = length === undefined ? reader.offset + 4 : reader.offset
    reader.offset = start
    const list = most === 0 ? undefined : readLevels(bytes, reader, { most, count, usual })
    reader.offset = start + own
    return list
  }
  const repeats = read(layout.repeats, 0, levels?.repeats)
  const defines = read(layout.defines, layout.defines, levels?.defines)
  const present = presentOf(layout, defines)
  return { count, repeats, defines, values: decodeValues(bytes, reader, present, layout, decoded) }
}

function decodeValues(
  bytes: Buffer,
  reader: { view: DataView; offset: number },
  present: number,
  layout: Layout,
  decoded: Decoded,
): Vector {
  const { encoding } = layout
  const { type, element, dictionary } = decoded
  if (encoding === 'PLAIN') return vectorOf(plainEntries(bytes, reader.offset, present, decoded))
  if (encoding.endsWith('_DICTIONARY')) {
    const ids = new Int32Array(present)
    const width = reader.view.getUint8(reader.offset++)
    if (width > 0) readRuns(bytes, reader, width, ids)
    const entries = dictionary ?? { numbers: [] }
    const known = entryCount(entries)
    for (let at = 0; at < present; at++)
      if (!(ids[at]! >>> 0 < known)) throw damaged('A value is not in the dictionary of its column')
    return { entries, ids, from: 0, to: present }
  }
  // Without its levels a page is laid out as one of a column that has none.
  const rest = new Uint8Array(bytes.subarray(reader.offset))
  const header = { num_values: present, encoding } as Parameters<typeof readDataPage>[1]
  const flat = { type, element, schemaPath: [] } as unknown as Parameters<typeof readDataPage>[2]
  return vectorOf(ofDecoded(readDataPage(rest, header, flat).dataPage))
}
