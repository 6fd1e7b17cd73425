import type { ColumnChunk, CompressionCodec, Encoding, SchemaElement } from 'hyparquet'
import { BloomBuilder } from 'hyparquet-writer/src/bloom.js'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { type Range, rangeOf, statisticsOf } from './bounds.ts'
import { compress } from './codecs.ts'
import type { Leaf } from './columns.ts'
import { plain } from './plain.ts'
import type { Slice } from './rows.ts'
import type { Stored } from './values.ts'

/** A page is ended at the first row behind so many bytes or entries. */
const pageBytes = 1024 * 1024
const pageEntries = 20_000
/** Most values of a dictionary, and most bytes of it. */
const dictionaryValues = 50_000
const dictionaryBytes = 1024 * 1024

/** A page as it was written: where it begins in its column, its length, and what it holds. */
type WrittenPage = {
  at: number
  length: number
  firstRow: number
  nulls: number
  range: Range | undefined
  entries: number
}

/** A column of a row group as it is written: its bytes in order, what the footer and the indexes say of it. */
export type WrittenChunk = {
  bytes: Buffer[]
  /** Bytes of the dictionary page, which stands first. */
  dictionary: number
  pages: WrittenPage[]
  meta: NonNullable<ColumnChunk['meta_data']>
  bloom: Uint32Array | undefined
}

const bitWidth = (most: number) => 32 - Math.clz32(most)

/** How a column is written: its names from the root; `bloom` says that it had a Bloom filter, so that it gets one again. */
export type ChunkChoices = { element: SchemaElement; path: string[]; codec: CompressionCodec; bloom: boolean }

/** Starts writing a column of a row group. All that describes its values is made from what is written. */
export function createChunk({ repeats: nested, defines: deepest }: Leaf, choices: ChunkChoices) {
  const { element, path, codec } = choices
  const type = element.type!
  const bytes: Buffer[] = []
  const pages: WrittenPage[] = []
  const bloom = choices.bloom ? new BloomBuilder(element) : undefined
  // A map takes the two noughts for one, and there are but two logical values.
  let numbers = ['FLOAT', 'DOUBLE', 'BOOLEAN'].includes(type) ? undefined : new Map<Stored, number>()
  let known = 0
  let whole: Range | undefined
  let unpacked = 0
  let packed = 0
  let row = 0
  let total = 0
  let nullsInAll = 0
  const encodings = new Set<Encoding>(['RLE'])
  let held = {
    repeats: [] as number[][],
    defines: [] as number[][],
    values: [] as Stored[][],
    entries: 0,
    rows: 0,
    size: 0,
  }

  const add = (header: Parameters<typeof writePageHeader>[1], content: Uint8Array) => {
    const body = compress(content, codec)
    const head = new ByteWriter()
    writePageHeader(head, { ...header, uncompressed_page_size: content.length, compressed_page_size: body.length })
    unpacked += head.offset + content.length
    packed += head.offset + body.length
    return [Buffer.from(head.getBytes()), Buffer.from(body.buffer, body.byteOffset, body.byteLength)]
  }

  /** The numbers of values in the dictionary, or nothing when it doesn't pay, or would become too large. */
  const numbered = (values: readonly Stored[]): number[] | undefined => {
    if (numbers === undefined) return undefined
    const size = numbers.size
    const list = new Array<number>(values.length)
    for (let index = 0; index < values.length; index++) {
      const value = values[index]!
      let number = numbers.get(value)
      if (number === undefined) {
        number = numbers.size
        numbers.set(value, number)
        known += typeof value === 'string' ? value.length + 4 : 8
      }
      list[index] = number
    }
    const fresh = numbers.size - size
    if (size === 0 && fresh > 100 && fresh > values.length * 0.6) numbers = undefined
    else if (numbers.size > dictionaryValues || known > dictionaryBytes) {
      // What this page added is taken out again; what comes later is written without the dictionary.
      for (const value of [...numbers.keys()].slice(size)) numbers.delete(value)
      closed = numbers
      numbers = undefined
    } else return list
    return undefined
  }
  let closed: Map<Stored, number> | undefined

  const flush = () => {
    if (held.entries === 0) return
    const values = held.values.flat()
    const levels = new ByteWriter()
    for (const [most, lists] of [
      [nested, held.repeats],
      [deepest, held.defines],
    ] as const) {
      if (most === 0) continue
      const encoded = new ByteWriter()
      writeRleBitPackedHybrid(encoded, lists.flat(), bitWidth(most))
      levels.appendUint32(encoded.offset)
      levels.appendBytes(encoded.getBytes())
    }
    const list = numbered(values)
    const content = new ByteWriter()
    if (list) {
      const width = bitWidth(list.reduce((most, number) => Math.max(most, number), 0))
      content.appendUint8(width)
      writeRleBitPackedHybrid(content, list, width)
    } else content.appendBytes(plain(values, type))
    const encoding = list ? 'RLE_DICTIONARY' : 'PLAIN'
    encodings.add(encoding)
    const sizes = { uncompressed_page_size: 0, compressed_page_size: 0 }
    const described = {
      num_values: held.entries,
      encoding,
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    }
    const range = rangeOf(values, element)
    if (range) whole = whole ? rangeOf([whole.min, whole.max, range.min, range.max], element) : range
    const nulls = held.entries - values.length
    const at = packed
    bytes.push(
      ...add(
        { type: 'DATA_PAGE', ...sizes, data_page_header: described as never },
        Buffer.concat([levels.getBytes(), content.getBytes()]),
      ),
    )
    pages.push({ at, length: packed - at, firstRow: row, nulls, range, entries: held.entries })
    row += held.rows
    total += held.entries
    nullsInAll += nulls
    held = { repeats: [], defines: [], values: [], entries: 0, rows: 0, size: 0 }
  }

  return {
    /** Adds whole rows. */
    append({ repeats, defines, values, count }: Slice, rows: number) {
      if (repeats) held.repeats.push(repeats)
      if (defines) held.defines.push(defines)
      held.values.push(values)
      held.entries += count
      held.rows += rows
      for (const value of values) held.size += typeof value === 'string' ? value.length + 4 : 8
      if (bloom)
        for (const value of values) bloom.insert(typeof value === 'string' ? Buffer.from(value, 'latin1') : value)
      if (held.size >= pageBytes || held.entries >= pageEntries) flush()
    },
    /** Ends the column. */
    end(): WrittenChunk {
      flush()
      const dictionary = encodings.has('RLE_DICTIONARY') ? [...(numbers ?? closed)!.keys()] : undefined
      let first = 0
      if (dictionary) {
        const before = packed
        const sizes = { uncompressed_page_size: 0, compressed_page_size: 0 }
        const described = { num_values: dictionary.length, encoding: 'PLAIN' as const }
        const page = add(
          { type: 'DICTIONARY_PAGE', ...sizes, dictionary_page_header: described as never },
          plain(dictionary, type),
        )
        first = packed - before
        bytes.unshift(...page)
        encodings.add('PLAIN')
      }
      const meta: WrittenChunk['meta'] = {
        type,
        encodings: [...encodings],
        path_in_schema: path,
        codec,
        num_values: BigInt(total),
        total_uncompressed_size: BigInt(unpacked),
        total_compressed_size: BigInt(packed),
        data_page_offset: 0n,
        statistics: { null_count: BigInt(nullsInAll), ...statisticsOf(whole, element) },
      }
      return { bytes, dictionary: first, pages, meta, bloom: bloom?.finalize() }
    },
  }
}
