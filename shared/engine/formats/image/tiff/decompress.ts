import { constants, inflateSync, zstdDecompressSync } from 'node:zlib'
import { EngineError } from '../../../errors.ts'

const damaged = () => new EngineError('corrupt_file', 'A part of the TIFF cannot be decompressed')

/** PackBits (TIFF 6.0, section 9), at most `size` bytes. */
export function unpackBits(source: Uint8Array, size: number): Uint8Array {
  const target = new Uint8Array(size)
  let to = 0
  for (let at = 0; at < source.length && to < size; ) {
    const header = source[at++]!
    if (header < 128) {
      const run = source.subarray(at, at + Math.min(header + 1, size - to))
      target.set(run, to)
      to += run.length
      at += header + 1
    } else if (header > 128) {
      const end = Math.min(size, to + 257 - header)
      target.fill(source[at++] ?? 0, to, end)
      to = end
    }
  }
  return target
}

const clear = 256
const end = 257
const firstFree = 258
const longestCode = 12

/** LZW as TIFF has it (TIFF 6.0, section 13: codes from the highest bit, widened one code early), at most `size` bytes. */
export function unpackLzw(source: Uint8Array, size: number): Uint8Array {
  const target = new Uint8Array(size)
  // Each code is a stretch of what was written: where it begins, and how long it is.
  const starts = new Int32Array(1 << longestCode)
  const lengths = new Int32Array(1 << longestCode)
  let [to, next, width, last] = [0, firstFree, 9, -1]
  let [bits, held] = [0, 0]
  for (let at = 0; to < size; ) {
    while (held < width && at < source.length) {
      bits = ((bits << 8) | source[at++]!) & 0xff_ff_ff
      held += 8
    }
    if (held < width) break
    held -= width
    const code = (bits >>> held) & ((1 << width) - 1)
    if (code === end) break
    if (code === clear) {
      ;[next, width, last] = [firstFree, 9, -1]
      continue
    }
    const begun = to
    if (code < clear) target[to++] = code
    else {
      const isNew = code === next && last >= 0
      if (!isNew && (code >= next || code < firstFree)) throw damaged()
      const from = isNew ? last : starts[code]!
      const length = isNew ? begun - last + 1 : lengths[code]!
      for (let n = 0; n < length && to < size; n++) target[to++] = target[from + n]!
    }
    if (last >= 0 && next < starts.length) {
      starts[next] = last
      lengths[next] = begun - last + 1
      next++
    }
    last = begun
    if (next + 1 >= 1 << width && width < longestCode) width++
  }
  return target
}

/** Deflate with a zlib header, at most `size` bytes; a stream that is cut off gives what it has. */
export function unpackDeflate(source: Uint8Array, size: number): Uint8Array {
  return inflateSync(source, { maxOutputLength: size, finishFlush: constants.Z_SYNC_FLUSH })
}

/** Zstandard, at most `size` bytes. */
export function unpackZstd(source: Uint8Array, size: number): Uint8Array {
  return zstdDecompressSync(source, { maxOutputLength: size })
}

/** Undoes horizontal differencing (TIFF 6.0, section 14) in place: rows of `samples` values of 8 or 16 bits a pixel. */
export function undoDifferences(
  rows: Buffer,
  { rowBytes, samples, bits, little }: { rowBytes: number; samples: number; bits: number; little: boolean },
): void {
  if (bits !== 8 && bits !== 16) throw new EngineError('unsupported_format', 'The TIFF is stored in an unknown way')
  for (let row = 0; row + rowBytes <= rows.length; row += rowBytes) {
    if (bits === 8)
      for (let at = row + samples; at < row + rowBytes; at++) rows[at] = (rows[at]! + rows[at - samples]!) & 0xff
    else {
      const step = samples * 2
      for (let at = row + step; at + 1 < row + rowBytes; at += 2) {
        const before = little ? rows.readUInt16LE(at - step) : rows.readUInt16BE(at - step)
        const value = ((little ? rows.readUInt16LE(at) : rows.readUInt16BE(at)) + before) & 0xffff
        if (little) rows.writeUInt16LE(value, at)
        else rows.writeUInt16BE(value, at)
      }
    }
  }
}
