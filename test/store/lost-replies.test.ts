import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createItem, getItem, updateItem } from '../../shared/store/dynamo.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
/** How many answers to writes are lost from now on. */
let losing = 0
beforeAll(async () => {
  stop = await startTables((_service, action) =>
    ['PutItem', 'UpdateItem'].includes(action) && losing-- > 0 ? { loseReply: true } : undefined,
  )
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
