import type { ColumnChunk, DecodedArray, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { decompressors } from './codecs.ts'
import type { Leaf } from './columns.ts'
import { checkPage, type Layout } from './guard.ts'
import type { Stored } from './values.ts'

/** A page of a column. Levels are absent where all are 0 or all the greatest; `values` are those that are not null. */
export type Page = { count: number; repeats?: ArrayLike<number>; defines?: ArrayLike<number>; values: Stored[] }

/** Bytes that are read at once, and longest header of a page. */
const readBytes = 1024 * 1024
/** Longest page, unpacked, and most values of one. */
const longestPage = 256 * 1024 * 1024
const maxValues = 16 * 1024 * 1024
/** Below this size a page may be compressed as well as it will. */
const harmlessBytes = 4 * 1024 * 1024

const damaged = (what: string) => new EngineError('corrupt_file', what)

/** Whatever a library throws at a file is the file's fault. */
export function translated<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw damaged('The Parquet file is damaged')
  }
}

/** Reads a stretch of a file from its beginning to its end, a window at a time. */
function stretch(input: Input, start: number, end: number) {
  let at = start
  let window: Uint8Array = new Uint8Array()
  const fill = async (length: number) => {
    if (window.length >= length || at + window.length >= end) return
    const from = at + window.length
    const more = await input.read(from, Math.min(end, from + Math.max(readBytes, length - window.length)))
    window = window.length === 0 ? more : Buffer.concat([window, more])
  }
  return {
    left: () => end - at,
    /** The bytes that come next, at least `length` of them where there are so many. */
    async peek(length: number) {
      await fill(length)
      return window
    },
    async take(length: number) {
      await fill(length)
      if (window.length < length) throw damaged('A page ends too early')
      const taken = window.subarray(0, length)
      window = window.subarray(length)
      at += length
      return taken
    },
  }
}

/** Values as they are stored, from what the library gives. */
function stored(values: DecodedArray): Stored[] {
  const first = values[0]
  if (!(first instanceof Uint8Array)) return values as unknown as Stored[]
  const texts = new Array<string>(values.length)
  for (let index = 0; index < values.length; index++) {
    const { buffer, byteOffset, byteLength } = values[index] as Uint8Array
    texts[index] = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  }
  return texts
}

function check(header: PageHeader, context: FormatContext): void {
  const { uncompressed_page_size: unpacked, compressed_page_size: packed } = header
  if (!(unpacked >= 0 && packed >= 0)) throw damaged('A page has no size')
  if (unpacked > longestPage) throw new EngineError('limit_exceeded', 'A page of the file is too large')
  if (unpacked > harmlessBytes && unpacked > packed * context.limits.ratio)
    throw new EngineError('limit_exceeded', 'A page of the file is compressed beyond the limit')
  const values = (header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header)?.num_values
  if (values !== undefined && !(values >= 0 && values <= maxValues))
    throw new EngineError('limit_exceeded', 'A page of the file holds too many values')
}

/** The values of a data page, those of the dictionary in place of their numbers. */
function resolve(values: DecodedArray, encoding: string, dictionary: Stored[] | undefined): Stored[] {
  if (!encoding.endsWith('_DICTIONARY')) return stored(values)
  const known = dictionary ?? []
  const resolved = new Array<Stored>(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = known[values[index] as number]
    if (value === undefined) throw damaged('A value is not in the dictionary of its column')
    resolved[index] = value
  }
  return resolved
}

/** Reads the pages of a column of a row group, in order. `seen` is given all bytes, unpacked. */
export async function* pagesOf(
  input: Input,
  { meta_data: meta }: ColumnChunk,
  leaf: Leaf,
  context: FormatContext,
  seen?: (bytes: Uint8Array) => void,
): AsyncGenerator<Page> {
  if (!meta) throw damaged('A column is not described')
  const { codec, dictionary_page_offset: dictionaryAt, data_page_offset: dataAt } = meta
  const start = Number(dictionaryAt && dictionaryAt < dataAt ? dictionaryAt : dataAt)
  const end = start + Number(meta.total_compressed_size)
  if (!(start >= 4 && end <= input.size)) throw damaged('A column lies outside of the file')
  const source = stretch(input, start, end)
  const { element, path: schemaPath } = leaf
  const decoder = { type: meta.type, element, schemaPath, codec, compressors: decompressors, pathInSchema: [] }
  const unpack = (bytes: Uint8Array, length: number) => decompressPage(bytes, length, codec, decompressors)
  let dictionary: Stored[] | undefined
  let left = Number(meta.num_values)
  while (left > 0) {
    context.signal.throwIfAborted()
    if (source.left() <= 0) throw damaged('A column ends too early')
    const head = await source.peek(Math.min(readBytes, source.left()))
    const reader = { view: new DataView(head.buffer, head.byteOffset, head.byteLength), offset: 0 }
    const header = translated(() => parquetHeader(reader))
    check(header, context)
    const said = await source.take(reader.offset)
    seen?.(said)
    // A copy, so that numbers in it begin where the platform wants them.
    const packed = Uint8Array.from(await source.take(header.compressed_page_size))
    if (header.type === 'DICTIONARY_PAGE') {
      const { num_values: number } = header.dictionary_page_header ?? { num_values: 0 }
      const page = translated(() => unpack(packed, header.uncompressed_page_size))
      seen?.(page)
      const view = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 }
      dictionary = stored(translated(() => readPlain(view, meta.type, number, element.type_length)))
      continue
    }
    const page = translated(() => dataPage(header, packed, { decoder, leaf }, unpack, dictionary, seen))
    if (page === undefined) continue
    const { defines } = page
    let present = page.count
    if (defines) for (let at = 0; at < page.count; at++) if (defines[at] !== leaf.defines) present--
    if (present !== page.values.length || page.count > left) throw damaged('A page holds another number of values')
    left -= page.count
    yield page
  }
}

type Decoder = Parameters<typeof readDataPage>[2]

function dataPage(
  header: PageHeader,
  packed: Uint8Array,
  { decoder, leaf }: { decoder: Omit<Decoder, 'parsers'>; leaf: Leaf },
  unpack: (bytes: Uint8Array, length: number) => Uint8Array,
  dictionary: Stored[] | undefined,
  seen?: (bytes: Uint8Array) => void,
): Page | undefined {
  const { data_page_header: first, data_page_header_v2: second } = header
  const described = first ?? second
  if (described === undefined) return undefined
  const { num_values: count, encoding } = described
  const layout: Layout = { ...leaf, count, encoding, boolean: decoder.type === 'BOOLEAN' }
  let page = packed
  if (first) {
    const outdated = (level: number, name: string) => level > 0 && name === 'BIT_PACKED'
    if (
      outdated(leaf.defines, first.definition_level_encoding) ||
      outdated(leaf.repeats, first.repetition_level_encoding)
    )
      throw new EngineError('unsupported_format', 'A column is stored in an outdated encoding')
    page = unpack(packed, header.uncompressed_page_size)
  } else if (second) {
    const { repetition_levels_byte_length: repeats, definition_levels_byte_length: defines } = second
    const before = repeats + defines
    layout.levels = { repeats, defines }
    if (second.is_compressed !== false && decoder.codec !== 'UNCOMPRESSED' && header.uncompressed_page_size > before)
      page = Buffer.concat([
        packed.subarray(0, before),
        unpack(packed.subarray(before), header.uncompressed_page_size - before),
      ])
  }
  seen?.(page)
  checkPage(page, layout, longestPage)
  const flat = { ...header, ...(second && { data_page_header_v2: { ...second, is_compressed: false } }) }
  const read = first ? readDataPage(page, first, decoder as Decoder) : readDataPageV2(page, flat, decoder as Decoder)
  const levels = (list: ArrayLike<number> | undefined) => (list && list.length > 0 ? list : undefined)
  return {
    count,
    repeats: levels(read.repetitionLevels),
    defines: levels(read.definitionLevels),
    values: resolve(read.dataPage, encoding, dictionary),
  }
}
