import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sweep } from '../../shared/jobs/lifecycle/sweep.ts'
import { log } from '../../shared/log.ts'
import { openWork, trackOpen } from '../../shared/store/open-work.ts'
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

test('a job that cannot be looked after holds up no other, and is told of', async () => {
  // In the order of their owners; a job that is no more is let go.
  await trackOpen('RUN', { id: broken, ownerId: 'a' })
  await trackOpen('RUN', { id: randomUUID(), ownerId: 'b' })
  const told = vi.spyOn(log, 'error')
  await expect(sweep()).rejects.toThrow()
  const failure = expect.objectContaining({ error: 'ValidationException', message: expect.any(String) })
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.any(String), { jobId: broken, kind: 'RUN', failure })
  const left: string[] = []
  for await (const { jobId } of openWork()) left.push(jobId)
  expect(left).toEqual([broken])
})
