import { Readable } from 'node:stream'
import type { SFTPWrapper } from 'ssh2'
import { SourceError } from '../errors.ts'
import { call } from './sftp-session.ts'

/** Bytes asked for at once (a server that grants less answers less), and how many such requests are under way. */
const PIECE = 255 * 1024
const DEPTH = 16

/**
 * The bytes of an open file from `start` up to `size`. Many requests are under way at the same time: one after the
 * other, each would take a round trip.
 */
export function readFile(sftp: SFTPWrapper, handle: Buffer, start: number, size: number): Readable {
  async function* pieces() {
    const underWay: Promise<Buffer>[] = []
    let next = start
    const ask = () => {
      const length = Math.min(PIECE, size - next)
      const piece = readPiece(sftp, handle, next, length)
      // One that nobody waits for any longer must not count as unhandled.
      piece.catch(() => {})
      underWay.push(piece)
      next += length
    }
    while (next < size && underWay.length < DEPTH) ask()
    for (let first = underWay.shift(); first; first = underWay.shift()) {
      const piece = await first
      if (next < size) ask()
      yield piece
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 8 * PIECE })
}

async function readPiece(sftp: SFTPWrapper, handle: Buffer, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const rest = length - filled
    const read = await call<number>(done => sftp.read(handle, piece, filled, rest, position + filled, done)).catch(
      ended,
    )
    if (!read) throw new SourceError('source_conflict', 'The file became shorter while it was read')
    filled += read
  }
  return piece
}

const END_OF_FILE = 1
const ended = (error: { code?: number }) => {
  if (error.code === END_OF_FILE) return 0
  throw error
}

/** Writes everything of the body into an open file, many requests at a time; gives the number of bytes. */
export async function writeFile(sftp: SFTPWrapper, handle: Buffer, body: Readable): Promise<number> {
  const underWay = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  let position = 0
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    for (let from = 0; from < bytes.length; from += PIECE) {
      const length = Math.min(PIECE, bytes.length - from)
      const at = position
      const write = call<void>(done => sftp.write(handle, bytes, from, length, at, error => done(error, undefined)))
        .catch(error => {
          failure ??= { error }
        })
        .finally(() => underWay.delete(write))
      underWay.add(write)
      position += length
      if (underWay.size >= DEPTH) await Promise.race(underWay)
    }
    if (failure) break
  }
  await Promise.all(underWay)
  if (failure) throw failure.error
  return position
}
