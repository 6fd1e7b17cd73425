import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createItem, deleteItem, getItem, putItem, updateItem } from '../../shared/store/dynamo.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
/** How many answers to writes are lost from now on. */
let losing = 0
/** How many writes meet a transaction from now on. */
let meeting = 0
const conflict = { name: 'TransactionConflictException', status: 400 }
beforeAll(async () => {
  stop = await startTables((_service, action) => {
    if (!['PutItem', 'UpdateItem', 'DeleteItem'].includes(action)) return undefined
    if (meeting-- > 0) return { error: conflict }
    return losing-- > 0 ? { loseReply: true } : undefined
  })
})
afterAll(() => stop())

const newKey = () => ({ pk: randomUUID(), sk: 'THING' })
const free = { condition: '#state = :free', names: { '#state': 'state' } }
const take = { update: 'SET #state = :taken', ...free, values: { ':free': 'free', ':taken': 'taken' } }

test('an item is created by whoever wrote it, even when the answer was lost, and by nobody else', async () => {
  const key = newKey()
  losing = 2
  expect(await createItem('jobs', key)).toBe(true)
  losing = 2
  expect(await createItem('jobs', key)).toBe(false)
})

test('a conditional change whose answer was lost is answered with what it has made', async () => {
  const key = newKey()
  await createItem('jobs', { ...key, state: 'free' })
  losing = 2
  expect(await updateItem('jobs', key, take)).toMatchObject({ state: 'taken' })
})

test('a change that adds is made once, though its answer was lost', async () => {
  const key = newKey()
  await createItem('jobs', { ...key, n: 1 })
  losing = 1
  const once = { update: 'ADD #n :by', condition: '#n < :most', names: { '#n': 'n' }, values: { ':by': 1, ':most': 2 } }
  expect(await updateItem('jobs', key, once)).toMatchObject({ n: 2 })
})

test('a change whose condition does not hold is refused, and leaves no trace', async () => {
  const key = newKey()
  await createItem('jobs', { ...key, state: 'free' })
  const before = await updateItem('jobs', key, take)
  losing = 2
  expect(await updateItem('jobs', key, take)).toBeUndefined()
  expect(await getItem('jobs', key)).toEqual(before)
})

test('a write that meets a transaction on its item waits for it', async () => {
  const key = newKey()
  meeting = 3
  expect(await createItem('jobs', { ...key, state: 'free' })).toBe(true)
  meeting = 3
  expect(await updateItem('jobs', key, take)).toMatchObject({ state: 'taken' })
  meeting = 3
  await putItem('jobs', { ...key, state: 'put' })
  expect(await getItem('jobs', key)).toMatchObject({ state: 'put' })
  meeting = 3
  await deleteItem('jobs', key)
  expect(await getItem('jobs', key)).toBeUndefined()
})
