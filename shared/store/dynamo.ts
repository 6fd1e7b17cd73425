import { randomUUID } from 'node:crypto'
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { required, type TableName, variable } from '../settings.ts'
import { transport } from '../transport.ts'
import { dropAhead, keepPageAhead, type Place, placeName, takeAhead, takePageAhead } from './ahead.ts'
import { lean } from './lean-client.ts'
import { Sha256 } from './sha256.ts'

/** Primary key of every table. */
export type Key = { pk: string; sk: string }

/** An item as stored: the key and whatever the kind of record holds. */
export type Item = Key & Record<string, unknown>

let client: DynamoDBDocumentClient | undefined

function makeClient(): DynamoDBDocumentClient {
  const made = lean(new DynamoDBClient({ maxAttempts: 5, sha256: Sha256, ...transport('DYNAMODB') }))
  return resolveOnce(DynamoDBDocumentClient.from(made, { marshallOptions: { removeUndefinedValues: true } }))
}

/** A command of the document client: around one of the plain client, which it hands to its middleware when a request begins. */
type DocumentCommand = { clientCommand: unknown; resolveMiddleware: PutCommand['resolveMiddleware'] }

/**
 * Has a client put the middleware of each kind of command together once instead of for every request. `cacheMiddleware` of the SDK
 * does so for other clients, but requests at the same time share an address then: S3's, which tells the bucket, would be that of another.
 */
function resolveOnce(made: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const kinds = new Map<unknown, { first: DocumentCommand; handle: () => Promise<{ output: unknown }> }>()
  const send = async (command: DocumentCommand) => {
    const known = kinds.get(command.constructor)
    const { first, handle } = known ?? {
      first: command,
      handle: command.resolveMiddleware(made.middlewareStack, made.config) as never,
    }
    kinds.set(command.constructor, { first, handle })
    first.clientCommand = command.clientCommand
    return (await handle()).output
  }
  return Object.assign(made, { send })
}

const dynamo = (): DynamoDBDocumentClient => {
  client ??= makeClient()
  return client
}

const tableName = (table: TableName): string => required(variable.table(table))

/** Seconds since the epoch some seconds from now, for the `ttl` attribute. */
export const ttlIn = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** DynamoDB deletes expired items up to two days late, so every reader leaves them out itself. */
const alive = (item: Record<string, unknown> | undefined): boolean =>
  item !== undefined && !(typeof item.ttl === 'number' && item.ttl * 1000 <= Date.now())

/** One item by its key, strongly consistent unless told otherwise; once as it was read ahead, if it was. */
export async function getItem<T extends Item>(table: TableName, key: Key, consistent = true): Promise<T | undefined> {
  const known = takeAhead(table, key)
  if (known) return known.item as T | undefined
  const { Item: item } = await dynamo().send(
    new GetCommand({ TableName: tableName(table), Key: { pk: key.pk, sk: key.sk }, ConsistentRead: consistent }),
  )
  return alive(item) ? (item as T) : undefined
}

/** The items of the given keys in the order of the keys, strongly consistent; absent ones are left out. */
export async function getItems<T extends Item>(table: TableName, wanted: Key[]): Promise<T[]> {
  const items = await getTogether(wanted.map(key => ({ table, key })))
  return items.filter(item => item !== undefined) as T[]
}

/**
 * The items at the given places of any tables in their order, strongly consistent, a hundred with each request; those that were
 * read ahead as they were read.
 */
export async function getTogether(places: Place[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>()
  const names = placeNames(places)
  const asked = places.filter(({ table, key }, n) => {
    const known = takeAhead(table, key)
    if (known?.item) found.set(names[n]!, known.item as Item)
    return !known
  })
  const batches = Array.from({ length: Math.ceil(asked.length / 100) }, (_, n) => asked.slice(n * 100, (n + 1) * 100))
  await Promise.all(batches.map(batch => getBatch(batch, found)))
  return names.map(name => {
    const item = found.get(name)
    return alive(item) ? item : undefined
  })
}

/** The names of places by those that their tables have; each of these is read once, for variables of a thread are slow to read. */
function placeNames(places: readonly Place[]): string[] {
  const tableNames = new Map<TableName, string>()
  return places.map(({ table, key }) => {
    const known = tableNames.get(table) ?? tableName(table)
    tableNames.set(table, known)
    return placeName(known, key)
  })
}

async function getBatch(places: Place[], found: Map<string, Item>): Promise<void> {
  let left = requestsOf(places)
  for (let attempt = 0; Object.keys(left).length > 0; attempt++) {
    if (attempt > 0) await pause(attempt)
    const answer = await dynamo().send(new BatchGetCommand({ RequestItems: left }))
    for (const [name, items] of Object.entries(answer.Responses ?? {})) {
      for (const item of items as Item[]) found.set(placeName(name, item), item)
    }
    left = answer.UnprocessedKeys ?? {}
  }
}

/** What a batch asks of each table, each key once. */
function requestsOf(places: Place[]) {
  const requests: NonNullable<BatchGetCommandInput['RequestItems']> = {}
  const distinct = new Map(places.map(place => [placeName(place.table, place.key), place]))
  for (const [table, all] of Map.groupBy(distinct.values(), ({ table }) => table)) {
    const Keys = all.map(({ key: { pk, sk } }) => ({ pk, sk }))
    requests[tableName(table)] = { Keys, ConsistentRead: true }
  }
  return requests
}

/** Writes an item whole. */
export async function putItem(table: TableName, item: Item): Promise<void> {
  dropAhead(table)
  await patiently(() => dynamo().send(new PutCommand({ TableName: tableName(table), Item: item })))
}

/** Writes an item only if its key is free or its row has expired; false when it is taken. */
export async function createItem(table: TableName, item: Item): Promise<boolean> {
  dropAhead(table)
  const mark = randomUUID()
  try {
    const ConditionExpression = 'attribute_not_exists(pk) OR #ttl <= :now'
    const ExpressionAttributeNames = { '#ttl': 'ttl' }
    const ExpressionAttributeValues = { ':now': ttlIn(0) }
    const condition = { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
    const command = { TableName: tableName(table), Item: { ...item, mark }, ...condition }
    await patiently(() => dynamo().send(new PutCommand(command)))
    return true
  } catch (error) {
    return (await writtenBefore(error, table, item, mark)) !== undefined
  }
}

/**
 * The item that a conditional write has left when its condition failed on a second attempt only because the first one,
 * whose answer was lost, had made it come true; undefined when the condition did not hold. Each such write leaves a
 * `mark` of its own by which it is told from others'; transactions need none, they carry a token. Other errors are thrown.
 */
async function writtenBefore<T extends Item>(error: unknown, table: TableName, key: Key, mark: string) {
  if (!(error instanceof ConditionalCheckFailedException)) throw error
  if ((error.$metadata.attempts ?? 1) < 2) return undefined
  const item = await getItem<T>(table, key)
  return item?.mark === mark ? item : undefined
}

/** Removes an item; nothing happens when there is none. */
export async function deleteItem(table: TableName, { pk, sk }: Key): Promise<void> {
  dropAhead(table)
  await patiently(() => dynamo().send(new DeleteCommand({ TableName: tableName(table), Key: { pk, sk } })))
}

/** A condition or assignment in DynamoDB's expression language, with `:name` values and `#name` aliases. */
export type Expression = {
  update?: string
  condition?: string
  values?: Record<string, unknown>
  names?: Record<string, string>
}

const filled = (map: Record<string, unknown> | undefined): boolean => map !== undefined && Object.keys(map).length > 0

const written = ({ update, condition, values, names }: Expression) => ({
  ...(update && { UpdateExpression: update }),
  ...(condition && { ConditionExpression: condition }),
  ...(filled(values) && { ExpressionAttributeValues: values }),
  ...(filled(names) && { ExpressionAttributeNames: names }),
})

/** Changes one item in place and answers it as it is now; undefined when the condition does not hold. */
export async function updateItem<T extends Item>(
  table: TableName,
  { pk, sk }: Key,
  change: Expression,
): Promise<T | undefined> {
  dropAhead(table)
  const mark = randomUUID()
  try {
    const input = { TableName: tableName(table), Key: { pk, sk }, ReturnValues: 'ALL_NEW' as const }
    const command = { ...input, ...written(marked(change, mark)) }
    return (await patiently(() => dynamo().send(new UpdateCommand(command)))).Attributes as T
  } catch (error) {
    return writtenBefore<T>(error, table, { pk, sk }, mark)
  }
}

/** The change with a mark of its own, if it has a condition. */
function marked(change: Expression, mark: string): Expression {
  const { update = '', condition, names, values } = change
  if (!condition) return change
  const set = update.startsWith('SET ') ? update.replace('SET ', 'SET #mark = :mark, ') : `${update} SET #mark = :mark`
  return { update: set, condition, names: { ...names, '#mark': 'mark' }, values: { ...values, ':mark': mark } }
}

/** An expression that sets each given field; an undefined one is left as it is, null is stored. */
export function setting(fields: Record<string, unknown>): Required<Pick<Expression, 'update' | 'names' | 'values'>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    update: `SET ${given.map((_, n) => `#f${n} = :f${n}`).join(', ')}`,
    names: Object.fromEntries(given.map(([name], n) => [`#f${n}`, name])),
    values: Object.fromEntries(given.map(([, value], n) => [`:f${n}`, value])),
  }
}

/** One write of a transaction; `otherwise` is thrown when its condition does not hold. */
export type Write = { table: TableName; otherwise?: Error } & (
  | { put: Item; condition?: Expression }
  | { update: Key; change: Expression }
  | { delete: Key; condition?: Expression }
  | { check: Key; condition: Expression }
)

/** How often a write is tried that meets another one in a transaction. */
const ATTEMPTS = 12

/** Tries a write of one item again while a transaction is writing it. */
async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt >= ATTEMPTS) throw error
      await pause(attempt)
    }
  }
}

/** How writes are made: by {@link transact}, or by what writes more with them. */
export type Transact = (writes: Write[]) => Promise<boolean>

/**
 * Writes all or nothing (at most 100 items). Answers true, or false when a condition does not hold; where every such
 * write has an `otherwise`, the first of them is thrown. Conflicts with other transactions are tried again.
 */
export async function transact(writes: Write[]): Promise<boolean> {
  const input: TransactWriteCommandInput = { TransactItems: writes.map(transactItem) }
  for (const { table } of writes) dropAhead(table)
  for (let attempt = 1; ; attempt++) {
    try {
      await dynamo().send(new TransactWriteCommand(input))
      return true
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error
      const codes = error.CancellationReasons?.map(reason => reason.Code ?? '') ?? []
      const failed = writes.filter((_, n) => codes[n] === 'ConditionalCheckFailed')
      if (failed.length > 0 && failed.every(({ otherwise }) => otherwise)) throw failed[0]!.otherwise
      if (failed.length > 0) return false
      const passing = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']
      if (attempt >= ATTEMPTS || !codes.some(code => passing.includes(code))) throw error
      await pause(attempt)
    }
  }
}

function transactItem(write: Write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
  const TableName = tableName(write.table)
  if ('put' in write) return { Put: { TableName, Item: write.put, ...written(write.condition ?? {}) } }
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...written(write.condition ?? {}) } }
  if ('check' in write)
    return { ConditionCheck: { TableName, Key: write.check, ConditionExpression: '', ...written(write.condition) } }
  return { Update: { TableName, Key: write.update, UpdateExpression: '', ...written(write.change) } }
}

/** The items of one partition, in the order of the sort key. */
export type Partition = {
  table: TableName
  index?: string
  /** Name of the partition key; `pk` when absent. */
  keyName?: string
  key: string
  /** Only sort keys (`sk`) that begin so. */
  prefix?: string
  /** Only sort keys (`sk`) from this one on; not together with `prefix`. */
  from?: string
  /** Only what comes after this value of the sort key of the name; not together with the two above. */
  after?: { name: string; value: string }
  descending?: boolean
  /** Only these attributes of each item, and `ttl`, which tells whether it has expired; all when absent. */
  fields?: readonly string[]
}

const queryPage = (
  partition: Partition,
  limit: number,
  start?: Record<string, unknown>,
): Promise<QueryCommandOutput> => {
  const { ExpressionAttributeNames, ...input } = query(partition)
  const { names, ...projection } = projectionOf(partition)
  return dynamo().send(
    new QueryCommand({
      ...input,
      ...projection,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, ...names },
      ...(limit < 1000 && { Limit: limit }),
      ExclusiveStartKey: start,
    }),
  )
}

/** The part of each item that is asked for. */
function projectionOf({ fields }: Partition): { ProjectionExpression?: string; names?: Record<string, string> } {
  if (!fields) return {}
  const names = Object.fromEntries(['ttl', ...fields].map((field, n) => [`#p${n}`, field]))
  return { ProjectionExpression: Object.keys(names).join(', '), names }
}

/** Begins to read a partition, at most `limit` items of it, before it is asked for; answers them. */
export async function queryAhead<T extends Record<string, unknown>>(partition: Partition, limit: number): Promise<T[]> {
  const page = queryPage(partition, limit)
  keepPageAhead(partition, page)
  return ((await page).Items ?? []).filter(alive) as T[]
}

/** Begins to read a partition before it is asked for; where that fails, it fails when it is asked for. */
export function beginQuery(partition: Partition, limit: number): void {
  queryAhead(partition, limit).catch(() => {})
}

/**
 * Reads a partition page by page, at most `limit` items; begins with what was read ahead of it, if anything was. Tables are
 * read consistently, indexes as they are.
 */
export async function* queryItems<T extends Record<string, unknown> = Item>(
  partition: Partition,
  limit = Infinity,
): AsyncGenerator<T> {
  let left = limit
  let start: Record<string, unknown> | undefined
  let ahead = takePageAhead(partition) as Promise<QueryCommandOutput> | undefined
  while (left > 0) {
    const page = await (ahead ?? queryPage(partition, left, start))
    ahead = undefined
    for (const item of page.Items ?? []) {
      if (alive(item) && left-- > 0) yield item as T
    }
    start = page.LastEvaluatedKey
    if (!start) return
  }
}

/** How many items a partition holds, expired ones not counted. */
export async function countItems(partition: Partition): Promise<number> {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...input } = query(partition)
  const counting: QueryCommandInput = {
    ...input,
    Select: 'COUNT',
    FilterExpression: 'attribute_not_exists(#ttl) OR #ttl > :now',
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#ttl': 'ttl' },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':now': ttlIn(0) },
  }
  let count = 0
  let start: Record<string, unknown> | undefined
  do {
    const page = await dynamo().send(new QueryCommand({ ...counting, ExclusiveStartKey: start }))
    count += page.Count ?? 0
    start = page.LastEvaluatedKey
  } while (start)
  return count
}

function query({ table, index, keyName = 'pk', key, descending, ...range }: Partition): QueryCommandInput {
  const { condition = '', names = {}, values = {} } = rangeOf(range, descending)
  return {
    TableName: tableName(table),
    IndexName: index,
    ConsistentRead: !index,
    KeyConditionExpression: `#key = :key${condition}`,
    ExpressionAttributeNames: { '#key': keyName, ...names },
    ExpressionAttributeValues: { ':key': key, ...values },
    ScanIndexForward: !descending,
  }
}

/** The part of a partition that is asked for, as a condition on its sort key. */
function rangeOf(
  { prefix, from, after }: Pick<Partition, 'prefix' | 'from' | 'after'>,
  descending = false,
): Expression {
  if (prefix) return { condition: ' AND begins_with(sk, :prefix)', values: { ':prefix': prefix } }
  if (from) return { condition: ' AND sk >= :from', values: { ':from': from } }
  if (!after) return {}
  const condition = ` AND #sort ${descending ? '<' : '>'} :after`
  return { condition, names: { '#sort': after.name }, values: { ':after': after.value } }
}

/** Waits longer with each attempt, up to about two seconds and by chance, so that rivals do not meet again. */
const pause = (attempt: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.random() * Math.min(2000, 10 * 2 ** attempt)))
