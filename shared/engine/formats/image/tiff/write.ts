import { deflateSync } from 'node:zlib'
import type { Bitmaps } from '../bitmap.ts'

/** What a tag says: its value, or where its values are. */
type Entry = [tag: number, type: 3 | 4, value: number[], count?: number]

/** Bytes of a strip before it is deflated: few, as whoever reads it holds it beside the picture. */
const stripBytes = 4 * 1024 * 1024

/** Writes pages as a little-endian TIFF (grey, or red, green, blue, opacity; deflated) with nothing but what describes pixels. */
export const encodeTiff = async (pages: Bitmaps): Promise<Uint8Array> => {
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
  for await (const { width, height, channels = 4, data } of pages) {
    const rows = Math.min(height, Math.max(1, Math.floor(stripBytes / (channels * width))))
    const strips = Array.from({ length: Math.ceil(height / rows) }, (_, n) => {
      const [from, to] = [n * rows, Math.min(height, (n + 1) * rows)].map(row => row * width * channels) as [
        number,
        number,
      ]
      const strip = deflateSync(Buffer.from(data.buffer, data.byteOffset + from, to - from))
      return { at: append(strip), length: strip.length }
    })
    const listed = (numbers: number[]) =>
      numbers.length === 1 ? numbers : [append(Buffer.from(Uint32Array.from(numbers).buffer))]
    const stripsAt = listed(strips.map(({ at }) => at))
    const lengthsAt = listed(strips.map(({ length }) => length))
    const depths = channels === 1 ? [8] : [append(Buffer.from(Uint16Array.of(8, 8, 8, 8).buffer))]
    const entries: Entry[] = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, depths, channels],
      [259, 3, [8]],
      [262, 3, [channels === 1 ? 1 : 2]],
      [273, 4, stripsAt, strips.length],
      [277, 3, [channels]],
      [278, 4, [rows]],
      [279, 4, lengthsAt, strips.length],
      [284, 3, [1]],
      ...(channels === 1 ? [] : [[338, 3, [2]] as Entry]),
    ]
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    entries.forEach(([tag, type, [value = 0], count = 1], i) => {
      const at = 2 + i * 12
      directory.writeUInt16LE(tag, at)
      directory.writeUInt16LE(type, at + 2)
      directory.writeUInt32LE(count, at + 4)
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
