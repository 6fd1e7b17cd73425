import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AwsError, invalid } from '../aws/errors.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { consumed, leadingKey, type Report, readUnits, writeUnits } from './capacity.ts'
import type { Table } from './catalog.ts'
import { projection } from './items.ts'
import { baseOf, type RowKey, readKey } from './key.ts'
import type { Store } from './store.ts'
import { type Item, itemSize, readItem } from './value.ts'
import {
  Attributes,
  checkCondition,
  checkFields,
  deleteFields,
  expressionFields,
  prepareWrite,
  putFields,
  updateFields,
  type Write,
  type WriteKind,
} from './write.ts'

const reports = { ReturnConsumedCapacity: z.enum(['NONE', 'TOTAL', 'INDEXES']).optional() }
const TransactWrite = z.strictObject({
  TransactItems: z
    .array(
      z.strictObject({
        Put: z.strictObject(putFields).optional(),
        Update: z.strictObject({ ...updateFields, UpdateExpression: z.string() }).optional(),
        Delete: z.strictObject(deleteFields).optional(),
        ConditionCheck: z.strictObject(checkFields).optional(),
      }),
    )
    .min(1)
    .max(100),
  ClientRequestToken: z.string().min(1).max(36).optional(),
  ...reports,
  ReturnItemCollectionMetrics: z.enum(['NONE', 'SIZE']).optional(),
})
const TransactGet = z.strictObject({
  TransactItems: z
    .array(
      z.strictObject({
        Get: z.strictObject({
          TableName: z.string(),
          Key: Attributes,
          ProjectionExpression: z.string().optional(),
          ExpressionAttributeNames: expressionFields.ExpressionAttributeNames,
        }),
      }),
    )
    .min(1)
    .max(100),
  ...reports,
})

const MAX_BYTES = 4 * 1024 * 1024
const TEN_MINUTES = 600_000

interface Reason {
  Code: string
  Message?: string
  Item?: Item
}

function cancelled(reasons: Reason[]): AwsError {
  const codes = reasons.map(({ Code }) => Code).join(', ')
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
  return new AwsError('TransactionCanceledException', message, 400, { Message: message, CancellationReasons: reasons })
}

function refuseSameItem(targets: { table: Table; key: RowKey }[]): void {
  const keys = targets.map(({ table, key }) => `${table.id}/${baseOf(key).toString('hex')}`)
  if (new Set(keys).size < keys.length)
    throw invalid('Transaction request cannot include multiple operations on one item')
}

function outcome(write: Write, before: Item | undefined): { after?: Item; reason: Reason } {
  try {
    checkCondition(write, before)
    return { after: write.after(before), reason: { Code: 'None' } }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
    const Code = error.code === 'ConditionalCheckFailedException' ? 'ConditionalCheckFailed' : 'ValidationError'
    return { reason: { Code, Message: error.message, ...error.fields } }
  }
}

const spent = (report: Report, units: [Table, number][]) => {
  const totals = new Map<Table, number>()
  for (const [table, unit] of units) totals.set(table, (totals.get(table) ?? 0) + 2 * unit)
  return report && report !== 'NONE' ? [...totals].map(([table, total]) => consumed(report, table, total)) : undefined
}

function transactWrite(store: Store, input: z.output<typeof TransactWrite>, context: Context) {
  const writes = input.TransactItems.map(entry => {
    const [given, more] = Object.entries(entry).filter(([, fields]) => fields !== undefined)
    if (!given || more) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete')
    return prepareWrite(store, given[0] as WriteKind, given[1], context)
  })
  refuseSameItem(writes)
  const token = input.ClientRequestToken
  const { ReturnConsumedCapacity: _, ...request } = input
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  return store.database.transaction(() => {
    if (token !== undefined) {
      store.database.run('DELETE FROM tokens WHERE expires <= ?', store.now())
      const known = store.database.get<{ request: string }>('SELECT request FROM tokens WHERE token = ?', token)
      if (known && known.request !== digest)
        throw new AwsError('IdempotentParameterMismatchException', 'The token was used with another request')
      if (known) return {}
      store.database.run('INSERT INTO tokens VALUES (?, ?, ?)', token, digest, store.now() + TEN_MINUTES)
    }
    const befores = writes.map(({ table, key }) => store.read(table, key))
    const outcomes = writes.map((write, i) => outcome(write, befores[i]))
    if (outcomes.some(({ reason }) => reason.Code !== 'None')) throw cancelled(outcomes.map(({ reason }) => reason))
    const bytes = outcomes.reduce((total, { after }) => total + (after ? itemSize(after) : 0), 0)
    if (bytes > MAX_BYTES) throw invalid('Transaction request size has exceeded 4 MB')
    for (const [i, { table, key }] of writes.entries())
      if (input.TransactItems[i]!.ConditionCheck === undefined)
        store.write(table, key, outcomes[i]!.after, context.fault.indexDelayMs)
    const units = writes.map(({ table }, i): [Table, number] => [table, writeUnits(befores[i], outcomes[i]!.after)])
    return { ConsumedCapacity: spent(input.ReturnConsumedCapacity, units) }
  })
}

function transactGet(store: Store, input: z.output<typeof TransactGet>, context: Context) {
  const reads = input.TransactItems.map(
    ({ Get: { TableName, Key, ProjectionExpression, ExpressionAttributeNames } }) => {
      const keyItem = readItem(Key)
      const table = store.catalog.table(TableName)
      context.authorize('GetItem', table.arn, leadingKey(table, keyItem))
      const part = projection(ProjectionExpression, ExpressionAttributeNames)
      return { table, key: readKey(keyItem, table.keys, table.types), part }
    },
  )
  refuseSameItem(reads)
  const items = reads.map(({ table, key }) => store.read(table, key))
  const sizes = items.map(item => (item ? itemSize(item) : 0))
  if (sizes.reduce((total, size) => total + size, 0) > MAX_BYTES)
    throw invalid('Transaction request size has exceeded 4 MB')
  return {
    Responses: items.map((item, i) => ({ Item: item && reads[i]!.part(item) })),
    ConsumedCapacity: spent(
      input.ReturnConsumedCapacity,
      reads.map(({ table }, i): [Table, number] => [table, readUnits(sizes[i]!, true)]),
    ),
  }
}

/** TransactWriteItems and TransactGetItems: all of it at one point in time, or nothing. */
export const transactionOperations = (store: Store): Record<string, Operation> => ({
  TransactWriteItems: operation(TransactWrite, (input, context) => transactWrite(store, input, context)),
  TransactGetItems: operation(TransactGet, (input, context) => transactGet(store, input, context)),
})
