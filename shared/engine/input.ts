import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { EngineError } from './errors.ts'
import type { Input, Output } from './formats/format.ts'

/** Bytes per chunk of a stream: from memory, and from a file. */
const pieceBytes = 64 * 1024
const filePieceBytes = 256 * 1024

/** An input whose bytes are in memory. */
export function bufferInput(name: string, bytes: Uint8Array): Input {
  return {
    name,
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, Math.max(start, end)),
    async *stream(start = 0, end = bytes.length) {
      const stop = Math.min(end, bytes.length)
      for (let at = start; at < stop; at += pieceBytes) yield bytes.subarray(at, Math.min(at + pieceBytes, stop))
    },
  }
}

/** An input that is a file on disk; `name` is what reports show, the file's own name when absent. */
export async function fileInput(path: string, name: string = basename(path)): Promise<Input> {
  const { size } = await stat(path)
  return {
    name,
    size,
    async read(start, end) {
      const wanted = Math.max(0, Math.min(end, size) - start)
      if (wanted === 0) return new Uint8Array()
      await using file = await open(path)
      const buffer = Buffer.allocUnsafe(wanted)
      let filled = 0
      while (filled < wanted) {
        const { bytesRead } = await file.read(buffer, filled, wanted - filled, start + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    },
    async *stream(start = 0, end = size) {
      const stop = Math.min(end, size)
      if (stop <= start) return
      await using file = await open(path)
      // One buffer is filled while the other is looked at: memory stays the same however long the file is.
      const length = Math.min(filePieceBytes, stop - start)
      const buffers = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)] as const
      const fill = (buffer: Buffer, at: number) => file.read(buffer, 0, Math.min(length, stop - at), at)
      let at = start
      let coming = fill(buffers[0], at)
      for (let turn = 1; ; turn = 1 - turn) {
        const { bytesRead, buffer } = await coming
        at += bytesRead
        if (bytesRead === 0) return
        const more = at < stop
        if (more) {
          coming = fill(buffers[turn]!, at)
          // Whoever stops reading leaves it behind.
          coming.catch(() => {})
        }
        yield buffer.subarray(0, bytesRead)
        if (!more) return
      }
    },
  }
}

/** All bytes of an input; throws `limit_exceeded` when there are more than `limit`. */
export async function readAll(input: Input, limit: number): Promise<Uint8Array> {
  if (input.size > limit) throw new EngineError('limit_exceeded', `The file is larger than ${limit} bytes`)
  return input.read(0, input.size)
}

/** An output kept in memory, with what was written so far. */
export function bufferOutput(): Output & { bytes(): Uint8Array } {
  const pieces: Uint8Array[] = []
  return {
    // Copied, because a writer may use its buffer again.
    async write(bytes) {
      pieces.push(new Uint8Array(bytes))
    },
    bytes: () => Buffer.concat(pieces),
  }
}

/** An output that is a file on disk; `close` resolves when all of it is written. */
export function fileOutput(path: string): Output & { close(): Promise<void> } {
  const stream = createWriteStream(path)
  let failure: Error | undefined
  stream.on('error', error => {
    failure = error
  })
  return {
    write: bytes =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure)
        else stream.write(bytes, error => (error ? reject(error) : resolve()))
      }),
    close: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure)
        else stream.end((error?: Error | null) => (error ? reject(error) : resolve()))
      }),
  }
}
