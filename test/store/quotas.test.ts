import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countAmount, leftToday, takeBack, usedToday } from '../../shared/store/quotas.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
  // One clock for all tests, which never goes back: requests are signed with the time.
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.parse('2031-05-06T23:58:20.500Z'))
})
afterAll(() => {
  vi.useRealTimers()
  return stop()
})

const one = { jobs: 1, bytes: 0 }
const refused = (type = 'quota_exceeded') => expect.objectContaining({ status: 429, message: type })

test('an amount is counted whole or not at all, up to the last byte', async () => {
  const [id, quota] = [randomUUID(), { jobsPerDay: 3, bytesPerDay: 100 }]
  await countAmount(id, quota, { jobs: 1, bytes: 60 })
  await expect(countAmount(id, quota, { jobs: 1, bytes: 41 })).rejects.toEqual(refused())
  expect(await usedToday(id)).toEqual({ jobs: 1, bytes: 60, resetsAt: '2031-05-07T00:00:00.000Z' })
  await countAmount(id, quota, { jobs: 1, bytes: 40 })
  await expect(countAmount(id, quota, { jobs: 0, bytes: 1 })).rejects.toEqual(refused())
  await countAmount(id, quota, one)
  await expect(countAmount(id, quota, one)).rejects.toMatchObject({
    headers: { 'Retry-After': '100' },
    detail: [{ msg: 'The quota of your role is 3 jobs a day; 0 are left until midnight UTC' }],
  })
  expect(await leftToday(id, {})).toEqual({ jobs: Infinity, bytes: Infinity })
  // One that is larger than the whole quota, on a day without anything before it.
  await expect(countAmount(randomUUID(), quota, { jobs: 1, bytes: 101 })).rejects.toEqual(refused())
})

test('of many at the same moment, as many are counted as the quota has room for', async () => {
  const [id, quota] = [randomUUID(), { jobsPerDay: 5 }]
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => countAmount(id, quota, one)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const reasons = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  expect(reasons).toEqual(Array(15).fill(refused()))
  expect(await usedToday(id)).toMatchObject({ jobs: 5, bytes: 0 })
})

test('the next day begins at midnight UTC with nothing counted, and nothing of the day before is taken back', async () => {
  const [id, quota] = [randomUUID(), { jobsPerDay: 1 }]
  const day = await countAmount(id, quota, { jobs: 1, bytes: 10 })
  expect(day).toBe('2031-05-06')
  await takeBack(id, day, one)
  expect(await usedToday(id)).toMatchObject({ jobs: 0, bytes: 10 })
  await countAmount(id, quota, one)
  await expect(countAmount(id, quota, one)).rejects.toEqual(refused())
  vi.setSystemTime(Date.parse('2031-05-07T00:00:00.000Z'))
  expect(await usedToday(id)).toEqual({ jobs: 0, bytes: 0, resetsAt: '2031-05-08T00:00:00.000Z' })
  await countAmount(id, quota, one)
  await takeBack(id, day, one)
  await expect(countAmount(id, quota, one)).rejects.toEqual(refused())
})

test('nothing is taken back of somebody of whom nothing was counted', async () => {
  const id = randomUUID()
  await takeBack(id, new Date().toISOString().slice(0, 10), { jobs: 1, bytes: 10 })
  expect(await usedToday(id)).toMatchObject({ jobs: 0, bytes: 0 })
})
