import type { SchemaElement } from 'hyparquet'
import { plain } from './plain.ts'
import type { Stored } from './values.ts'
import { isUnsigned } from './values.ts'

/** Least and greatest of some values. */
export type Range = { min: Stored; max: Stored }

/** Bounds longer than this, in bytes, are left out: they are there to be compared with, not to be read. */
const longest = 64

/** Whether the order of the values as they are stored is the one that statistics are in. */
const isOrdered = ({ type, converted_type: old, logical_type: logical }: SchemaElement) =>
  type !== undefined &&
  type !== 'INT96' &&
  old !== 'INTERVAL' &&
  !['FLOAT16', 'GEOMETRY', 'GEOGRAPHY'].includes(logical?.type ?? '') &&
  !((type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY') && (old === 'DECIMAL' || logical?.type === 'DECIMAL'))

/** What a value counts as where a column counts from nought. */
const rank = (value: Stored): Stored => (typeof value === 'number' ? value >>> 0 : BigInt.asUintN(64, value as bigint))

/** The range of some values; none where they have no order that readers agree on. */
export function rangeOf(values: readonly Stored[], element: SchemaElement): Range | undefined {
  if (!isOrdered(element)) return undefined
  const unsigned = isUnsigned(element)
  let range: Range | undefined
  for (const value of values) {
    // Not a number: readers expect it in no range.
    if (Number.isNaN(value)) continue
    if (range === undefined) range = { min: value, max: value }
    else if (unsigned ? rank(value) < rank(range.min) : value < range.min) range.min = value
    else if (unsigned ? rank(value) > rank(range.max) : value > range.max) range.max = value
  }
  return range
}

/** A range as bytes; nothing where its bounds are too long. */
export function storedRange(range: Range | undefined, { type }: SchemaElement): [Uint8Array, Uint8Array] | undefined {
  if (range === undefined || type === undefined) return undefined
  // Of the two noughts the least is the negative one.
  const floats = type === 'DOUBLE' || type === 'FLOAT'
  const { min, max } = floats ? { min: range.min || -0, max: range.max || 0 } : range
  const bytes = (value: Stored) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : plain([value], type))
  const bounds: [Uint8Array, Uint8Array] = [bytes(min), bytes(max)]
  return bounds.some(({ length }) => length > longest) ? undefined : bounds
}

type MinMax = Uint8Array | number | bigint | boolean

/** A range as the library that writes the footer takes it: numbers as such, decimals without their point. */
export function statisticsOf(range: Range | undefined, element: SchemaElement) {
  if (storedRange(range, element) === undefined) return {}
  const value = (stored: Stored): MinMax => {
    if (typeof stored === 'string') return Buffer.from(stored, 'latin1')
    return element.converted_type === 'DECIMAL' && typeof stored === 'number' ? BigInt(stored) : stored
  }
  return { min_value: value(range!.min), max_value: value(range!.max) }
}
