import type { DataReader } from 'hyparquet'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { EngineError } from '../../errors.ts'

const damaged = () => new EngineError('corrupt_file', 'A page does not hold what its header says')

/** Numbers of `width` bits that are packed one behind the other, from a byte on, into `list` from `seen` up to `end`. */
function unpack(
  bytes: Uint8Array,
  start: number,
  width: number,
  list: Int32Array | Uint16Array,
  seen: number,
  end: number,
) {
  const mask = width === 32 ? -1 : (1 << width) - 1
  for (let index = seen, bit = 0; index < end; index++, bit += width) {
    const at = start + (bit >>> 3)
    const shift = bit & 7
    let value = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> shift
    if (shift + width > 32) value |= bytes[at + 4]! << (32 - shift)
    list[index] = value & mask
  }
}

/** Reads numbers of `width` bits that are stored as runs of one number and as packed ones, until `list` is full. */
export function readRuns(page: Uint8Array, reader: DataReader, width: number, list: Int32Array | Uint16Array): void {
  for (let seen = 0; seen < list.length; ) {
    const header = readVarInt(reader)
    const start = reader.offset
    if ((header & 1) === 1) {
      const groups = header >>> 1
      const end = Math.min(list.length, seen + groups * 8)
      reader.offset = start + groups * width
      if (groups === 0 || reader.offset > page.length) throw damaged()
      unpack(page, start, width, list, seen, end)
      seen = end
    } else {
      const count = header >>> 1
      reader.offset = start + ((width + 7) >> 3)
      if (count === 0 || seen + count > list.length || reader.offset > page.length) throw damaged()
      let value = 0
      for (let at = start; at < reader.offset; at++) value |= page[at]! << ((at - start) * 8)
      list.fill(value, seen, seen + count)
      seen += count
    }
  }
}

/** The levels of a page, which are one run of `usual` in most: nothing then. */
export function readLevels(
  page: Uint8Array,
  reader: DataReader,
  { most, count, usual }: { most: number; count: number; usual: number },
): Uint16Array | undefined {
  const width = 32 - Math.clz32(most)
  const start = reader.offset
  const header = readVarInt(reader)
  const isOneRun = (header & 1) === 0 && header >>> 1 === count
  if (isOneRun && width <= 8 && page[reader.offset] === usual) return undefined
  reader.offset = start
  const list = new Uint16Array(count)
  readRuns(page, reader, width, list)
  for (let at = 0; at < count; at++) if (list[at] !== usual) return list
  return undefined
}
