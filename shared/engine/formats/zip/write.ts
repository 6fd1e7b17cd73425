import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { EngineError } from '../../errors.ts'
import type { Output } from '../format.ts'

/** An archive being written, entry after entry. */
export type ZipWriter = {
  add(name: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: { store?: boolean }): Promise<void>
  /** Writes the directory; nothing more can be added. */
  end(): Promise<void>
}

const packed = promisify(deflateRaw)

/** Bytes that are given out at once of what is packed: each time costs a turn of the event loop. */
const packedAtOnce = 64 * 1024

/** What the format states of an entry. `streamed`: its sizes and checksum stand behind it, as they weren't known before. */
type Facts = { streamed: boolean; stored: boolean; sum: number; packed: number; size: number }

const unknown = { sum: 0, packed: 0, size: 0 }

/** Names in UTF-8; sizes and checksum behind the content. */
const flags = { utf8: 1 << 11, streamed: 1 << 3 }

/** Version 2.0 of the format, which knows folders and deflated entries; made on Unix by version 6.3. */
const versions = { needed: 20, made: (3 << 8) | 63 }

/** 1 January 1980, the first day that an archive can name, in the format's notation. */
const firstDay = 0x21

/** A file that its owner may read and write and others may read, as Unix states it. */
const fileMode = (0o100644 << 16) >>> 0

/** Sizes and offsets from here on, and numbers of entries, would need another form of archive, which no reader here takes. */
const most = { bytes: 0xffff_ffff, entries: 0xffff }

/** Numbers of 2 and of 4 bytes, the least significant byte first. */
function numbers(...all: (readonly [bytes: 2 | 4, number: number])[]): Buffer {
  const written = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, number] of all) at = written.writeUIntLE(number, at, bytes)
  return written
}

/** What the header of an entry and the directory both state of it. */
const headerOf = (name: Buffer, { streamed, stored, sum, packed, size }: Facts) => [
  numbers([2, versions.needed], [2, flags.utf8 | (streamed ? flags.streamed : 0)], [2, stored ? 0 : 8], [2, 0]),
  numbers([2, firstDay], [4, sum], [4, packed], [4, size], [2, name.length], [2, 0]),
]

function within(value: number, limit: number): void {
  if (value >= limit) throw new EngineError('limit_exceeded', 'The archive would become too large')
}

/** A ZIP writer without time stamps, comments or other traces of when and where it ran. */
export function zipWriter(output: Output): ZipWriter {
  const directory: Buffer[] = []
  let entries = 0
  let offset = 0
  /** Settles when all that was added is written. */
  let done = Promise.resolve()
  const write = async (bytes: Uint8Array) => {
    await output.write(bytes)
    offset += bytes.length
  }
  const begin = async (name: Buffer, facts: Facts) => {
    within(++entries, most.entries)
    await write(Buffer.concat([numbers([4, 0x04034b50]), ...headerOf(name, facts), name]))
  }
  const list = (name: Buffer, start: number, facts: Facts) => {
    for (const value of [start, facts.packed, facts.size]) within(value, most.bytes)
    const rest = numbers([2, 0], [2, 0], [2, 0], [4, fileMode], [4, start])
    directory.push(numbers([4, 0x02014b50], [2, versions.made]), ...headerOf(name, facts), rest, name)
  }
  const addWhole = async (name: Buffer, content: Uint8Array, bytes: Promise<Uint8Array>, stored: boolean) => {
    const start = offset
    const known = await bytes
    const facts = { streamed: false, stored, sum: crc32(content), packed: known.length, size: content.length }
    await begin(name, facts)
    await write(known)
    list(name, start, facts)
  }
  const addStream = async (name: Buffer, content: AsyncIterable<Uint8Array>, stored: boolean) => {
    const start = offset
    const facts: Facts = { streamed: true, stored, ...unknown }
    await begin(name, facts)
    const from = offset
    const source = Readable.from(summed(content, facts), { objectMode: false })
    // What goes wrong in the one is thrown by the other, which is read here.
    const deflater = createDeflateRaw({ level: 3, chunkSize: packedAtOnce })
    for await (const bytes of stored ? source : pipeline(source, deflater, () => {})) await write(bytes)
    facts.packed = offset - from
    list(name, start, facts)
    await write(numbers([4, 0x08074b50], [4, facts.sum], [4, facts.packed], [4, facts.size]))
  }
  return {
    async add(name, content, { store = false } = {}) {
      const written = Buffer.from(name.replaceAll('\\', '/'))
      if (content instanceof Uint8Array) {
        const bytes = store ? Promise.resolve(content) : packed(content)
        // The next entry can be made while this one is packed.
        done = Promise.all([bytes, done]).then(() => addWhole(written, content, bytes, store))
        done.catch(() => {})
      } else {
        await done
        await addStream(written, content, store)
      }
    },
    async end() {
      await done
      const start = offset
      within(start, most.bytes)
      await write(Buffer.concat(directory))
      const sizes = [[2, entries] as const, [2, entries] as const, [4, offset - start] as const, [4, start] as const]
      await write(numbers([4, 0x06054b50], [2, 0], [2, 0], ...sizes, [2, 0]))
    },
  }
}

/** The same pieces, whose length and checksum are noted. */
async function* summed(content: AsyncIterable<Uint8Array>, facts: Facts): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    facts.sum = crc32(piece, facts.sum)
    facts.size += piece.length
    yield piece
  }
}
