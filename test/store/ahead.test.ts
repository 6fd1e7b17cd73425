import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetAhead, keepAhead } from '../../shared/store/ahead.ts'
import { deleteItem, getItem, getTogether, putItem, transact, updateItem } from '../../shared/store/dynamo.ts'
import { startTables } from './tables.ts'

let reads = 0
afterAll(
  await startTables((_, action) => {
    if (/GetItem$/.test(action)) reads++
    return undefined
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
