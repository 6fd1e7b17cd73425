import { isUtf8 } from 'node:buffer'
import type { SchemaElement } from 'hyparquet'
import { fromBytes, toBytes } from '../cells/utf8-cells.ts'

/** A whole number with a decimal point `scale` digits from its end. */
function decimal(value: bigint, scale: number): string {
  if (scale <= 0) return String(value)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A signed whole number from its bytes, the highest first. */
function bigEndian(bytes: string): bigint {
  if (bytes === '') return 0n
  const value = BigInt(`0x${Buffer.from(bytes, 'latin1').toString('hex')}`)
  return BigInt.asIntN(bytes.length * 8, value)
}

const daySeconds = 86_400n

/** `2026-11-20`; years outside of four digits are written as ISO 8601 does. */
function isoDay(days: bigint): string {
  const milliseconds = Number(days) * 86_400_000
  // The calendar of the platform ends 270,000 years from now.
  if (!(Math.abs(milliseconds) <= 8.64e15)) return `day ${days}`
  return new Date(milliseconds).toISOString().split('T')[0]!
}

function clock(units: bigint, perSecond: bigint): string {
  const seconds = Number(units / perSecond)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const rest = units % perSecond
  return rest === 0n ? time : `${time}.${String(rest).padStart(String(perSecond).length - 1, '0')}`
}

function moment(value: bigint, perSecond: bigint, utc: boolean): string {
  const perDay = daySeconds * perSecond
  let day = value / perDay
  if (value % perDay < 0n) day--
  return `${isoDay(day)}T${clock(value - day * perDay, perSecond)}${utc ? 'Z' : ''}`
}

const perSecond = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n }
/** Julian day of 1970-01-01, from which INT96 counts its days. */
const epochDay = 2_440_588n

/** Half-precision number from its two bytes, the lower first. */
function half(bytes: string): number {
  const bits = bytes.charCodeAt(0) | (bytes.charCodeAt(1) << 8)
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function uuid(bytes: string): string {
  const hex = Buffer.from(bytes, 'latin1').toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Bytes that are no text are shown as Latin-1, so that what is text among them is seen. */
export const bytesShown = (value: Stored) => {
  const bytes = value as string
  return !/[\x80-\xff]/.test(bytes) || isUtf8(Buffer.from(bytes, 'latin1')) ? bytes : toBytes(bytes)
}

/** The bytes to store for the edited text of bytes that {@link showing} showed. */
export function storedBytes(shown: string, before: string): string {
  if (bytesShown(before) === before) return shown
  const text = fromBytes(shown)
  return /[^\0-\xff]/.test(text) ? shown : text
}

const whole = (value: Stored) => BigInt(value as number | bigint)

/** Unit of a time or of a moment, and whether it is counted in UTC. */
function timeOf({ converted_type: old, logical_type: logical }: SchemaElement) {
  if (logical?.type === 'TIME' || logical?.type === 'TIMESTAMP')
    return { kind: logical.type, per: perSecond[logical.unit], utc: logical.isAdjustedToUTC }
  const match = /^(TIME|TIMESTAMP)_(MILLIS|MICROS)$/.exec(old ?? '')
  return match && { kind: match[1], per: perSecond[match[2] as 'MILLIS'], utc: true }
}

/** How values of a column are shown to rules: as people write them. Logical values have no text. */
export function showing(element: SchemaElement): ((value: Stored) => string) | undefined {
  const { type, converted_type: old, logical_type: logical, scale } = element
  if (type === 'BOOLEAN') return undefined
  if (logical?.type === 'DECIMAL' || old === 'DECIMAL') {
    const places = (logical?.type === 'DECIMAL' ? logical.scale : scale) ?? 0
    const bytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY'
    return value => decimal(bytes ? bigEndian(value as string) : whole(value), places)
  }
  if (type === 'BYTE_ARRAY') return bytesShown
  if (type === 'FIXED_LEN_BYTE_ARRAY') {
    if (logical?.type === 'UUID') return value => uuid(value as string)
    if (logical?.type === 'FLOAT16') return value => String(half(value as string))
    return bytesShown
  }
  if (type === 'INT96')
    return value => {
      const bits = BigInt.asUintN(96, whole(value))
      const day = BigInt.asIntN(32, bits >> 64n) - epochDay
      return moment(day * daySeconds * perSecond.NANOS + (bits & 0xffff_ffff_ffff_ffffn), perSecond.NANOS, true)
    }
  if (logical?.type === 'DATE' || old === 'DATE') return value => isoDay(whole(value))
  const time = timeOf(element)
  if (time?.kind === 'TIME') return value => clock(whole(value), time.per)
  if (time) return value => moment(whole(value), time.per, time.utc === true)
  if (isUnsigned(element)) return value => String(BigInt.asUintN(type === 'INT32' ? 32 : 64, whole(value)))
  return String
}

/** Whether a column of whole numbers counts from nought. */
export const isUnsigned = ({ converted_type: old, logical_type: logical }: SchemaElement): boolean =>
  old?.startsWith('UINT_') === true || (logical?.type === 'INTEGER' && logical.isSigned === false)

/**
 * A value as it is stored: bytes as a text of one character for each byte. INT96 is a whole number, low bits first.
 */
export type Stored = number | bigint | boolean | string
