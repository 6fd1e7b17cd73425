import type { SchemaElement } from 'hyparquet'
import { plain } from './plain.ts'
import type { Slice } from './rows.ts'
import { isUnsigned, type Stored } from './values.ts'
import { type ByteEntries, entryAt, entryCount, valueAt } from './vectors.ts'

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
export function rangeOf(values: ArrayLike<Stored>, element: SchemaElement): Range | undefined {
  if (!isOrdered(element)) return undefined
  const unsigned = isUnsigned(element)
  let range: Range | undefined
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    // Not a number: readers expect it in no range.
    if (Number.isNaN(value)) continue
    if (range === undefined) range = { min: value, max: value }
    else if (unsigned ? rank(value) < rank(range.min) : value < range.min) range.min = value
    else if (unsigned ? rank(value) > rank(range.max) : value > range.max) range.max = value
  }
  return range
}

/** Whether one stretch of bytes comes before another. */
function isBefore({ bytes, starts, ends }: ByteEntries, one: number, other: number): boolean {
  const [first, second] = [starts[one]!, starts[other]!]
  const [length, limit] = [ends[one]! - first, ends[other]! - second]
  for (let at = 0; at < length && at < limit; at++) {
    const difference = bytes[first + at]! - bytes[second + at]!
    if (difference !== 0) return difference < 0
  }
  return length < limit
}

/** The values of a slice of texts among which its least and its greatest are. */
function outermost({ values, edits }: Slice): Stored[] {
  const { entries, ids, from, to } = values
  const stretches = entries.stretches!
  const seen = ids && new Uint8Array(entryCount(entries))
  let [least, greatest, edit] = [-1, -1, 0]
  for (let at = 0; at < to - from; at++) {
    if (edits?.at[edit] === at) {
      edit++
      continue
    }
    const entry = ids ? ids[from + at]! : from + at
    if (seen?.[entry] === 1) continue
    if (seen) seen[entry] = 1
    if (least < 0) least = greatest = entry
    else if (isBefore(stretches, entry, least)) least = entry
    else if (isBefore(stretches, greatest, entry)) greatest = entry
  }
  const list = least < 0 ? [] : [entryAt(entries, least), entryAt(entries, greatest)]
  let last: string | undefined
  for (const text of edits?.texts ?? []) {
    if (text !== last) list.push(text)
    last = text
  }
  return list
}

/** The same of whole numbers of 32 bits that count from below nought. */
function integersBetween(values: Int32Array, from: number, to: number): Range | undefined {
  if (from === to) return undefined
  let min = values[from]!
  let max = min
  for (let at = from; at < to; at++) {
    const value = values[at]!
    if (value < min) min = value
    else if (value > max) max = value
  }
  return { min, max }
}

/** The same of numbers with a point. */
function floatsBetween(values: Float64Array, from: number, to: number): Range | undefined {
  let first = from
  while (first < to && Number.isNaN(values[first])) first++
  if (first === to) return undefined
  let min = values[first]!
  let max = min
  for (let at = first; at < to; at++) {
    const value = values[at]!
    if (value < min) min = value
    else if (value > max) max = value
  }
  return { min, max }
}

function booleansBetween(values: readonly boolean[], from: number, to: number): Range | undefined {
  if (from === to) return undefined
  let [min, max] = [true, false]
  for (let at = from; at < to && (min || !max); at++) {
    if (values[at]) max = true
    else min = false
  }
  return { min, max }
}

/** The range of the values of a slice. */
export function rangeOfSlice(slice: Slice, element: SchemaElement): Range | undefined {
  if (!isOrdered(element)) return undefined
  const { entries, ids, from, to } = slice.values
  const { numbers } = entries
  if (!numbers) return rangeOf(outermost(slice), element)
  if (!ids && !isUnsigned(element)) {
    if (numbers instanceof Int32Array) return integersBetween(numbers, from, to)
    if (numbers instanceof Float64Array) return floatsBetween(numbers, from, to)
  }
  if (!ids && typeof numbers[0] === 'boolean') return booleansBetween(numbers as boolean[], from, to)
  return rangeOf(
    Array.from({ length: to - from }, (_, at) => valueAt(slice.values, at)),
    element,
  )
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
