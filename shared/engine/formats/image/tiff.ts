import { constants, deflateSync, inflateSync } from 'node:zlib'
import UTIF from 'utif2'
import { EngineError } from '../../errors.ts'
import type { Bitmap } from './bitmap.ts'
import { jpegSize, type Size } from './size.ts'

type Directory = { [tag: string]: unknown }

const numberOf = (directory: Directory, tag: number): number => {
  const entry = directory[`t${tag}`]
  return Array.isArray(entry) && typeof entry[0] === 'number' ? entry[0] : 0
}

/** Throws where the list of pages comes back to one that it has been at: the library would never leave it. */
const checkPages = (file: Buffer): void => {
  const little = file.toString('latin1', 0, 2) === 'II'
  const number = (at: number, size: 2 | 4) => {
    if (at + size > file.length) return 0
    return little ? file.readUIntLE(at, size) : file.readUIntBE(at, size)
  }
  const seen = new Set<number>()
  for (let at = number(4, 4); at !== 0; at = number(at + 2 + number(at, 2) * 12, 4)) {
    if (seen.has(at)) throw new EngineError('corrupt_file', 'The pages of the TIFF follow each other in a ring')
    seen.add(at)
  }
}

const deflated = [8, 32_946]
const jpegs = [6, 7]

/** Throws where a strip or tile of a page holds far more than the page has room for. */
const checkStrips = (file: Buffer, page: Directory, { width, height }: Size): void => {
  const list = (tag: number) => (Array.isArray(page[`t${tag}`]) ? (page[`t${tag}`] as number[]) : [])
  const isTiled = list(273).length === 0
  const [starts, lengths] = isTiled ? [list(324), list(325)] : [list(273), list(279)]
  const compression = numberOf(page, 259)
  // 16 bits in each of five channels; tiles are filled up to their size.
  const room = (width + (isTiled ? 1024 : 8)) * (height + (isTiled ? 1024 : 8)) * 10
  starts.forEach((start, n) => {
    const strip = file.subarray(start, start + (lengths[n] ?? 0))
    if (deflated.includes(compression))
      inflateSync(strip, { maxOutputLength: room, finishFlush: constants.Z_SYNC_FLUSH })
    const inner = jpegs.includes(compression) ? jpegSize(strip) : undefined
    if (inner && inner.width * inner.height * 10 > room)
      throw new EngineError('limit_exceeded', 'A picture in the TIFF is larger than its page')
  })
}

/** Size of every page of a TIFF, before any of them is decoded. Throws where decoding could do harm. */
export const tiffSizes = (bytes: Uint8Array): Size[] => {
  const file = Buffer.from(bytes)
  checkPages(file)
  return UTIF.decode(file).map(page => {
    const perUnit = numberOf(page, 282)
    const dpi = perUnit * ([0, 0, 1, 2.54][numberOf(page, 296) || 2] ?? 0)
    const size = { width: numberOf(page, 256), height: numberOf(page, 257), dpi: dpi || undefined }
    checkStrips(file, page, size)
    return size
  })
}

/** The pages of a TIFF. Throws when one can't be decoded. */
export const decodeTiff = (bytes: Uint8Array): Bitmap[] => {
  const file = Buffer.from(bytes)
  return UTIF.decode(file).map(page => {
    UTIF.decodeImage(file, page)
    const data = UTIF.toRGBA8(page)
    if (data.length !== page.width * page.height * 4) throw new Error('A page of the TIFF cannot be decoded')
    return { width: page.width, height: page.height, data: new Uint8ClampedArray(data) }
  })
}

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
