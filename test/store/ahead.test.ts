import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { service } from '../../shared/api/service.ts'
import { identify } from '../../shared/http/identify.ts'
import { forgetAhead, keepAhead } from '../../shared/store/ahead.ts'
import {
  beginQuery,
  deleteItem,
  getItem,
  getTogether,
  putItem,
  queryAhead,
  queryItems,
  transact,
  updateItem,
} from '../../shared/store/dynamo.ts'
import { startTables } from './tables.ts'

let reads = 0
/** Whether reading takes longer than counting. */
let isSlow = false
afterAll(
  await startTables((_, action) => {
    if (/GetItem$|^Query$/.test(action)) reads++
    return isSlow && action === 'BatchGetItem' ? { delayMs: 400 } : undefined
  }),
)

/** A row that was read ahead, and how often it is read from now on. */
async function readAhead() {
  const table = 'rules' as const
  const key = { pk: randomUUID(), sk: 'ROW' }
  await putItem(table, { ...key, n: 1 })
  const places = [{ table, key }]
  keepAhead(places, await getTogether(places))
  reads = 0
  return key
}

beforeEach(forgetAhead)
afterEach(() => void vi.useRealTimers())

test('what was read ahead is handed out once', async () => {
  const key = await readAhead()
  expect(await getItem('rules', key)).toEqual({ ...key, n: 1 })
  expect(reads).toBe(0)
  await getItem('rules', key)
  expect(reads).toBe(1)
})

test('that nothing stands there is known too', async () => {
  const places = [{ table: 'rules' as const, key: { pk: randomUUID(), sk: 'ROW' } }]
  keepAhead(places, await getTogether(places))
  reads = 0
  expect(await getItem('rules', places[0]!.key)).toBeUndefined()
  expect(reads).toBe(0)
})

test.each([
  ['written', (key: Key) => putItem('rules', { ...key, n: 2 }), 2],
  ['changed', (key: Key) => updateItem('rules', key, { update: 'SET n = :two', values: { ':two': 2 } }), 2],
  ['written with others', (key: Key) => transact([{ table: 'rules', put: { ...key, n: 2 } }]), 2],
  ['removed', (key: Key) => deleteItem('rules', key), undefined],
])('a row that is %s is read anew', async (_, write, n) => {
  const key = await readAhead()
  await write(key)
  expect((await getItem('rules', key))?.n).toBe(n)
})

type Key = { pk: string; sk: string }

test('what is written to another table changes nothing', async () => {
  const key = await readAhead()
  await putItem('jobs', { ...key, n: 2 })
  expect((await getItem('rules', key))?.n).toBe(1)
  expect(reads).toBe(0)
})

test('another request reads anew', async () => {
  const key = await readAhead()
  forgetAhead()
  await getItem('rules', key)
  expect(reads).toBe(1)
})

test('what was read more than a second ago is read anew', async () => {
  const key = await readAhead()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1001 })
  await getItem('rules', key)
  expect(reads).toBe(1)
})

test('a place that is asked for twice is read once', async () => {
  const key = { pk: randomUUID(), sk: 'ROW' }
  await putItem('rules', { ...key, n: 1 })
  const place = { table: 'rules' as const, key }
  expect((await getTogether([place, place])).map(item => item?.n)).toEqual([1, 1])
})

test('of places that are asked for together only those are read that were not', async () => {
  const key = await readAhead()
  const other = { pk: key.pk, sk: 'OTHER' }
  await putItem('jobs', { ...other, n: 2 })
  const both = [
    { table: 'rules' as const, key },
    { table: 'jobs' as const, key: other },
  ]
  expect((await getTogether(both)).map(item => item?.n)).toEqual([1, 2])
  expect(reads).toBe(1)
  const again = await readAhead()
  expect(await getTogether([{ table: 'rules', key: again }])).toEqual([{ ...again, n: 1 }])
  expect(reads).toBe(0)
})

describe('a partition', () => {
  const ROWS = 5

  async function partition() {
    const key = randomUUID()
    for (let n = 0; n < ROWS; n++) await putItem('rules', { pk: key, sk: `ROW#${n}` })
    reads = 0
    return { table: 'rules' as const, key, prefix: 'ROW#' }
  }

  const rowsOf = async (...query: Parameters<typeof queryItems>) => {
    const rows: string[] = []
    for await (const { sk } of queryItems(...query)) rows.push(sk)
    return rows
  }

  test.each([2, 5, 100])('of which %d rows were read ahead goes on behind them', async most => {
    const wanted = await partition()
    beginQuery(wanted, most)
    expect(await rowsOf(wanted)).toHaveLength(ROWS)
    expect(reads).toBe(most > ROWS ? 1 : 2)
  })

  test('of which more was read ahead than is asked for ends where it should', async () => {
    const wanted = await partition()
    expect(await queryAhead(wanted, 4)).toHaveLength(4)
    expect(await rowsOf(wanted, 3)).toEqual(['ROW#0', 'ROW#1', 'ROW#2'])
    expect(reads).toBe(1)
  })

  test('that is written to, or asked for by another order or request, is read anew', async () => {
    const wanted = await partition()
    await queryAhead(wanted, 100)
    expect(await rowsOf({ ...wanted, descending: true }, 1)).toEqual(['ROW#4'])
    await putItem('rules', { pk: wanted.key, sk: 'ROW#5' })
    expect(await rowsOf(wanted)).toHaveLength(ROWS + 1)
    const pending = queryAhead(wanted, 100)
    forgetAhead()
    await pending
    reads = 0
    await rowsOf(wanted)
    expect(reads).toBe(1)
  })

  test('that could not be read ahead fails when it is asked for', async () => {
    const wrong = { table: 'rules' as const, index: 'none', key: 'x' }
    beginQuery(wrong, 1)
    await expect(rowsOf(wrong)).rejects.toThrow()
  })
})

test('what is still read for a request beyond the limit is not handed out to the next one', async () => {
  vi.stubEnv('RATE_LIMIT_PER_USER', '1')
  const key = await readAhead()
  const event = { requestContext: { identity: { sourceIp: '192.0.2.7' } } } as APIGatewayProxyEvent
  const wanted = () => [{ table: 'rules' as const, key }]
  const call = () => identify(event, service.root, { note: () => {}, wanted })
  await call()
  isSlow = true
  await expect(call()).rejects.toMatchObject({ message: 'rate_limited' })
  isSlow = false
  forgetAhead()
  await new Promise(resolve => setTimeout(resolve, 600))
  reads = 0
  expect(await getItem('rules', key)).toMatchObject({ n: 1 })
  expect(reads).toBe(1)
  vi.unstubAllEnvs()
})
