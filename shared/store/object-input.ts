import type { Input } from 'anonymisation-engine'
import { type ObjectKey, type Piece, readObject, readPiece, readWhole } from './objects.ts'

/** An object as a file that the engine can read here and there. */
export const objectInput = (object: ObjectKey, name: string, size: number): Input => ({
  name,
  size,
  read: async (start, end) => (start < size ? readWhole(object, start, Math.min(end, size)) : new Uint8Array()),
  async *stream(start = 0, end = size) {
    if (start < Math.min(end, size)) yield* await readObject(object, start, Math.min(end, size))
  },
})

/** Files up to this size are read by one request rather than here and there, bytes. */
const SMALL_BYTES = 1024 ** 2

/** The start of a file that is read before anything is known of it, and the whole of a small one; undefined if that fails. */
export type Begun = Promise<Piece | undefined>

/** Begins to read a file. */
export const beginObject = (object: ObjectKey): Begun => readPiece(object, 0, SMALL_BYTES).catch(() => undefined)

/**
 * An object as a file that is opened once; a small one is read whole and kept as long as the file is.
 * @param begun what was read of it before; it counts if it is the content that the object is asked for.
 */
export function objectInputOnce(object: ObjectKey, name: string, size: number, begun?: Begun): Input {
  const input = objectInput(object, name, size)
  if (size > SMALL_BYTES) return input
  const whole = async () => {
    const piece = await begun
    const isIt = piece?.size === size && (object.etag ?? piece.etag) === piece.etag
    return isIt ? piece.bytes : input.read(0, size)
  }
  let reading: Promise<Uint8Array> | undefined
  const read = async (start: number, end: number) => {
    reading ??= whole()
    return (await reading).subarray(start, end)
  }
  return {
    ...input,
    read,
    async *stream(start = 0, end = size) {
      yield await read(start, end)
    },
  }
}
