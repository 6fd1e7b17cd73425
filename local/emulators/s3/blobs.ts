import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../aws/database.ts'

/**
 * Bytes that an object or a part is made of: a file or, where they are few, a row. Its name is random: no name from outside reaches the
 * disk.
 */
export interface Segment {
  blob: string
  size: number
  isRow?: true
}

/** What holds the contents of objects. */
export interface Blobs {
  /** Keeps what comes, piece by piece, and returns where; leaves nothing behind if it fails. */
  write(source: AsyncIterable<Uint8Array>): Promise<Segment>
  /** The bytes of segments from `start` on, so many, piece by piece; a file that is being read is only removed afterwards. */
  read(segments: Segment[], start: number, length: number): AsyncGenerator<Buffer>
  remove(segments: Segment[]): void
  /** Removes what is older than this process and nothing refers to: uploads that a crash cut off. */
  sweep(isUsed: (blob: string) => boolean): Promise<void>
}

// What comes in small pieces goes to the disk in larger ones.
const BATCH = 512 * 1024

/** Most bytes without a file of their own: to make one, write, read and remove it takes longer than all else that is done with few. */
const FEW = 8 * 1024

/** Opens the files in a directory, and the rows of a database. */
export function openBlobs(directory: string, database: Database): Blobs {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  database.run('CREATE TABLE IF NOT EXISTS contents (blob TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID')
  const rows = rowsOf(database)
  const started = Date.now()
  const readers = new Map<string, number>()
  const doomed = new Set<string>()
  const path = (blob: string) => join(directory, blob)
  const discard = (blob: string) => {
    if (!rows.remove(blob)) void unlink(path(blob)).catch(() => undefined)
  }

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
      const { size, few } = await keep(path(blob), source)
      if (!few) return { blob, size }
      rows.add(blob, few)
      return { blob, size, isRow: true }
    },
    async *read(segments, start, length) {
      hold(segments, 1)
      try {
        let [skip, left] = [start, length]
        for (const { blob, size, isRow } of segments) {
          const take = Math.min(size - skip, left)
          if (take > 0) {
            if (isRow) yield rows.get(blob).subarray(skip, skip + take)
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
      for (const blob of rows.before) if (!isUsed(blob)) discard(blob)
      for (const blob of await readdir(directory)) {
        const old = await stat(path(blob)).catch(() => undefined)
        if (old && old.mtimeMs < started - 1000 && !isUsed(blob)) discard(blob)
      }
    },
  }
}

/** Writes what comes to a file, unless it is few bytes: then it returns these. Leaves no file behind if it fails. */
async function keep(path: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number; few?: Buffer }> {
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
    if (size <= FEW) return { size, few: Buffer.concat(waiting) }
    await flush()
  } catch (error) {
    if (file) void unlink(path).catch(() => undefined)
    throw error
  } finally {
    await file?.close()
  }
  return { size }
}

/** Contents of few bytes, by their names; `before` are those that were there when they were opened. */
function rowsOf(database: Database) {
  type Row = { blob: string; bytes: Uint8Array }
  return {
    before: database.all<Row>('SELECT blob FROM contents').map(({ blob }) => blob),
    add: (blob: string, bytes: Buffer) => void database.run('INSERT INTO contents VALUES (?, ?)', blob, bytes),
    get: (blob: string) => Buffer.from(database.get<Row>('SELECT bytes FROM contents WHERE blob = ?', blob)!.bytes),
    /** Whether it was there. */
    remove: (blob: string) => database.run('DELETE FROM contents WHERE blob = ?', blob) > 0,
  }
}
