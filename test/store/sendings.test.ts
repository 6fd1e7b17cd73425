import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ttlIn } from '../../shared/store/dynamo.ts'
import { findRecord } from '../../shared/store/records.ts'
import { beginSending, changeSending, newSending, SENDING, type SendingRecord } from '../../shared/store/sendings.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
  process.env.NOTIFICATION_DAYS = '30'
})
afterAll(() => stop())

const DAY = 24 * 3600
const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

test('a sending that is due again is kept until its attempts are over', async () => {
  const event = { id: randomUUID(), type: 'job.succeeded', createdAt: at(0), data: {} }
  const old: SendingRecord = { ...newSending(randomUUID(), event as never), ttl: ttlIn(3600) }
  await beginSending(old, at(60))
  const read = async () => (await findRecord<SendingRecord>(SENDING, old.id))!

  expect(await changeSending(await read(), { status: 'FAILED', nextAttemptAt: null })).toBe(true)
  expect((await read()).ttl).toBe(old.ttl)
  expect(await changeSending(await read(), { status: 'PENDING', attempts: 0, nextAttemptAt: at(60) })).toBe(true)
  expect((await read()).ttl).toBeGreaterThanOrEqual(ttlIn(6 * DAY))
})
