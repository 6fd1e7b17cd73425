import * as z from 'zod'
import { AwsError, invalid } from '../aws/errors.ts'
import type { Context } from '../aws/json.ts'
import { leadingKey } from './capacity.ts'
import type { Table } from './catalog.ts'
import { type Condition, conditionHolds, parseCondition } from './condition.ts'
import { keyNames, type RowKey, readKey, refuseWithinKeys, tableKey } from './key.ts'
import { openScope } from './lexer.ts'
import type { Store } from './store.ts'
import { applyUpdate, parseUpdate, type Update } from './update.ts'
import { attribute, type Item, itemSize, MAX_ITEM, readItem, setAttribute } from './value.ts'

/** Attributes on the wire; what they hold is checked by `readItem`. */
export const Attributes = z.custom<Record<string, unknown>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** Fields that every request with expressions has. */
export const expressionFields = {
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: Attributes.optional(),
}

const conditional = {
  TableName: z.string(),
  ConditionExpression: z.string().optional(),
  ...expressionFields,
  ReturnValuesOnConditionCheckFailure: z.enum(['ALL_OLD', 'NONE']).optional(),
}
/** The four things that one request, or one part of a transaction, can do with one item. */
export const putFields = { ...conditional, Item: Attributes }
export const updateFields = { ...conditional, Key: Attributes, UpdateExpression: z.string().optional() }
export const deleteFields = { ...conditional, Key: Attributes }
export const checkFields = { ...deleteFields, ConditionExpression: z.string() }

/** One write, parsed and checked as far as that goes without reading the item. */
export interface Write {
  table: Table
  key: RowKey
  keyAttributes: Item
  condition?: Condition
  returnOld: boolean
  update?: Update
  /** The item after the write; undefined deletes it. */
  after: (before: Item | undefined) => Item | undefined
}

/** IAM action of each kind of write. */
const writeActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
}
export type WriteKind = keyof typeof writeActions

type Fields = {
  TableName: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
  Item?: Record<string, unknown>
  Key?: Record<string, unknown>
  UpdateExpression?: string
}

const keyOf = (table: Table, item: Item): Item => {
  const key: Item = {}
  for (const name of keyNames(table.keys)) setAttribute(key, name, attribute(item, name)!)
  return key
}

/** Parses one write; asks whether the caller may do it as soon as its table is known. */
export function prepareWrite(store: Store, kind: WriteKind, fields: Fields, context: Context): Write {
  const item = readItem(fields.Item ?? fields.Key ?? {})
  const table = store.catalog.table(fields.TableName)
  context.authorize(writeActions[kind], table.arn, leadingKey(table, item))
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = fields
  if ((names || values) && fields.ConditionExpression === undefined && fields.UpdateExpression === undefined)
    throw invalid('ExpressionAttributeNames and ExpressionAttributeValues can only be specified when using expressions')
  for (const given of [names, values])
    if (given && Object.keys(given).length === 0)
      throw invalid('ExpressionAttributeNames and ExpressionAttributeValues must not be empty')
  const scope = openScope(names, values)
  const update = fields.UpdateExpression === undefined ? undefined : parseUpdate(fields.UpdateExpression, scope)
  const condition =
    fields.ConditionExpression === undefined ? undefined : parseCondition(fields.ConditionExpression, scope)
  scope.finish()
  refuseWithinKeys(update?.paths ?? [], table.types)
  const key = kind === 'Put' ? tableKey(item, table.keys, table.types) : readKey(item, table.keys, table.types)
  if (kind === 'Put' && itemSize(item) > MAX_ITEM) throw invalid('Item size has exceeded the maximum allowed size')
  const keyPart = update?.paths.find(([name]) => keyNames(table.keys).includes(name as string))
  if (keyPart)
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${keyPart[0]}. This attribute is part of the key`,
    )
  return {
    table,
    key,
    keyAttributes: keyOf(table, item),
    condition,
    returnOld: fields.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    update,
    after(before) {
      if (kind === 'Put') return item
      if (kind === 'Delete') return undefined
      if (kind === 'ConditionCheck') return before
      return update ? applyUpdate(update, before ?? keyOf(table, item)) : (before ?? keyOf(table, item))
    },
  }
}

/** Refuses a write whose condition the item doesn't meet. */
export function checkCondition(write: Write, before: Item | undefined): void {
  if (!write.condition || conditionHolds(write.condition, before)) return
  const fields = write.returnOld && before ? { Item: before } : {}
  throw new AwsError('ConditionalCheckFailedException', 'The conditional request failed', 400, fields)
}
