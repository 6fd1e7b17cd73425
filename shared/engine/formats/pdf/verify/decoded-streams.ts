import { pipeline, Readable } from 'node:stream'
import { constants, createInflate, inflateSync } from 'node:zlib'
import { EngineError } from '../../../errors.ts'
import { buildSearch, type Search } from '../../../verify/search.ts'
import type { FormatContext } from '../../format.ts'
import { isDefined, keywords } from '../content/operators.ts'
import { type Operand, tokenise } from '../content/tokens.ts'
import { isStandardGlyph } from '../fonts/glyph-renaming.ts'

/** A stream as it stands in the bytes of a file. */
type RawStream = { dict: string; start: number; end: number }

const keyword = Buffer.from('stream')
const terminator = Buffer.from('endstream')

/** Finds the streams of a PDF by their keywords alone, whatever the cross-reference table says. */
function* rawStreams(file: Buffer): Generator<RawStream> {
  for (let at = file.indexOf(keyword); at >= 0; at = file.indexOf(keyword, at)) {
    if (file.subarray(at - 3, at).toString('latin1') === 'end') {
      at += keyword.length
      continue
    }
    let start = at + keyword.length
    if (file[start] === 13) start++
    if (file[start] === 10) start++
    const next = file.indexOf(terminator, start)
    const end = next < 0 ? file.length : next
    const object = Math.max(0, file.lastIndexOf('obj', at))
    yield { dict: file.subarray(Math.max(object, at - 4096), at).toString('latin1'), start, end }
    at = end + terminator.length
  }
}

/** How often a stream is deflated; more than a few times over each other is a bomb. */
const deflations = (dict: string) => Math.min(8, dict.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0)

const tooLarge = () => new EngineError('limit_exceeded', 'The streams of the PDF are too large when decompressed')

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Inflates what it can of damaged data too; `undefined` when nothing. */
const inflate = (bytes: Uint8Array, limit: number): Buffer | undefined => {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, limit) })
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    // Not deflated data, or damaged from its first byte: a viewer can't read it either.
    return undefined
  }
}

/** Throws `limit_exceeded` where streams decompress to more than they may, of which nothing is kept. */
export async function holdToLimits(bytes: Uint8Array, { limits, signal }: FormatContext): Promise<void> {
  const file = asBuffer(bytes)
  let left = limits.inflatedBytes
  for (const { dict, start, end } of rawStreams(file)) {
    signal.throwIfAborted()
    let content: Iterable<Buffer> | AsyncIterable<Buffer> = [file.subarray(start, end)]
    let most = limits.streamBytes
    const count = (chunk: Buffer) => {
      left -= chunk.length
      most -= chunk.length
      if (left < 0 || most < 0) throw tooLarge()
    }
    // Small ones can't be much: this spares most streams the way through the event loop.
    if (deflations(dict) === 1 && end - start < SMALL) {
      const inflated = inflate(file.subarray(start, end), Math.min(left, most))
      if (inflated) count(inflated)
      continue
    }
    for (let times = deflations(dict); times > 0; times--) content = inflateSlowly(content, count)
    for await (const _ of content) signal.throwIfAborted()
  }
}

/** Deflated bytes that become some megabytes at most, a thousand times as many. */
const SMALL = 64 * 1024

async function* inflateSlowly(chunks: Iterable<Buffer> | AsyncIterable<Buffer>, count: (chunk: Buffer) => void) {
  const inflater = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 })
  pipeline(Readable.from(chunks), inflater, () => {})
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      count(chunk)
      yield chunk
    }
  } catch (error) {
    // Damaged data end where a viewer ends too.
    if (error instanceof EngineError) throw error
  }
}

/**
 * The decompressed streams of a PDF, in the order of the file; only those that are `wanted` by their dictionaries. Throws
 * `limit_exceeded` past `limit` bytes in total.
 */
export function* inflated(
  bytes: Uint8Array,
  limit: number,
  wanted: (dict: string) => boolean = () => true,
): Generator<{ dict: string; bytes: Uint8Array }> {
  const file = asBuffer(bytes)
  let left = limit
  for (const { dict, start, end } of rawStreams(file)) {
    if (!wanted(dict)) continue
    let content: Buffer | undefined = file.subarray(start, end)
    for (let times = deflations(dict); times > 0 && content; times--) {
      content = inflate(content, left)
      left -= content?.length ?? 0
    }
    if (content) yield { dict, bytes: content }
  }
}

/** Whether a stream's data are a font or a picture, in which letters are glyph names or chance. */
const isBinary = (dict: string): boolean =>
  /\/(DCTDecode|JPXDecode|CCITTFaxDecode|JBIG2Decode|Length1|Length2|FontFile|Image|ICCBased|N [134])\b/.test(dict) ||
  /\/Subtype\s*\/(Type1C|CIDFontType0C|OpenType)\b/.test(dict)

/** Filters that nothing here undoes. */
const otherFilter = /\/(LZW|LZWDecode|A85|ASCII85Decode|AHx|ASCIIHexDecode|RL|RunLengthDecode|Crypt)\b/

/** Whether a name stands in a PDF or in one of its streams, or may: some letters of a name may be written as numbers. */
export function mayHoldName(bytes: Uint8Array, name: string, limit: number): boolean {
  const holds = (part: Buffer) =>
    part.includes(name) || (part.includes('#') && escapedName.test(part.toString('latin1')))
  if (asBuffer(bytes).includes(name)) return true
  for (const { dict, bytes: content } of inflated(bytes, limit, dict => !picture.test(dict)))
    if (otherFilter.test(dict) || holds(asBuffer(content))) return true
  return false
}

const picture = /\/Subtype\s*\/Image\b/
const escapedName = /\/[^\s()<>[\]{}/%#]*#[\dA-Fa-f]{2}/

/**
 * Everything in a PDF that may be text, as bytes to search: the file and its decompressed streams as they are, and
 * their strings decoded. What the format itself writes (its own names and keywords, and numbers) is blanked where it
 * holds a value by chance, for it says nothing of the document.
 */
export function* layers(bytes: Uint8Array, values: readonly string[], limit: number): Generator<Uint8Array> {
  const file = asBuffer(bytes)
  const search = buildSearch(values.map((text, value) => ({ bytes: Buffer.from(text, 'latin1'), value })))
  let from = 0
  for (const { start, end } of rawStreams(file)) {
    yield* texts(file.subarray(from, start), search)
    from = end
  }
  yield* texts(file.subarray(from), search)
  for (const stream of inflated(bytes, limit)) {
    if (isBinary(stream.dict)) continue
    yield* texts(stream.bytes, search)
    const spoken = spokenIn(stream.bytes)
    if (spoken.length > 1) yield Buffer.from(`${spoken.join('')}\n${spoken.join(' ')}`)
  }
}

const spokenNames = /\/(?:ActualText|Alt|E)\b/
const ofUtf16 = Buffer.from('feff', 'hex')
const utf16 = new TextDecoder('utf-16be')

/** What content names for its letters to be read aloud, one text after the other. */
const spokenIn = (bytes: Uint8Array): string[] => {
  const found: string[] = []
  const buffer = asBuffer(bytes)
  if (!buffer.includes('/') || !spokenNames.test(buffer.toString('latin1'))) return found
  const gather = (operands: Operand[]) =>
    operands.forEach((operand, i) => {
      const before = operands[i - 1]
      if (operand.kind === 'array' || operand.kind === 'dict') gather(operand.items)
      else if (operand.kind === 'string' && before?.kind === 'name' && spokenNames.test(`/${before.value}`))
        found.push(
          ofUtf16.equals(operand.value.subarray(0, 2))
            ? utf16.decode(operand.value)
            : asBuffer(operand.value).toString('latin1'),
        )
    })
  const tokens = tokenise(bytes)
  for (let operation = tokens.next(); operation; operation = tokens.next()) gather(operation.operands)
  return found
}

function* texts(bytes: Uint8Array, search: Search): Generator<Uint8Array> {
  yield blank(bytes, search)
  // What is written in so many bytes is never longer, each with its separator.
  const parts = Buffer.allocUnsafe(bytes.length)
  let filled = 0
  const gather = (operands: Operand[]) => {
    for (let index = 0; index < operands.length; index++) {
      const operand = operands[index]!
      if (operand.kind === 'string') {
        if (namesCollection(operands[index - 1], operand)) continue
        parts.set(operand.value, filled)
        filled += operand.value.length
        parts[filled++] = separator
      } else if (operand.kind === 'name' && !isOfFormat(operand.value)) {
        for (let at = 0; at < operand.value.length; at++) parts[filled++] = operand.value.charCodeAt(at)
        parts[filled++] = separator
      } else if (operand.kind === 'array' || operand.kind === 'dict') gather(operand.items)
    }
  }
  const tokens = tokenise(bytes)
  for (let operation = tokens.next(); operation; operation = tokens.next()) gather(operation.operands)
  yield parts.subarray(0, filled)
}

/** Words such as `space` and `single` stand in the names that encodings give to glyphs. */
const isOfFormat = (name: string): boolean => isDefined(name) || isStandardGlyph(name)

// Not a zero: codes of one byte each, as maps list them, would look like UTF-16.
const separator = 1
const word = /\/?[A-Za-z][A-Za-z0-9_-]*/g
const number = /(?<![A-Za-z])[-+]?[\d.]+(?![A-Za-z])/g
const collections = 'Adobe|Identity|UCS|Japan1|GB1|CNS1|Korea1|KR'
const collection = new RegExp(`/(Registry|Ordering)\\s*\\((${collections})\\)`, 'g')
const collectionName = new RegExp(`^(?:${collections})$`)

/** Whether a string behind a name says whose codes a font or a map uses, in words of the format. */
const namesCollection = (before: Operand | undefined, { value }: Extract<Operand, { kind: 'string' }>): boolean =>
  before?.kind === 'name' &&
  /^(?:Registry|Ordering)$/.test(before.value) &&
  collectionName.test(Buffer.from(value).toString('latin1'))

const blank = (bytes: Uint8Array, search: Search): Uint8Array => {
  let held = false
  search.run(bytes, () => {
    held = true
    return true
  })
  if (!held) return bytes
  const buffer = asBuffer(bytes)
  const spaces = (found: string) => ' '.repeat(found.length)
  const text = buffer
    .toString('latin1')
    .replace(collection, spaces)
    .replace(number, spaces)
    .replace(word, found =>
      (found.startsWith('/') ? isOfFormat(found.slice(1)) : keywords.has(found)) ? spaces(found) : found,
    )
  return Buffer.from(text, 'latin1')
}
