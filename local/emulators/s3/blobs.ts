import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of bytes that an object or a part is made of. Its name is random: no name from outside reaches the disk. */
export interface Segment {
  blob: string
  size: number
}

/** The files that hold the contents of objects. */
export interface Blobs {
  /** Writes what comes, piece by piece, and returns the new file's name and size; leaves nothing behind if it fails. */
  write(source: AsyncIterable<Uint8Array>): Promise<Segment>
  /** The bytes of segments from `start` on, so many, piece by piece; a file that is being read is only removed afterwards. */
  read(segments: Segment[], start: number, length: number): AsyncGenerator<Buffer>
  remove(segments: Segment[]): void
  /** Removes files older than this process that nothing refers to: uploads that a crash cut off. */
  sweep(isUsed: (blob: string) => boolean): Promise<void>
}

// What comes in small pieces goes to the disk in larger ones.
const BATCH = 512 * 1024

/** Most bytes that are written and read at once: to have another thread do it takes longer, in several turns. */
const FEW = 16 * 1024

/** Opens the files in a directory. */
export function openBlobs(directory: string): Blobs {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const started = Date.now()
  const readers = new Map<string, number>()
  const doomed = new Set<string>()
  const path = (blob: string) => join(directory, blob)
  const discard = (blob: string) => void unlink(path(blob)).catch(() => undefined)

  function hold(segments: Segment[], change: 1 | -1): void {
    for (const { blob } of segments) {
      const count = (readers.get(blob) ?? 0) + change
      if (count > 0) readers.set(blob, count)
      else {
        readers.delete(blob)
        if (doomed.delete(blob)) discard(blob)
      }
    }
  }

  return {
    async write(source) {
      const blob = randomUUID()
      return { blob, size: await writeFile(path(blob), source) }
    },
    async *read(segments, start, length) {
      hold(segments, 1)
      try {
        let [skip, left] = [start, length]
        for (const { blob, size } of segments) {
          const take = Math.min(size - skip, left)
          if (take > 0) {
            if (size <= FEW) yield readFileSync(path(blob)).subarray(skip, skip + take)
            else yield* createReadStream(path(blob), { start: skip, end: skip + take - 1, highWaterMark: 256 * 1024 })
            left -= take
          }
          skip = Math.max(0, skip - size)
        }
      } finally {
        hold(segments, -1)
      }
    },
    remove(segments) {
      for (const { blob } of segments)
        if (readers.has(blob)) doomed.add(blob)
        else discard(blob)
    },
    async sweep(isUsed) {
      for (const blob of await readdir(directory)) {
        const old = await stat(path(blob)).catch(() => undefined)
        if (old && old.mtimeMs < started - 1000 && !isUsed(blob)) discard(blob)
      }
    },
  }
}

/** Writes what comes to a new file and returns its size; leaves none behind if it fails. */
async function writeFile(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  let file: FileHandle | undefined
  let size = 0
  let waiting: Uint8Array[] = []
  let held = 0
  const flush = async () => {
    file ??= await open(path, 'wx', 0o600)
    const { bytesWritten } = await file.writev(waiting)
    if (bytesWritten < held) throw new Error('The disk took only a part of what was written')
    waiting = []
    held = 0
  }
  try {
    for await (const chunk of source) {
      waiting.push(chunk)
      size += chunk.length
      held += chunk.length
      if (held >= BATCH) await flush()
    }
    if (size <= FEW) writeFileSync(path, Buffer.concat(waiting), { flag: 'wx', mode: 0o600 })
    else await flush()
  } catch (error) {
    await file?.close()
    void unlink(path).catch(() => undefined)
    throw error
  }
  await file?.close()
  return size
}
