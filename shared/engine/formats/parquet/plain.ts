import type { ParquetType } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import type { Slice } from './rows.ts'
import type { Stored } from './values.ts'
import { ofTexts, valueAt, vectorOf } from './vectors.ts'

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength)

/** Bytes that some values take: those of texts with their lengths. */
export function sizeOf({ values, edits }: Slice): number {
  const { entries, ids, from, to } = values
  const { stretches } = entries
  if (!stretches) return (to - from) * 8
  const { starts, ends, framed } = stretches
  let size = 0
  if (!ids && framed && to > from) size = ends[to - 1]! - starts[from]! + 4
  else
    for (let at = from; at < to; at++) {
      const entry = ids ? ids[at]! : at
      size += ends[entry]! - starts[entry]! + 4
    }
  if (edits)
    for (let index = 0; index < edits.at.length; index++) {
      const entry = ids ? ids[from + edits.at[index]!]! : from + edits.at[index]!
      size += edits.texts[index]!.length - (ends[entry]! - starts[entry]!)
    }
  return size
}

/** Bytes while they are written. */
type Target = { bytes: Buffer; at: number; framed: boolean }

function putLength({ bytes, at }: Target, length: number): void {
  bytes[at] = length
  bytes[at + 1] = length >>> 8
  bytes[at + 2] = length >>> 16
  bytes[at + 3] = length >>> 24
}

function putText(target: Target, text: string): void {
  const { bytes } = target
  if (target.framed) {
    putLength(target, text.length)
    target.at += 4
  }
  for (let index = 0; index < text.length; index++) bytes[target.at + index] = text.charCodeAt(index)
  target.at += text.length
}

/** Writes the values of a slice from one place up to another, none of which has an edit. */
function putValues(target: Target, { values }: Slice, start: number, end: number): void {
  const { entries, ids, from } = values
  const { bytes, starts, ends, framed } = entries.stretches!
  if (start === end) return
  if (!ids && framed && target.framed) {
    target.at += bytes.copy(target.bytes, target.at, starts[from + start]! - 4, ends[from + end - 1])
    return
  }
  for (let at = from + start; at < from + end; at++) {
    const entry = ids ? ids[at]! : at
    const begun = starts[entry]!
    const length = ends[entry]! - begun
    if (target.framed) {
      putLength(target, length)
      target.at += 4
    }
    for (let index = 0; index < length; index++) target.bytes[target.at + index] = bytes[begun + index]!
    target.at += length
  }
}

function byteArrays(slices: readonly Slice[], size: number, framed: boolean): Buffer {
  const target: Target = { bytes: Buffer.allocUnsafe(size), at: 0, framed }
  for (const slice of slices) {
    const { values, edits = { at: [], texts: [] } } = slice
    let done = 0
    for (let index = 0; index < edits.at.length; index++) {
      putValues(target, slice, done, edits.at[index]!)
      putText(target, edits.texts[index]!)
      done = edits.at[index]! + 1
    }
    putValues(target, slice, done, values.to - values.from)
  }
  return target.bytes.subarray(0, target.at)
}

function bits(slices: readonly Slice[], count: number): Buffer {
  const bytes = Buffer.alloc((count + 7) >> 3)
  let done = 0
  for (const { values } of slices) {
    const { entries, ids, from, to } = values
    const list = entries.numbers as ArrayLike<boolean>
    for (let at = from; at < to; at++, done++) if (list[ids ? ids[at]! : at]) bytes[done >> 3]! |= 1 << (done & 7)
  }
  return bytes
}

function int96(values: readonly bigint[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 12)
  values.forEach((value, index) => {
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value), index * 12)
    bytes.writeInt32LE(Number(BigInt.asIntN(32, value >> 64n)), index * 12 + 8)
  })
  return bytes
}

/** Values as a list, in place of which no text stands. */
const listed = (slices: readonly Slice[]): Stored[] =>
  slices.flatMap(({ values }) => Array.from({ length: values.to - values.from }, (_, at) => valueAt(values, at)))

/** Numbers that are stored as they lie in memory. */
function numbers<List extends Int32Array | Float32Array | Float64Array | BigInt64Array>(
  slices: readonly Slice[],
  list: List,
): Buffer {
  let done = 0
  for (const { values } of slices) {
    const { entries, ids, from, to } = values
    const own = entries.numbers as ArrayLike<number>
    if (!ids && own.constructor === list.constructor)
      list.set((own as never as Int32Array).subarray(from, to) as never, done)
    else for (let at = from; at < to; at++) list[done + at - from] = own[ids ? ids[at]! : at]!
    done += to - from
  }
  return bytesOf(list)
}

/** The values of slices, `count` of them that take up to `size` bytes, in the encoding PLAIN. */
export function plainSlices(slices: readonly Slice[], type: ParquetType, count: number, size: number): Buffer {
  if (type === 'BYTE_ARRAY') return byteArrays(slices, size, true)
  if (type === 'FIXED_LEN_BYTE_ARRAY') return byteArrays(slices, size, false)
  if (type === 'INT32') return numbers(slices, new Int32Array(count))
  if (type === 'INT64') return numbers(slices, new BigInt64Array(count))
  if (type === 'DOUBLE') return numbers(slices, new Float64Array(count))
  if (type === 'FLOAT') return numbers(slices, new Float32Array(count))
  if (type === 'BOOLEAN') return bits(slices, count)
  if (type === 'INT96') return int96(listed(slices) as bigint[])
  throw new EngineError('unsupported_format', 'A column has a type that cannot be written')
}

/** Values in the encoding PLAIN. */
export function plain(values: readonly Stored[], type: ParquetType): Buffer {
  const isText = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY'
  const entries = isText ? ofTexts(values as string[]) : { numbers: values as number[] }
  const slice = { count: values.length, values: vectorOf(entries) }
  return plainSlices([slice], type, values.length, sizeOf(slice))
}
