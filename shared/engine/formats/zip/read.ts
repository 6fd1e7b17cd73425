import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import yauzl from 'yauzl'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'

/** A file inside an archive. Sizes in bytes, as the archive's directory states them; reading checks that they are true. */
export type ZipEntry = { name: string; size: number; method: number }

/** An archive whose directory has been checked against the limits and against overlapping or forged entries. */
export type Zip = {
  entries: ZipEntry[]
  /** The whole content; its length and checksum are right, or it throws `corrupt_file`. */
  bytes(name: string): Promise<Buffer>
  /** The content in pieces, checked in the same way by the time it ends. */
  stream(name: string): AsyncIterable<Buffer>
  close(): void
}

/** Below this size the whole archive is held in memory, which spares reads for every entry. */
const heldBytes = 64 * 1024 * 1024

/** Above this size it is held only where it has more entries than this: large workbooks have few, and each is streamed. */
const streamed = { bytes: 8 * 1024 * 1024, entries: 32 }

/** Below this size a high ratio does no harm: a few kilobytes of blanks are not a bomb. */
const harmlessBytes = 1024 * 1024

/** Opens a ZIP archive that nobody vouches for. Throws `corrupt_file`, `encrypted_file` or `limit_exceeded`. */
export async function openZip(input: Input, context: FormatContext): Promise<Zip> {
  if (input.size > context.limits.bytes) throw new EngineError('limit_exceeded', 'The file is too large')
  const file = await translate(() => open(input))
  try {
    const entries = await translate(() => directory(file, context))
    return archive(file, entries)
  } catch (error) {
    file.close()
    throw error
  }
}

function archive(file: yauzl.ZipFile, entries: Map<string, Checked>): Zip {
  const entryOf = (name: string) => {
    const found = entries.get(name)
    if (found === undefined) throw new EngineError('corrupt_file', 'A part of the archive is missing')
    return found
  }
  return {
    entries: [...entries].map(([name, { entry }]) => ({
      name,
      size: entry.uncompressedSize,
      method: entry.compressionMethod,
    })),
    bytes: name =>
      translate(async () => {
        const { entry } = entryOf(name)
        const raw = await collect(await file.openReadStreamPromise(entry, { decodeFileData: false }))
        // One byte more than stated, so that a longer content is noticed and not cut.
        const limit = { maxOutputLength: entry.uncompressedSize + 1 }
        const content = entry.compressionMethod === 0 ? raw : inflateRawSync(raw, limit)
        if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32)
          throw new EngineError('corrupt_file', 'A part of the archive does not match its checksum')
        return content
      }),
    stream: name => checked(file, entryOf(name).entry),
    close: () => file.close(),
  }
}

/** Bytes that are unpacked at once: each time costs a turn of the event loop. */
const unpackedAtOnce = 128 * 1024

async function* checked(file: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Buffer> {
  let sum = 0
  let size = 0
  try {
    const raw = await file.openReadStreamPromise(entry, { decodeFileData: false })
    // What goes wrong in the one is thrown by the other, which is read here.
    const content =
      entry.compressionMethod === 0 ? raw : pipeline(raw, createInflateRaw({ chunkSize: unpackedAtOnce }), () => {})
    for await (const chunk of content as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      size += chunk.length
      if (size > entry.uncompressedSize) break
      yield chunk
    }
  } catch (error) {
    throw asCorrupt(error)
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32)
    throw new EngineError('corrupt_file', 'A part of the archive does not match its checksum')
}

type Checked = { entry: yauzl.Entry; start: number; end: number }

async function directory(file: yauzl.ZipFile, context: FormatContext): Promise<Map<string, Checked>> {
  const { limits, signal } = context
  if (file.entryCount > limits.entries) throw new EngineError('limit_exceeded', 'The archive has too many entries')
  const entries = new Map<string, Checked>()
  const folded = new Set<string>()
  let total = 0
  for await (const entry of file.eachEntry()) {
    signal.throwIfAborted()
    if (entry.isEncrypted()) throw new EngineError('encrypted_file')
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw new EngineError('corrupt_file', 'The archive uses an unknown compression')
    total += entry.uncompressedSize
    if (total > limits.inflatedBytes) throw new EngineError('limit_exceeded', 'The archive is too large when unpacked')
    if (entry.uncompressedSize > harmlessBytes && entry.uncompressedSize > entry.compressedSize * limits.ratio)
      throw new EngineError('limit_exceeded', 'The archive is compressed beyond the limit')
    const key = entry.fileName.toLowerCase()
    if (folded.has(key)) throw new EngineError('corrupt_file', 'The archive holds two entries of one name')
    folded.add(key)
    const header = await file.readLocalFileHeaderPromise(entry)
    if (!header.fileName.equals(entry.fileNameRaw))
      throw new EngineError('corrupt_file', 'The archive names an entry in two ways')
    const start = entry.relativeOffsetOfLocalHeader
    entries.set(entry.fileName, { entry, start, end: header.fileDataStart + entry.compressedSize })
  }
  const placed = [...entries.values()].sort((a, b) => a.start - b.start)
  for (let i = 1; i < placed.length; i++)
    if (placed[i]!.start < placed[i - 1]!.end) throw new EngineError('corrupt_file', 'Entries of the archive overlap')
  return new Map([...entries].filter(([name]) => !name.endsWith('/')))
}

const directoryEnd = { signature: Buffer.from('PK\u0005\u0006', 'latin1'), size: 22, comment: 0xffff }

/** An archive without what some programs append to it; readers find its directory from the end. */
async function withoutTrailer(input: Input): Promise<Input> {
  const from = Math.max(0, input.size - directoryEnd.size - 2 * directoryEnd.comment)
  const tail = Buffer.from(await input.read(from, input.size))
  for (let at = tail.length; at >= 0; ) {
    at = tail.lastIndexOf(directoryEnd.signature, at)
    if (at < 0 || at + directoryEnd.size > tail.length) {
      at--
      continue
    }
    const end = at + directoryEnd.size + tail.readUInt16LE(at + 20)
    const listed = tail.readUInt32LE(at + 12) + tail.readUInt32LE(at + 16)
    if (end <= tail.length && listed === from + at) return { ...input, size: from + end }
    at--
  }
  return input
}

async function open(whole: Input): Promise<yauzl.ZipFile> {
  const input = await withoutTrailer(whole)
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
  if (input.size > streamed.bytes) {
    const file = await yauzl.fromRandomAccessReaderPromise(new InputReader(input), input.size, options)
    if (input.size > heldBytes || file.entryCount <= streamed.entries) return file
    file.close()
  }
  return yauzl.fromBufferPromise(Buffer.from(await input.read(0, input.size)), options)
}

class InputReader extends yauzl.RandomAccessReader {
  readonly #input: Input
  constructor(input: Input) {
    super()
    this.#input = input
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(copies(this.#input.stream(start, end)), { objectMode: false })
  }
  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }
}

/** Pieces that stay as they are: the library reads ahead. */
async function* copies(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asCorrupt(error)
  }
}

function asCorrupt(error: unknown): unknown {
  if (error instanceof EngineError || (error instanceof Error && error.name === 'AbortError')) return error
  // The library refuses these before it hands out the entry.
  if (error instanceof Error && /strong encryption/.test(error.message)) return new EngineError('encrypted_file')
  return new EngineError('corrupt_file', 'The archive is damaged')
}
