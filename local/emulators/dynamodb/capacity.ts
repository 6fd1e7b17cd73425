import { type Index, indexArn, type Table } from './catalog.ts'
import { as, attribute, type Item, itemSize } from './value.ts'

/** How much of its capacity a request wants to be told about. */
export type Report = 'NONE' | 'TOTAL' | 'INDEXES' | undefined

/** The `ConsumedCapacity` of one table, undefined if it wasn't asked for. */
export function consumed(report: Report, table: Table, units: number, index?: Index) {
  if (!report || report === 'NONE') return undefined
  const total = { TableName: table.name, CapacityUnits: units }
  if (report === 'TOTAL') return total
  const share = { CapacityUnits: units }
  return index
    ? { ...total, Table: { CapacityUnits: 0 }, GlobalSecondaryIndexes: { [index.name]: share } }
    : { ...total, Table: share }
}

/** Units of a write: one per started KiB of the larger of the two items. */
export const writeUnits = (before: Item | undefined, after: Item | undefined) =>
  Math.max(1, Math.ceil(Math.max(before ? itemSize(before) : 0, after ? itemSize(after) : 0) / 1024))

/** Units of a read of so many bytes: one per started 4 KiB, half of it if it needn't be consistent. */
export const readUnits = (bytes: number, consistent = false) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5)

/** The resource that a policy names for reading a table or one of its indexes. */
export const readResource = (table: Table, index: Index | undefined) => (index ? indexArn(table, index) : table.arn)

/** The condition keys of a request for one item: its partition key. */
export function leadingKey(table: Table, item: Item): Record<string, string> {
  const value = attribute(item, table.keys.hash)
  const text = as(value, 'S') ?? as(value, 'N') ?? as(value, 'B')
  return text === undefined ? {} : { 'dynamodb:LeadingKeys': text }
}
