import * as z from 'zod'
import { invalid } from '../aws/errors.ts'
import { type Context, type Operation, operation, type WrittenJson, writtenArray, writtenObject } from '../aws/json.ts'
import { consumed, leadingKey, type Report, readUnits, writeUnits } from './capacity.ts'
import type { Table } from './catalog.ts'
import { partOf } from './items.ts'
import { baseOf, type RowKey, readKey, tableKey } from './key.ts'
import type { Store } from './store.ts'
import { readItem } from './value.ts'
import { Attributes, expressionFields } from './write.ts'

const reports = { ReturnConsumedCapacity: z.enum(['NONE', 'TOTAL', 'INDEXES']).optional() }
const BatchWrite = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.union([
        z.strictObject({ PutRequest: z.strictObject({ Item: Attributes }) }),
        z.strictObject({ DeleteRequest: z.strictObject({ Key: Attributes }) }),
      ]),
    ),
  ),
  ...reports,
  ReturnItemCollectionMetrics: z.enum(['NONE', 'SIZE']).optional(),
})
const BatchGet = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.strictObject({
      Keys: z.array(Attributes).min(1),
      ConsistentRead: z.boolean().optional(),
      ProjectionExpression: z.string().optional(),
      ExpressionAttributeNames: expressionFields.ExpressionAttributeNames,
    }),
  ),
  ...reports,
})

const MAX_WRITES = 25
const MAX_READS = 100
const MAX_READ_BYTES = 16 * 1024 * 1024

function refuseDuplicates(name: string, keys: RowKey[]): void {
  if (new Set(keys.map(key => `${name}/${baseOf(key).toString('hex')}`)).size < keys.length)
    throw invalid('Provided list of item keys contains duplicates')
}

function refuseCount(count: number, most: number): void {
  if (count === 0) throw invalid('The batch request list cannot be empty')
  if (count > most) throw invalid(`Too many items requested for the Batch call; at most ${most} are allowed`)
}

/** Collects entries that are left unprocessed, by table. */
const leave = <T>(left: Record<string, T[]>, name: string, entry: T) => {
  left[name] ??= []
  left[name].push(entry)
}

const spent = (report: Report, units: Map<Table, number>) =>
  report && report !== 'NONE' ? [...units].map(([table, total]) => consumed(report, table, total)) : undefined

function batchWrite(store: Store, input: z.output<typeof BatchWrite>, context: Context) {
  const requests = Object.entries(input.RequestItems)
  refuseCount(
    requests.reduce((count, [, entries]) => count + entries.length, 0),
    MAX_WRITES,
  )
  const writes = requests.flatMap(([name, entries]) => {
    const table = store.catalog.table(name)
    const parsed = entries.map(entry => {
      const item = readItem('PutRequest' in entry ? entry.PutRequest.Item : entry.DeleteRequest.Key)
      context.authorize('BatchWriteItem', table.arn, leadingKey(table, item))
      const put = 'PutRequest' in entry
      const key = put ? tableKey(item, table.keys, table.types) : readKey(item, table.keys, table.types)
      return { name, table, entry, key, after: put ? item : undefined }
    })
    refuseDuplicates(
      name,
      parsed.map(({ key }) => key),
    )
    return parsed
  })
  const left: Record<string, unknown[]> = {}
  const units = new Map<Table, number>()
  store.database.transaction(() => {
    for (const [i, { name, table, entry, key, after }] of writes.entries()) {
      if (context.fault.unprocessed && i % 2 === 1) {
        leave(left, name, entry)
        continue
      }
      store.write(table, key, after, context.fault.indexDelayMs)
      units.set(table, (units.get(table) ?? 0) + writeUnits(undefined, after))
    }
  })
  return { UnprocessedItems: left, ConsumedCapacity: spent(input.ReturnConsumedCapacity, units) }
}

function batchGet(store: Store, input: z.output<typeof BatchGet>, context: Context) {
  const requests = Object.entries(input.RequestItems)
  refuseCount(
    requests.reduce((count, [, { Keys }]) => count + Keys.length, 0),
    MAX_READS,
  )
  const found: Record<string, WrittenJson> = {}
  const left: Record<string, unknown[]> = {}
  const units = new Map<Table, number>()
  let bytes = 0
  for (const [name, { Keys, ConsistentRead, ProjectionExpression, ExpressionAttributeNames }] of requests) {
    const table = store.catalog.table(name)
    const part = partOf(ProjectionExpression, ExpressionAttributeNames)
    const keys = Keys.map(key => {
      const item = readItem(key)
      context.authorize('BatchGetItem', table.arn, leadingKey(table, item))
      return readKey(item, table.keys, table.types)
    })
    refuseDuplicates(name, keys)
    const items: string[] = []
    for (const [i, key] of keys.entries()) {
      const row = store.stored(table, key)
      const size = row?.size ?? 0
      if ((context.fault.unprocessed && i % 2 === 1) || bytes + size > MAX_READ_BYTES) {
        leave(left, name, Keys[i])
        continue
      }
      bytes += size
      units.set(table, (units.get(table) ?? 0) + readUnits(size, ConsistentRead))
      if (row) items.push(part(row))
    }
    found[name] = writtenArray(items)
  }
  const unprocessed = Object.entries(left).map(([name, Keys]) => [name, { ...input.RequestItems[name], Keys }])
  return {
    Responses: writtenObject(found),
    UnprocessedKeys: Object.fromEntries(unprocessed),
    ConsumedCapacity: spent(input.ReturnConsumedCapacity, units),
  }
}

/** BatchWriteItem and BatchGetItem. */
export const batchOperations = (store: Store): Record<string, Operation> => ({
  BatchWriteItem: operation(BatchWrite, (input, context) => batchWrite(store, input, context)),
  BatchGetItem: operation(BatchGet, (input, context) => batchGet(store, input, context)),
})
