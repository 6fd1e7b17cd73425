import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDue } from '../../shared/schedules/start.ts'
import { dueSchedules, putArrival } from '../../shared/store/schedules.ts'
import { startTables } from './tables.ts'

const broken = randomUUID()
let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables((service, action, request) =>
    service === 'dynamodb' && action === 'GetItem' && JSON.stringify(request).includes(broken)
      ? { error: { name: 'ValidationException', status: 400 } }
      : undefined,
  )
})
afterAll(() => stop())

test('a schedule that cannot be begun holds up no other', async () => {
  const gone = randomUUID()
  await putArrival(broken, '2026-01-01T00:00:00.000Z')
  await putArrival(gone, '2026-01-02T00:00:00.000Z')
  await startDue()
  const left: string[] = []
  for await (const { scheduleId } of dueSchedules(Date.now())) left.push(scheduleId)
  // That of a schedule which is no more is forgotten; the other stays for the next time.
  expect(left).toEqual([broken])
})
