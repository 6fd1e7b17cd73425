import * as z from 'zod'
import { invalid } from '../aws/errors.ts'
import { type Context, type Operation, operation, WrittenJson } from '../aws/json.ts'
import { consumed, leadingKey, readUnits, writeUnits } from './capacity.ts'
import { readKey } from './key.ts'
import { openScope } from './lexer.ts'
import { parseProjection, project } from './path.ts'
import type { Store, Stored } from './store.ts'
import { type Item, readItem } from './value.ts'
import {
  Attributes,
  checkCondition,
  deleteFields,
  expressionFields,
  prepareWrite,
  putFields,
  updateFields,
  type WriteKind,
} from './write.ts'

const common = {
  ReturnConsumedCapacity: z.enum(['NONE', 'TOTAL', 'INDEXES']).optional(),
  ReturnItemCollectionMetrics: z.enum(['NONE', 'SIZE']).optional(),
}
const oldOrNone = z.enum(['NONE', 'ALL_OLD']).optional()

const Put = z.strictObject({ ...putFields, ...common, ReturnValues: oldOrNone })
const Delete = z.strictObject({ ...deleteFields, ...common, ReturnValues: oldOrNone })
const Update = z.strictObject({
  ...updateFields,
  ...common,
  ReturnValues: z.enum(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']).optional(),
})
const Get = z.strictObject({
  TableName: z.string(),
  Key: Attributes,
  ConsistentRead: z.boolean().optional(),
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: expressionFields.ExpressionAttributeNames,
  ReturnConsumedCapacity: common.ReturnConsumedCapacity,
})

/** What part of an item a read wants: a function from the item to that part. */
export function projection(
  expression: string | undefined,
  names: Record<string, string> | undefined,
): (item: Item) => Item {
  if (expression === undefined) {
    if (names) throw invalid('ExpressionAttributeNames can only be specified when using expressions')
    return item => item
  }
  const scope = openScope(names, undefined)
  const paths = parseProjection(expression, scope)
  scope.finish()
  return item => project(item, paths)
}

/** The same of an item as it is kept, which is only read where a part is wanted. */
export function partOf(...wanted: Parameters<typeof projection>): (stored: Stored) => string {
  const part = projection(...wanted)
  return ({ item }) => (wanted[0] === undefined ? item : JSON.stringify(part(JSON.parse(item))))
}

/** The operations on one item. */
export function itemOperations(store: Store): Record<string, Operation> {
  function write(kind: WriteKind, input: z.output<typeof Update> | z.output<typeof Put>, context: Context) {
    const prepared = prepareWrite(store, kind, input, context)
    const { table, key, update } = prepared
    const before = store.read(table, key)
    checkCondition(prepared, before)
    const after = prepared.after(before)
    if (before || after) store.database.transaction(() => store.write(table, key, after, context.fault.indexDelayMs))
    const touched = (item: Item | undefined) => item && update && project(item, update.paths)
    const returned = {
      NONE: undefined,
      ALL_OLD: before,
      ALL_NEW: after,
      UPDATED_OLD: touched(before),
      UPDATED_NEW: touched(after),
    }[input.ReturnValues ?? 'NONE']
    const attributes = returned && Object.keys(returned).length ? returned : undefined
    return {
      Attributes: attributes,
      ConsumedCapacity: consumed(input.ReturnConsumedCapacity, table, writeUnits(before, after)),
    }
  }

  return {
    PutItem: operation(Put, (input, context) => write('Put', input, context)),
    UpdateItem: operation(Update, (input, context) => write('Update', input, context)),
    DeleteItem: operation(Delete, (input, context) => write('Delete', input, context)),
    GetItem: operation(Get, (input, context) => {
      const keyItem = readItem(input.Key)
      const table = store.catalog.table(input.TableName)
      context.authorize('GetItem', table.arn, leadingKey(table, keyItem))
      const part = partOf(input.ProjectionExpression, input.ExpressionAttributeNames)
      const row = store.stored(table, readKey(keyItem, table.keys, table.types))
      const units = readUnits(row?.size ?? 0, input.ConsistentRead)
      return {
        Item: row && new WrittenJson(part(row)),
        ConsumedCapacity: consumed(input.ReturnConsumedCapacity, table, units),
      }
    }),
  }
}
