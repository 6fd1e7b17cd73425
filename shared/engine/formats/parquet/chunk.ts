import type { ColumnChunk, CompressionCodec, Encoding, SchemaElement } from 'hyparquet'
import { BloomBuilder } from 'hyparquet-writer/src/bloom.js'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { type Range, rangeOf, rangeOfSlice, statisticsOf } from './bounds.ts'
import { compress } from './codecs.ts'
import type { Leaf } from './columns.ts'
import { createDictionary, type Dictionary, numbered } from './dictionary.ts'
import { plain, plainSlices, sizeOf } from './plain.ts'
import { joinedLevels, type Slice } from './rows.ts'
import { valueAt } from './vectors.ts'

/** A page is ended at the first row behind so many bytes or entries. */
const pageBytes = 1024 * 1024
const pageEntries = 20_000

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

/** What waits to be written as a page. */
type Held = {
  slices: Slice[]
  entries: number
  /** Entries that are not null. */
  values: number
  rows: number
  size: number
}

/** A column while it is written. */
type Chunk = {
  leaf: Leaf
  choices: ChunkChoices
  type: NonNullable<SchemaElement['type']>
  bytes: Buffer[]
  pages: WrittenPage[]
  dictionary: Dictionary
  bloom: BloomBuilder | undefined
  encodings: Set<Encoding>
  held: Held
  /** Least and greatest of all values. */
  range: Range | undefined
  unpacked: number
  packed: number
  rows: number
  entries: number
  nulls: number
}

type PageHeader = Parameters<typeof writePageHeader>[1]

const nothingHeld = (): Held => ({ slices: [], entries: 0, values: 0, rows: 0, size: 0 })

/** Starts writing a column of a row group. All that describes its values is made from what is written. */
export function createChunk(leaf: Leaf, choices: ChunkChoices) {
  const type = choices.element.type!
  const chunk: Chunk = {
    leaf,
    choices,
    type,
    bytes: [],
    pages: [],
    dictionary: createDictionary(type),
    bloom: choices.bloom ? new BloomBuilder(choices.element) : undefined,
    encodings: new Set(['RLE']),
    held: nothingHeld(),
    range: undefined,
    unpacked: 0,
    packed: 0,
    rows: 0,
    entries: 0,
    nulls: 0,
  }
  return {
    /** Adds whole rows. */
    append: (slice: Slice, rows: number) => append(chunk, slice, rows),
    /** Ends the column. */
    end: () => endChunk(chunk),
  }
}

function append(chunk: Chunk, slice: Slice, rows: number) {
  const { held, bloom } = chunk
  const { values } = slice
  held.slices.push(slice)
  held.entries += slice.count
  held.values += values.to - values.from
  held.rows += rows
  held.size += sizeOf(slice)
  if (bloom) fillBloom(bloom, slice)
  if (held.size >= pageBytes || held.entries >= pageEntries) writeHeld(chunk)
}

function fillBloom(bloom: BloomBuilder, { values, edits }: Slice) {
  let edit = 0
  for (let at = 0; at < values.to - values.from; at++) {
    const value = edits?.at[edit] === at ? edits.texts[edit++]! : valueAt(values, at)
    bloom.insert(typeof value === 'string' ? Buffer.from(value, 'latin1') : value)
  }
}

/** Writes what is held as a page. */
function writeHeld(chunk: Chunk) {
  const { held, packed: at, choices } = chunk
  if (held.entries === 0) return
  const levels = encodeLevels(chunk)
  const { encoding, content } = encodeValues(chunk)
  const described = {
    num_values: held.entries,
    encoding,
    definition_level_encoding: 'RLE',
    repetition_level_encoding: 'RLE',
  }
  const header = { type: 'DATA_PAGE', data_page_header: described as never } as const
  chunk.bytes.push(...packPage(chunk, header, Buffer.concat([levels, content])))
  let range: Range | undefined
  for (const slice of held.slices) range = joined(range, rangeOfSlice(slice, choices.element), choices.element)
  chunk.range = joined(chunk.range, range, choices.element)
  const nulls = held.entries - held.values
  const length = chunk.packed - at
  chunk.pages.push({ at, length, firstRow: chunk.rows, nulls, range, entries: held.entries })
  chunk.rows += held.rows
  chunk.entries += held.entries
  chunk.nulls += nulls
  chunk.held = nothingHeld()
}

const joined = (before: Range | undefined, range: Range | undefined, element: SchemaElement) =>
  before && range ? rangeOf([before.min, before.max, range.min, range.max], element) : (before ?? range)

function encodeLevels({ leaf, held }: Chunk): Uint8Array {
  const levels = new ByteWriter()
  for (const [most, kind, usual] of [
    [leaf.repeats, 'repeats', 0],
    [leaf.defines, 'defines', leaf.defines],
  ] as const) {
    if (most === 0) continue
    const encoded = new ByteWriter()
    const pieces = held.slices.map(slice => ({ levels: slice[kind], count: slice.count }))
    writeRleBitPackedHybrid(encoded, joinedLevels(pieces, usual) as never, bitWidth(most))
    levels.appendUint32(encoded.offset)
    levels.appendBytes(encoded.getBytes())
  }
  return levels.getBytes()
}

/** Encodes values by their numbers in the dictionary where that pays, plainly otherwise. */
function encodeValues({ dictionary, encodings, type, held }: Chunk) {
  const numbers = numbered(dictionary, held.slices, held.values)
  const encoding = numbers ? 'RLE_DICTIONARY' : 'PLAIN'
  encodings.add(encoding)
  if (!numbers) return { encoding, content: plainSlices(held.slices, type, held.values, held.size) }
  const content = new ByteWriter()
  const width = bitWidth(numbers.reduce((most, number) => Math.max(most, number), 0))
  content.appendUint8(width)
  writeRleBitPackedHybrid(content, numbers, width)
  return { encoding, content: content.getBytes() }
}

/** Compresses a page: its header and its content. */
function packPage(
  chunk: Chunk,
  header: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>,
  content: Uint8Array,
): Buffer[] {
  const body = compress(content, chunk.choices.codec)
  const head = new ByteWriter()
  writePageHeader(head, { ...header, uncompressed_page_size: content.length, compressed_page_size: body.length })
  chunk.unpacked += head.offset + content.length
  chunk.packed += head.offset + body.length
  return [Buffer.from(head.getBytes()), Buffer.from(body.buffer, body.byteOffset, body.byteLength)]
}

/** Puts the dictionary's page in front of the others, where one of them uses it, and tells its length. */
function writeDictionary(chunk: Chunk): number {
  if (!chunk.encodings.has('RLE_DICTIONARY')) return 0
  const before = chunk.packed
  const values = [...chunk.dictionary.numbers.keys()]
  const described = { num_values: values.length, encoding: 'PLAIN' as const }
  const header = { type: 'DICTIONARY_PAGE', dictionary_page_header: described } as const
  chunk.bytes.unshift(...packPage(chunk, header, plain(values, chunk.type)))
  chunk.encodings.add('PLAIN')
  return chunk.packed - before
}

function endChunk(chunk: Chunk): WrittenChunk {
  writeHeld(chunk)
  const dictionary = writeDictionary(chunk)
  const { bytes, pages, bloom, choices } = chunk
  const meta: WrittenChunk['meta'] = {
    type: chunk.type,
    encodings: [...chunk.encodings],
    path_in_schema: choices.path,
    codec: choices.codec,
    num_values: BigInt(chunk.entries),
    total_uncompressed_size: BigInt(chunk.unpacked),
    total_compressed_size: BigInt(chunk.packed),
    data_page_offset: 0n,
    statistics: { null_count: BigInt(chunk.nulls), ...statisticsOf(chunk.range, choices.element) },
  }
  return { bytes, dictionary, pages, meta, bloom: bloom?.finalize() }
}
