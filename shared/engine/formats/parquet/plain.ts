import type { ParquetType } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import type { Stored } from './values.ts'

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength)

function byteArrays(values: readonly string[]): Buffer {
  let length = 0
  for (const value of values) length += 4 + value.length
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const value of values) {
    at = bytes.writeUInt32LE(value.length, at)
    at += bytes.write(value, at, 'latin1')
  }
  return bytes
}

function bits(values: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc((values.length + 7) >> 3)
  values.forEach((value, index) => {
    if (value) bytes[index >> 3]! |= 1 << (index & 7)
  })
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

/** Values in the encoding PLAIN. */
export function plain(values: readonly Stored[], type: ParquetType): Buffer {
  if (type === 'BYTE_ARRAY') return byteArrays(values as string[])
  if (type === 'FIXED_LEN_BYTE_ARRAY') return Buffer.from((values as string[]).join(''), 'latin1')
  if (type === 'INT32') return bytesOf(Int32Array.from(values as number[]))
  if (type === 'INT64') return bytesOf(BigInt64Array.from(values as bigint[]))
  if (type === 'DOUBLE') return bytesOf(Float64Array.from(values as number[]))
  if (type === 'FLOAT') return bytesOf(Float32Array.from(values as number[]))
  if (type === 'BOOLEAN') return bits(values as boolean[])
  if (type === 'INT96') return int96(values as bigint[])
  throw new EngineError('unsupported_format', 'A column has a type that cannot be written')
}
