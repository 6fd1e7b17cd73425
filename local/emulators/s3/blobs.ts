import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Bytes that an object or a part is made of: a file, or themselves in base64 where they are few. Its name is random: no name from
 * outside reaches the disk.
 */
export interface Segment {
  blob: string
  size: number
  content?: string
}

/** The files that hold the contents of objects. */
export interface Blobs {
  /** Keeps what comes, piece by piece, and returns where; leaves nothing behind if it fails. */
  write(source: AsyncIterable<Uint8Array>): Promise<Segment>
  /** The bytes of segments from `start` on, so many, piece by piece; a file that is being read is only removed afterwards. */
  read(segments: Segment[], start: number, length: number): AsyncGenerator<Buffer>
  remove(segments: Segment[]): void
  /** Removes files older than this process that nothing refers to: uploads that a crash cut off. */
  sweep(isUsed: (blob: string) => boolean): Promise<void>
}

// What comes in small pieces goes to the disk in larger ones.
const BATCH = 512 * 1024

/** Most bytes without a file of their own: to make one, write, read and remove it takes longer than all else that is done with few. */
const FEW = 8 * 1024

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
      let file: FileHandle | undefined
      let size = 0
      let waiting: Uint8Array[] = []
      let held = 0
      const flush = async () => {
        file ??= await open(path(blob), 'wx', 0o600)
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
        if (size <= FEW) return { blob, size, content: Buffer.concat(waiting).toString('base64') }
        await flush()
      } catch (error) {
        if (file) discard(blob)
        throw error
      } finally {
        await file?.close()
      }
      return { blob, size }
    },
    async *read(segments, start, length) {
      hold(segments, 1)
      try {
        let [skip, left] = [start, length]
        for (const { blob, size, content } of segments) {
          const take = Math.min(size - skip, left)
          if (take > 0) {
            if (content !== undefined) yield Buffer.from(content, 'base64').subarray(skip, skip + take)
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
      for (const { blob, content } of segments) {
        if (content !== undefined) continue
        if (readers.has(blob)) doomed.add(blob)
        else discard(blob)
      }
    },
    async sweep(isUsed) {
      for (const blob of await readdir(directory)) {
        const old = await stat(path(blob)).catch(() => undefined)
        if (old && old.mtimeMs < started - 1000 && !isUsed(blob)) discard(blob)
      }
    },
  }
}
