import { randomUUID } from 'node:crypto'
import { BatchGetItemCommand, DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCursor } from '../../shared/http/cursor.ts'
import { pageHeaders, readPage } from '../../shared/http/paging.ts'
import { type ListQuery, listRecords, type Scope } from '../../shared/store/lists.ts'
import { counterKey, creating, totalKeys } from '../../shared/store/records.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { startTables } from './tables.ts'

const RECORDS = 10_000
const ownerId = randomUUID()
const scope: Scope = { ownerId }

/** Requests that the service makes, as they reach the emulator. */
const seen: { action: string; request: Record<string, unknown> }[] = []
let stop: () => Promise<void>
let client: DynamoDBClient
beforeAll(async () => {
  stop = await startTables((_, action, request) => {
    seen.push({ action, request })
    return undefined
  })
  client = new DynamoDBClient({})
  const documents = DynamoDBDocumentClient.from(client)
  for (let at = 0; at < RECORDS; at += 25) {
    const requests = Array.from({ length: 25 }, (_, n) => ({ PutRequest: { Item: itemOf(at + n) } }))
    await documents.send(new BatchWriteCommand({ RequestItems: { rules: requests } }))
  }
  const counts = [
    { ...counterKey(RULE, ownerId), n: RECORDS },
    { ...totalKeys(RULE)[0], n: RECORDS },
  ]
  for (const Item of counts) await documents.send(new PutCommand({ TableName: 'rules', Item }))
})
afterAll(async () => {
  client.destroy()
  await stop()
})

/** The item of the rule of this number; higher numbers are newer. */
function itemOf(n: number): Record<string, unknown> {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
  const name = `Rule ${String((n * 7919) % RECORDS).padStart(5, '0')}`
  const config = { regexRuleConfig: { pattern: `[0-9]{${1 + (n % 9)}} and some more of what a pattern looks like` } }
  const times = { createdAt, updatedAt: createdAt }
  const rule: RuleRecord = {
    id: randomUUID(),
    ownerId,
    name,
    description: 'x'.repeat(200),
    type: 'REGEX',
    config,
    ...times,
  }
  const [write] = creating(RULE, rule)
  return (write as { put: Record<string, unknown> }).put
}

const commands = { Query: QueryCommand, BatchGetItem: BatchGetItemCommand, GetItem: GetItemCommand }

/** Lists, and says what it cost: read units as DynamoDB counts them, and how many requests. */
async function list(query: Partial<ListQuery>, of: Scope = scope) {
  seen.length = 0
  const page = await listRecords<RuleRecord>(RULE, of, { skip: 0, limit: 100, ...query })
  const requests = seen.splice(0)
  let units = 0
  for (const { action, request } of requests) {
    expect(Object.keys(commands)).toContain(action)
    const Command = commands[action as keyof typeof commands]
    const again = new (Command as typeof QueryCommand)({ ...request, ReturnConsumedCapacity: 'TOTAL' } as never)
    const { ConsumedCapacity } = (await client.send(again as never)) as { ConsumedCapacity: unknown }
    for (const one of [ConsumedCapacity].flat()) units += (one as { CapacityUnits: number }).CapacityUnits
  }
  return { ...page, units, requests: requests.length }
}

const names = (records: RuleRecord[]) => records.map(({ name }) => name)

describe(`a list of ${RECORDS} records`, () => {
  /** Most read units of each page; `docs/lists.md` shows what they are. */
  test.each<[string, Partial<ListQuery>, number]>([
    ['the first page', {}, 130],
    ['the first ten', { limit: 10 }, 16],
    ['a page in the middle', { skip: 5000 }, 450],
    ['the last page', { skip: 9900 }, 800],
    ['the oldest first', { sort: [{ field: 'createdAt', order: 'asc' }] }, 130],
    ['sorted by name', { sort: [{ field: 'name', order: 'asc' }] }, 800],
    ['searched', { search: 'rule 0777' }, 700],
    ['filtered', { filters: { type: 'REGEX' }, skip: 200 }, 800],
  ])('%s', async (name, query, most) => {
    const { records, total, units, requests } = await list(query)
    console.log(`${name}: ${units} read units in ${requests} requests`)
    expect(units).toBeLessThanOrEqual(most)
    expect(units).toBeGreaterThan(0)
    expect(records.length).toBe(query.search ? 10 : (query.limit ?? 100))
    expect(total).toBe(query.search ? 10 : RECORDS)
  })

  test('shows each record once, page by page, newest first', async () => {
    const ids = new Set<string>()
    let before = '9'
    for (let skip = 0; skip < RECORDS; skip += 1000) {
      const { records } = await listRecords<RuleRecord>(RULE, scope, { skip, limit: 1000 })
      for (const { id, createdAt } of records) {
        ids.add(id)
        expect(createdAt < before).toBe(true)
        before = createdAt
      }
    }
    expect(ids.size).toBe(RECORDS)
  })

  test('sorts over all of them, by several fields', async () => {
    const { records } = await list({
      sort: [
        { field: 'type', order: 'desc' },
        { field: 'name', order: 'desc' },
      ],
      limit: 3,
    })
    expect(names(records)).toEqual(['Rule 09999', 'Rule 09998', 'Rule 09997'])
  })

  test('the total of everybody’s costs as little', async () => {
    const { total, units } = await list({ limit: 10 }, 'all')
    expect([total, units <= 30]).toEqual([RECORDS, true])
  })

  test('nobody else sees any of them', async () => {
    expect(await list({}, { ownerId: randomUUID() })).toMatchObject({ records: [], total: 0 })
  })
})

describe('more records than can be skipped', () => {
  const MORE = 1500

  test('are all reached by the links from page to page, each page at the cost of its own records', async () => {
    const documents = DynamoDBDocumentClient.from(client)
    for (let at = 0; at < MORE; at += 25) {
      const requests = Array.from({ length: 25 }, (_, n) => ({ PutRequest: { Item: itemOf(-1 - at - n) } }))
      await documents.send(new BatchWriteCommand({ RequestItems: { rules: requests } }))
    }
    const count = { ...counterKey(RULE, ownerId), n: RECORDS + MORE }
    await documents.send(new PutCommand({ TableName: 'rules', Item: count }))
    for (const sort of [undefined, '-name'] as const) {
      const ids: string[] = []
      const costs: number[] = []
      let query: Record<string, unknown> | undefined = { skip: 9500, limit: 500, ...(sort && { sort }) }
      while (query) {
        const page = readPage({}, query)
        const { records, total, last, units } = await list(page)
        ids.push(...records.map(({ id }) => id))
        costs.push(units)
        const { Link = '' } = pageHeaders(page, { total, last }, 'https://service/api/rules/list', query)
        const next = /<([^>]+)>; rel="next"/.exec(Link)?.[1]
        query = next ? Object.fromEntries(new URL(next).searchParams) : undefined
        if (query) for (const name of ['skip', 'limit']) if (query[name]) query[name] = Number(query[name])
        expect(Number(query?.skip ?? 0)).toBeLessThanOrEqual(10_000)
      }
      expect([ids.length, new Set(ids).size]).toEqual([500 + MORE, 500 + MORE])
      if (!sort) expect(costs.at(-1)).toBeLessThan(550)
    }
  })

  test.each(['x', '', 'W10', writeCursor({ skip: -1 }), 'WyJhIl0'])('%j is no cursor', cursor => {
    expect(() => readPage({}, { cursor })).toThrow('invalid_format')
  })

  test('a cursor and skip do not go together', () => {
    expect(() => readPage({ skip: 1 }, { cursor: writeCursor({ skip: 5 }) })).toThrow('conflicting_values')
  })
})
