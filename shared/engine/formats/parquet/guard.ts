import type { Encoding } from 'hyparquet'
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { EngineError } from '../../errors.ts'

/** How a page is laid out: its values and its levels, each with the greatest there is. */
export type Layout = {
  count: number
  encoding: Encoding
  repeats: number
  defines: number
  boolean: boolean
  /** Bytes of the levels where the header says them (second version); else each begins with its length. */
  levels?: { repeats: number; defines: number }
}

const damaged = () => new EngineError('corrupt_file', 'A page does not hold what its header says')
const widthOf = (most: number) => 32 - Math.clz32(most)

/** Throws unless runs of numbers of `width` bits, from `start` to `end`, hold about `count` of them and no more. */
function checkRuns(bytes: DataView, start: number, end: number, width: number, count: number): void {
  if (start > end || end > bytes.byteLength || width > 32) throw damaged()
  const reader = { view: bytes, offset: start }
  for (let seen = 0; seen < count && reader.offset < end; ) {
    const header = readVarInt(reader)
    const number = (header >>> 1) * ((header & 1) === 1 ? 8 : 1)
    reader.offset += (header & 1) === 1 ? (header >>> 1) * width : (width + 7) >> 3
    seen += number
    // The last run of packed numbers may be filled up.
    if (number === 0 || seen > count + ((header & 1) === 1 ? 511 : 0)) throw damaged()
  }
}

/** Throws unless texts that each begin like the one before come to no more than `most` bytes. */
function checkPrefixes(view: DataView, offset: number, count: number, most: number): void {
  const reader = { view, offset }
  const prefixes = new Int32Array(count)
  const rests = new Int32Array(count)
  deltaBinaryUnpack(reader, count, prefixes)
  deltaBinaryUnpack(reader, count, rests)
  let before = 0
  let total = 0
  for (let index = 0; index < count; index++) {
    const prefix = prefixes[index]!
    if (prefix < 0 || rests[index]! < 0 || prefix > before) throw damaged()
    before = prefix + rests[index]!
    total += before
    if (total > most) throw new EngineError('limit_exceeded', 'A page of the file is too large')
  }
}

/**
 * Looks at a page, unpacked, before it is read: the numbers of runs and of shared beginnings in it must be those that its
 * header and its length allow, as a reader would fill the memory with what a few forged bytes announce.
 */
export function checkPage(page: Uint8Array, layout: Layout, most: number): void {
  const { count, encoding, repeats, defines, boolean, levels } = layout
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  let at = 0
  for (const [greatest, length] of [
    [repeats, levels?.repeats],
    [defines, levels?.defines],
  ] as const) {
    if (levels === undefined && greatest === 0) continue
    const own = length ?? view.getUint32(at, true)
    const start = length === undefined ? at + 4 : at
    if (greatest > 0) checkRuns(view, start, start + own, widthOf(greatest), count)
    at = start + own
    if (at > page.length) throw damaged()
  }
  if (at === page.length) return
  if (encoding.endsWith('_DICTIONARY')) checkRuns(view, at + 1, page.length, view.getUint8(at), count)
  else if (encoding === 'RLE' && boolean) checkRuns(view, at + 4, page.length, 1, count)
  else if (encoding === 'DELTA_BYTE_ARRAY') {
    // Those that are null have no text.
    const number = { view, offset: at }
    readVarInt(number)
    readVarInt(number)
    const present = readVarInt(number)
    if (!(present >= 0 && present <= count)) throw damaged()
    checkPrefixes(view, at, present, most)
  }
}
