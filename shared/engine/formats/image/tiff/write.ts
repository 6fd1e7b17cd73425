import { deflateSync } from 'node:zlib'
import type { Bitmap } from '../bitmap.ts'

type Entry = [tag: number, type: 3 | 4, values: number[]]

/** Writes pages as a little-endian TIFF (red, green, blue, opacity; deflated) with nothing but what describes pixels. */
export const encodeTiff = (pages: Bitmap[]): Uint8Array => {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])]
  let size = 8
  let pointer = 4
  const append = (bytes: Buffer): number => {
    const at = size
    // Offsets in a TIFF are even.
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    size += padded.length
    return at
  }
  const patches: [number, number][] = []
  for (const { width, height, data } of pages) {
    const strip = deflateSync(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    const stripAt = append(strip)
    const depthAt = append(Buffer.from(Uint16Array.of(8, 8, 8, 8).buffer))
    const entries: Entry[] = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 4, [depthAt]],
      [259, 3, [8]],
      [262, 3, [2]],
      [273, 4, [stripAt]],
      [277, 3, [4]],
      [278, 4, [height]],
      [279, 4, [strip.length]],
      [284, 3, [1]],
      [338, 3, [2]],
    ]
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    entries.forEach(([tag, type, [value = 0]], i) => {
      const at = 2 + i * 12
      directory.writeUInt16LE(tag, at)
      directory.writeUInt16LE(tag === 258 ? 3 : type, at + 2)
      directory.writeUInt32LE(tag === 258 ? 4 : 1, at + 4)
      directory.writeUInt32LE(value, at + 8)
    })
    const directoryAt = append(directory)
    patches.push([pointer, directoryAt])
    pointer = directoryAt + 2 + entries.length * 12
  }
  const file = Buffer.concat(parts)
  for (const [at, value] of patches) file.writeUInt32LE(value, at)
  return file
}
