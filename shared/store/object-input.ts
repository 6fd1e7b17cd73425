import type { Input } from 'anonymisation-engine'
import { type ObjectKey, readObject, readWhole } from './objects.ts'

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

/** An object as a file that is opened once; a small one is read whole and kept as long as the file is. */
export function objectInputOnce(object: ObjectKey, name: string, size: number): Input {
  const input = objectInput(object, name, size)
  if (size > SMALL_BYTES) return input
  let reading: Promise<Uint8Array> | undefined
  const read = async (start: number, end: number) => {
    reading ??= input.read(0, size)
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
