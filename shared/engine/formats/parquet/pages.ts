import type { ColumnChunk, CompressionCodec, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { decompressors } from './codecs.ts'
import type { Leaf } from './columns.ts'
import { type Decoded, decodePage, type Page, plainEntries } from './decode.ts'
import { checkPage, type Layout } from './guard.ts'

/** Bytes that are read at once, and longest header of a page. */
const readBytes = 1024 * 1024
/** Longest page, unpacked, and most values of one. */
const longestPage = 256 * 1024 * 1024
const maxValues = 16 * 1024 * 1024
/** Below this size a page may be compressed as well as it will. */
const harmlessBytes = 4 * 1024 * 1024

const damaged = (what: string) => new EngineError('corrupt_file', what)
const anotherNumber = () => damaged('A page holds another number of values')

const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

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
  const unpack = (bytes: Uint8Array, length: number) => buffer(decompressPage(bytes, length, codec, decompressors))
  const column = { leaf, codec, unpack, seen }
  const decoded: Decoded = { element: leaf.element, type: meta.type, dictionary: undefined }
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
    // A copy, as what is decoded refers to it.
    const packed = new Uint8Array(await source.take(header.compressed_page_size))
    if (header.type === 'DICTIONARY_PAGE') {
      const { num_values: number } = header.dictionary_page_header ?? { num_values: 0 }
      const page = translated(() => unpack(packed, header.uncompressed_page_size))
      seen?.(page)
      decoded.dictionary = translated(() => plainEntries(page, 0, number, decoded))
      continue
    }
    const page = translated(() => dataPage(header, packed, column, decoded))
    if (page === undefined) continue
    if (page.count > left) throw anotherNumber()
    left -= page.count
    yield page
  }
}

/** A column whose pages are read: how one is unpacked, and who is given its bytes. */
type Column = {
  leaf: Leaf
  codec: CompressionCodec
  unpack(bytes: Uint8Array, length: number): Buffer
  seen?: (bytes: Uint8Array) => void
}

function dataPage(
  header: PageHeader,
  packed: Uint8Array,
  { leaf, codec, unpack, seen }: Column,
  decoded: Decoded,
): Page | undefined {
  const { data_page_header: first, data_page_header_v2: second } = header
  const described = first ?? second
  if (described === undefined) return undefined
  const { num_values: count, encoding } = described
  const layout: Layout = { ...leaf, count, encoding, boolean: decoded.type === 'BOOLEAN' }
  let page = buffer(packed)
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
    if (second.is_compressed !== false && codec !== 'UNCOMPRESSED' && header.uncompressed_page_size > before)
      page = Buffer.concat([
        packed.subarray(0, before),
        unpack(packed.subarray(before), header.uncompressed_page_size - before),
      ])
  }
  seen?.(page)
  checkPage(page, layout, longestPage)
  const read = decodePage(page, layout, decoded)
  if (second && count - second.num_nulls !== read.values.to) throw anotherNumber()
  return read
}
