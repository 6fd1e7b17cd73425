import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { numberValues } from '../../shared/store/value-numbers.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
let writes: string[] = []
let lost = 0
beforeAll(async () => {
  stop = await startTables((_service, action) => {
    writes.push(action)
    return action === 'PutItem' && lost-- > 0 ? { loseReply: true } : undefined
  })
})
afterAll(() => stop())
beforeEach(() => {
  writes = []
  lost = 0
})

const keys = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `key ${from + n}`)

test('values are counted from 1 in the order in which they are asked for, each once', async () => {
  const job = randomUUID()
  expect(await numberValues(job, ['b', 'a', 'b', 'c'])).toEqual([1, 2, 1, 3])
  expect(await numberValues(job, ['d', 'c', 'a'])).toEqual([4, 3, 2])
  expect(await numberValues(randomUUID(), ['d'])).toEqual([1])
  expect(await numberValues(job, [])).toEqual([])
})

test('a thousand new values are reserved by one write', async () => {
  expect(await numberValues(randomUUID(), keys(1000))).toEqual(keys(1000).map((_, n) => n + 1))
  expect(writes.filter(action => action === 'UpdateItem')).toHaveLength(1)
  expect(writes.filter(action => action === 'PutItem')).toHaveLength(1000)
})

test('workers that ask at the same moment get the same number for a value, and another for every other', async () => {
  const job = randomUUID()
  const asked = [keys(60), keys(60, 30), keys(60).reverse(), keys(1, 45)]
  const given = await Promise.all(asked.map(wanted => numberValues(job, wanted)))
  const numbers = new Map<string, Set<number>>()
  asked.forEach((wanted, worker) => {
    wanted.forEach((key, n) => {
      numbers.set(key, (numbers.get(key) ?? new Set()).add(given[worker]![n]!))
    })
  })
  const all = [...numbers.values()].map(set => [...set])
  expect(all.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(all.flat()).size).toBe(90)
})

test('a number whose writing was not heard of counts all the same', async () => {
  const job = randomUUID()
  lost = 3
  const given = await numberValues(job, keys(20))
  expect(given).toEqual(keys(20).map((_, n) => n + 1))
  expect(await numberValues(job, keys(20))).toEqual(given)
})
