import { invalid } from '../aws/errors.ts'
import { compareDecimals, formatDecimal, parseDecimal } from './number.ts'

/** An attribute's value as it travels: an object with one key, its type. Binary is base64. */
export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { M: Item }
  | { L: Value[] }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }

/** Attributes by name. Names come from outside, so read them with {@link attribute} only. */
export type Item = { [name: string]: Value }

/** The types of attribute values. */
export const typeNames = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'] as const
export type TypeName = (typeof typeNames)[number]

/** The most bytes that an item may have. */
export const MAX_ITEM = 400 * 1024
const MAX_DEPTH = 32

/** The type of a value. */
export const typeOf = (value: Value) => Object.keys(value)[0] as TypeName

/** What a value holds, seen as one of the types; undefined if it is of another. */
export const as = <T extends TypeName>(value: Value | undefined, type: T) =>
  (value as Record<TypeName, unknown> | undefined)?.[type] as
    | (T extends 'M' ? Item : T extends 'L' ? Value[] : T extends 'SS' | 'NS' | 'BS' ? string[] : string)
    | undefined

/** An attribute of an item, undefined if it has none of that name. */
export const attribute = (item: Item | undefined, name: string): Value | undefined =>
  item && Object.hasOwn(item, name) ? item[name] : undefined

/** Sets an attribute; safe for every name, `__proto__` included. */
export function setAttribute(item: Item, name: string, value: Value): void {
  if (name !== '__proto__') item[name] = value
  else Object.defineProperty(item, name, { value, writable: true, enumerable: true, configurable: true })
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw invalid('A value does not have the type that it is marked with')
  return value
}

function binary(value: unknown): string {
  const bytes = Buffer.from(text(value), 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text(value).replace(/=+$/, ''))
    throw invalid('A binary value is not valid base64')
  return bytes.toString('base64')
}

function set(value: unknown, element: (value: unknown) => string): string[] {
  if (!Array.isArray(value)) throw invalid('A value does not have the type that it is marked with')
  if (value.length === 0) throw invalid('One or more parameter values were invalid: An set may not be empty')
  const elements = value.map(element)
  if (new Set(elements).size < elements.length)
    throw invalid('One or more parameter values were invalid: Input collection contains duplicates')
  return elements
}

const readNumber = (value: unknown) => formatDecimal(parseDecimal(text(value)))

/** A value from outside, checked and in its one normal form (numbers as plain digits, canonical base64). */
function readValue(input: unknown, depth = 0): Value {
  const [entry, more] = typeof input === 'object' && input !== null ? Object.entries(input) : []
  if (!entry || more) throw invalid('Supplied AttributeValue must contain exactly one of the supported datatypes')
  const [type, value] = entry
  if (depth > MAX_DEPTH) throw invalid('Nesting Levels have exceeded supported limits')
  switch (type) {
    case 'S':
      return { S: text(value) }
    case 'N':
      return { N: readNumber(value) }
    case 'B':
      return { B: binary(value) }
    case 'BOOL':
      if (typeof value !== 'boolean') throw invalid('A value does not have the type that it is marked with')
      return { BOOL: value }
    case 'NULL':
      if (value !== true)
        throw invalid(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        )
      return { NULL: true }
    case 'SS':
      return { SS: set(value, text) }
    case 'NS':
      return { NS: set(value, readNumber) }
    case 'BS':
      return { BS: set(value, binary) }
    case 'L':
      if (!Array.isArray(value)) throw invalid('A value does not have the type that it is marked with')
      return { L: value.map(element => readValue(element, depth + 1)) }
    case 'M':
      return { M: readItem(value, depth + 1) }
    default:
      throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  }
}

/** Attributes from outside, checked. */
export function readItem(input: unknown, depth = 0): Item {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid('Attributes must be an object')
  const item: Item = {}
  for (const [name, value] of Object.entries(input)) {
    if (name === '' || Buffer.byteLength(name) > 65_535) throw invalid('An attribute name is empty or too long')
    setAttribute(item, name, readValue(value, depth))
  }
  return item
}

const numberSize = (number: string) => Math.ceil(number.replace(/^-|\.|^0+/g, '').replace(/0+$/, '').length / 2) + 1
const base64Size = (value: string) => Math.floor((value.replace(/=+$/, '').length * 3) / 4)
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)

/** Bytes that a value counts for. Source: AWS, "DynamoDB item sizes and formats". */
function valueSize(value: Value): number {
  if ('S' in value) return Buffer.byteLength(value.S)
  if ('N' in value) return numberSize(value.N)
  if ('B' in value) return base64Size(value.B)
  if ('SS' in value) return sum(value.SS.map(element => Buffer.byteLength(element)))
  if ('NS' in value) return sum(value.NS.map(numberSize))
  if ('BS' in value) return sum(value.BS.map(base64Size))
  if ('L' in value) return 3 + sum(value.L.map(element => valueSize(element) + 1))
  if ('M' in value) return 3 + itemSize(value.M) + Object.keys(value.M).length
  return 1
}

/** Bytes that an item counts for, names included. */
export function itemSize(item: Item): number {
  let size = 0
  for (const [name, value] of Object.entries(item)) size += Buffer.byteLength(name) + valueSize(value)
  return size
}

/** Whether two values are the same; the order of a set's elements doesn't count. */
export function equalValues(a: Value, b: Value): boolean {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  if ('M' in a && 'M' in b) {
    const names = Object.keys(a.M)
    return (
      names.length === Object.keys(b.M).length &&
      names.every(name => Object.hasOwn(b.M, name) && equalValues(a.M[name]!, b.M[name]!))
    )
  }
  if ('L' in a && 'L' in b) return a.L.length === b.L.length && a.L.every((value, i) => equalValues(value, b.L[i]!))
  const elements = setElements(a)
  const others = setElements(b)
  if (elements && others) return elements.length === others.length && elements.every(value => others.includes(value))
  return (a as Record<string, unknown>)[type] === (b as Record<string, unknown>)[type]
}

/** Elements of a set, undefined for a value that isn't one. */
export const setElements = (value: Value): string[] | undefined => as(value, 'SS') ?? as(value, 'NS') ?? as(value, 'BS')

/** The order of two strings, numbers or binaries of one type; undefined for values that have none. */
export function compareValues(a: Value, b: Value): number | undefined {
  if ('S' in a && 'S' in b) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S))
  if ('N' in a && 'N' in b) return compareDecimals(parseDecimal(a.N), parseDecimal(b.N))
  if ('B' in a && 'B' in b) return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'))
  return undefined
}
