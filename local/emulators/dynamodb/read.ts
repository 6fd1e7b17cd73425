import type { SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { invalid } from '../aws/errors.ts'
import { type Context, type Operation, operation, writtenArray } from '../aws/json.ts'
import { consumed, readResource, readUnits } from './capacity.ts'
import type { Index, Table } from './catalog.ts'
import { type Condition, conditionHolds, parseCondition, pathsOf } from './condition.ts'
import { baseOf, indexKey, keyNames, type RowKey, refuseWithinKeys, tableKey } from './key.ts'
import { openScope, type Path } from './lexer.ts'
import { parseProjection, project } from './path.ts'
import { type KeyRange, parseKeyRange } from './range.ts'
import type { Store, Stored } from './store.ts'
import { attribute, type Item, readItem, setAttribute, typeOf } from './value.ts'
import { Attributes, expressionFields } from './write.ts'

const fields = {
  TableName: z.string(),
  IndexName: z.string().optional(),
  Select: z.enum(['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT']).optional(),
  Limit: z.int().min(1).optional(),
  ConsistentRead: z.boolean().optional(),
  ExclusiveStartKey: Attributes.nullish(),
  ReturnConsumedCapacity: z.enum(['NONE', 'TOTAL', 'INDEXES']).optional(),
  ProjectionExpression: z.string().optional(),
  FilterExpression: z.string().optional(),
  ...expressionFields,
}
const Query = z.strictObject({
  ...fields,
  KeyConditionExpression: z.string().optional(),
  ScanIndexForward: z.boolean().optional(),
})
const Scan = z.strictObject({
  ...fields,
  Segment: z.int().min(0).max(999_999).optional(),
  TotalSegments: z.int().min(1).max(1_000_000).optional(),
})
type Input = z.output<typeof Query> & z.output<typeof Scan>

const PAGE = 1024 * 1024
const SLOTS = 2 ** 32

interface Place extends RowKey {
  base: Buffer
}

function startPlace(table: Table, index: Index | undefined, start: Item): Place {
  const keys = index ? [...keyNames(index.keys), ...keyNames(table.keys)] : keyNames(table.keys)
  const names = [...new Set(keys)]
  const fits = names.every(name => typeOf(attribute(start, name) ?? { NULL: true }) === table.types[name])
  if (!fits || Object.keys(start).length !== names.length) throw invalid('The provided starting key is invalid')
  const own = tableKey(start, table.keys, table.types)
  return index
    ? { ...indexKey(start, index.name, index.keys, table.types)!, base: baseOf(own) }
    : { ...own, base: Buffer.alloc(0) }
}

/** SQL and values for the rows of one partition, from a place on if one is given. */
function queryRows(
  source: number,
  range: KeyRange,
  start: Place | undefined,
  forward: boolean,
): [string, SQLInputValue[]] {
  const parts = ['source = ? AND slot = ? AND hash = ?']
  const values: SQLInputValue[] = [source, crc32(range.hash), range.hash]
  const add = (sql: string, ...more: SQLInputValue[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (range.low) add(range.lowOpen ? 'range > ?' : 'range >= ?', range.low)
  if (range.high) add(range.highOpen ? 'range < ?' : 'range <= ?', range.high)
  if (start) add(`(range, base) ${forward ? '>' : '<'} (?, ?)`, start.range, start.base)
  const order = forward ? 'range, base' : 'range DESC, base DESC'
  return [`SELECT item, size FROM rows WHERE ${parts.join(' AND ')} ORDER BY ${order}`, values]
}

/** SQL and values for the rows of one segment of a table or index. */
function scanRows(source: number, input: Input, start: Place | undefined): [string, SQLInputValue[]] {
  const { Segment: segment = 0, TotalSegments: total = 1 } = input
  const [low, high] = [segment, segment + 1].map(edge => Math.ceil((edge * SLOTS) / total))
  const values: SQLInputValue[] = [source, low!, high!]
  if (start) values.push(start.slot, start.hash, start.range, start.base)
  const after = start ? ' AND (slot, hash, range, base) > (?, ?, ?, ?)' : ''
  const where = `source = ? AND slot >= ? AND slot < ?${after}`
  return [`SELECT item, size FROM rows WHERE ${where} ORDER BY slot, hash, range, base`, values]
}

interface Plan {
  table: Table
  index?: Index
  rows: [string, SQLInputValue[]]
  filter?: Condition
  paths?: Path[]
}

function checkSelect(input: Input, table: Table, index: Index | undefined, paths: Path[] | undefined): void {
  const { Select: select } = input
  if (select === 'SPECIFIC_ATTRIBUTES' && !paths)
    throw invalid('Must specify the ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES')
  if (paths && select && select !== 'SPECIFIC_ATTRIBUTES')
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${select}`)
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && !index)
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when querying using an IndexName')
  if (!index || index.projection.ProjectionType === 'ALL') return
  const held = new Set([...keyNames(table.keys), ...keyNames(index.keys), ...(index.projection.NonKeyAttributes ?? [])])
  if (select === 'ALL_ATTRIBUTES' || paths?.some(([name]) => !held.has(name as string)))
    throw invalid(
      `One or more parameter values were invalid: Global secondary index ${index.name} does not project what was asked for`,
    )
}

function plan(store: Store, kind: 'Query' | 'Scan', input: Input, context: Context): Plan {
  const table = store.catalog.table(input.TableName)
  const index = table.indexes.find(({ name }) => name === input.IndexName)
  context.authorize(kind, readResource(table, index))
  if (input.IndexName !== undefined && !index)
    throw invalid(`The table does not have the specified index: ${input.IndexName}`)
  if (index && input.ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes')
  const scope = openScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues)
  const keys = index?.keys ?? table.keys
  const source = index?.id ?? table.id
  const start = input.ExclusiveStartKey ? startPlace(table, index, readItem(input.ExclusiveStartKey)) : undefined
  const filter = input.FilterExpression === undefined ? undefined : parseCondition(input.FilterExpression, scope)
  const paths =
    input.ProjectionExpression === undefined ? undefined : parseProjection(input.ProjectionExpression, scope)
  let rows: Plan['rows']
  if (kind === 'Query') {
    if (input.KeyConditionExpression === undefined)
      throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
    const range = parseKeyRange(input.KeyConditionExpression, scope, keys, table.types)
    const keyed = filter && pathsOf(filter).find(([name]) => keyNames(keys).includes(name as string))
    if (keyed)
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${keyed[0]}`)
    if (start && !start.hash.equals(range.hash))
      throw invalid('The provided starting key is outside query boundaries based on provided conditions')
    rows = queryRows(source, range, start, input.ScanIndexForward ?? true)
  } else {
    if (
      (input.Segment === undefined) !== (input.TotalSegments === undefined) ||
      (input.Segment ?? 0) >= (input.TotalSegments ?? 1)
    )
      throw invalid('Segment and TotalSegments must be given together, and Segment must be less than TotalSegments')
    rows = scanRows(source, input, start)
  }
  scope.finish()
  refuseWithinKeys(filter ? pathsOf(filter) : [], table.types)
  checkSelect(input, table, index, paths)
  return { table, index, rows, filter, paths }
}

function lastKey(table: Table, index: Index | undefined, item: Item): Item {
  const key: Item = {}
  for (const name of [...keyNames(table.keys), ...(index ? keyNames(index.keys) : [])])
    setAttribute(key, name, attribute(item, name)!)
  return key
}

function page(store: Store, kind: 'Query' | 'Scan', input: Input, context: Context) {
  const { table, index, rows, filter, paths } = plan(store, kind, input, context)
  if (index) store.settle()
  const items: string[] = []
  let [scanned, matched, bytes] = [0, 0, 0]
  let last: string | undefined
  let more = false
  for (const row of store.database.iterate<Stored>(rows[0], ...rows[1])) {
    if (scanned > 0 && bytes + row.size > PAGE) {
      more = true
      break
    }
    last = row.item
    bytes += row.size
    scanned++
    // An item goes out as it is kept, unless something must be looked up in it.
    const item = filter || paths ? (JSON.parse(row.item) as Item) : undefined
    if (!filter || conditionHolds(filter, item!)) {
      matched++
      if (input.Select !== 'COUNT') items.push(paths ? JSON.stringify(project(item!, paths)) : row.item)
    }
    if (scanned === input.Limit) {
      more = true
      break
    }
  }
  return {
    Items: input.Select === 'COUNT' ? undefined : writtenArray(items),
    Count: matched,
    ScannedCount: scanned,
    LastEvaluatedKey: more && last ? lastKey(table, index, JSON.parse(last)) : undefined,
    ConsumedCapacity: consumed(input.ReturnConsumedCapacity, table, readUnits(bytes, input.ConsistentRead), index),
  }
}

/** Query and Scan. */
export const readOperations = (store: Store): Record<string, Operation> => ({
  Query: operation(Query, (input, context) => page(store, 'Query', input, context)),
  Scan: operation(Scan, (input, context) => page(store, 'Scan', input, context)),
})
