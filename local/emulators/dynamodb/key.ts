import { crc32 } from 'node:zlib'
import { invalid } from '../aws/errors.ts'
import { sortableNumber } from './number.ts'
import { as, attribute, type Item, typeOf, type Value } from './value.ts'

/** Names of the attributes of a key. */
export interface KeySchema {
  hash: string
  range?: string
}

/** Types of the attributes that are part of a key. */
export type KeyTypes = Readonly<Record<string, 'S' | 'N' | 'B'>>

/** A key as rows are ordered by it: a partition's slot (for scans), its key, the sort key (empty if there is none). */
export interface RowKey {
  slot: number
  hash: Buffer
  range: Buffer
}

/** Names of a key's attributes, the partition key first. */
export const keyNames = ({ hash, range }: KeySchema) => (range === undefined ? [hash] : [hash, range])

/** Refuses places within an attribute of a key, which holds no others. */
export function refuseWithinKeys(paths: (string | number)[][], types: KeyTypes): void {
  const path = paths.find(path => path.length > 1 && Object.hasOwn(types, path[0] as string))
  if (path)
    throw invalid(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${path[0]}`,
    )
}

/** Bytes that order like the values of a key attribute. */
export function sortable(value: Value): Buffer {
  if ('N' in value) return sortableNumber(value.N)
  return 'B' in value ? Buffer.from(value.B, 'base64') : Buffer.from(as(value, 'S') ?? '')
}

function keyPart(name: string, value: Value, types: KeyTypes, limit: number, index?: string): Buffer {
  const where = index === undefined ? '' : ` IndexName: ${index},`
  if (typeOf(value) !== types[name])
    throw invalid(
      `One or more parameter values were invalid: Type mismatch for key ${name},${where} expected: ${types[name]} actual: ${typeOf(value)}`,
    )
  const bytes = sortable(value)
  if (bytes.length === 0)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty value.${where} Key: ${name}`,
    )
  if (bytes.length > limit)
    throw invalid(`One or more parameter values were invalid: Size of key ${name} has exceeded ${limit} bytes`)
  return bytes
}

/** The key of a row by its encoded parts. */
export const rowKey = (hash: Buffer, range: Buffer): RowKey => ({ slot: crc32(hash), hash, range })

/** The key of an item in its table; refuses an item without it, or with a wrong one. */
export function tableKey(item: Item, keys: KeySchema, types: KeyTypes): RowKey {
  const [hash, range = Buffer.alloc(0)] = keyNames(keys).map((name, i) => {
    const value = attribute(item, name)
    if (!value) throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`)
    return keyPart(name, value, types, i === 0 ? 2048 : 1024)
  })
  return rowKey(hash!, range)
}

/** The key of an item in an index; undefined if it lacks an attribute of it and so isn't in the index. */
export function indexKey(item: Item, index: string, keys: KeySchema, types: KeyTypes): RowKey | undefined {
  const parts: Buffer[] = []
  let whole = true
  for (const [i, name] of keyNames(keys).entries()) {
    const value = attribute(item, name)
    // A value of a wrong type is refused even if the other attribute of the key is missing.
    if (value) parts.push(keyPart(name, value, types, i === 0 ? 2048 : 1024, index))
    else whole = false
  }
  return whole ? rowKey(parts[0]!, parts[1] ?? Buffer.alloc(0)) : undefined
}

/** A `Key` parameter: exactly the attributes of the key. */
export function readKey(key: Item, keys: KeySchema, types: KeyTypes): RowKey {
  const names = keyNames(keys)
  if (Object.keys(key).length !== names.length || !names.every(name => attribute(key, name)))
    throw invalid('The provided key element does not match the schema')
  if (names.some(name => typeOf(key[name]!) !== types[name]))
    throw invalid('The provided key element does not match the schema')
  return tableKey(key, keys, types)
}

/** One value for a table's key, by which the rows of its indexes find it. */
export function baseOf({ hash, range }: RowKey): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(hash.length)
  return Buffer.concat([length, hash, range])
}

/** The first bytes after all those that begin with a prefix; undefined if there are none. */
export function afterPrefix(prefix: Buffer): Buffer | undefined {
  let end = prefix.length
  while (end > 0 && prefix[end - 1] === 255) end--
  if (end === 0) return undefined
  const after = Buffer.from(prefix.subarray(0, end))
  after[end - 1]!++
  return after
}
