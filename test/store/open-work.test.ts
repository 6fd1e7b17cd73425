import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSweep, type OpenWork, openWork, trackOpen, untrack, untrackFound } from '../../shared/store/open-work.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop())

async function find(id: string): Promise<OpenWork | undefined> {
  for await (const row of openWork()) if (row.jobId === id) return row
  return undefined
}

/** A job that was put under the sweeper's eyes a moment ago, and what the sweeper reads of it. */
async function found() {
  const job = { id: randomUUID(), ownerId: randomUUID() }
  await trackOpen('RUN', job)
  await sleep(5)
  return { job, row: (await find(job.id))! }
}

test('the sweeper lets go of what it has found', async () => {
  const { job, row } = await found()
  await untrackFound(row)
  expect(await find(job.id)).toBeUndefined()
})

test('but not of a job that was begun again meanwhile', async () => {
  const { job, row } = await found()
  await trackOpen('RUN', job)
  await untrackFound(row)
  await countSweep(row)
  expect(await find(job.id)).toMatchObject({ jobId: job.id, sweeps: 0 })
})

test('the sweeper counts what it did', async () => {
  const { job, row } = await found()
  await countSweep(row)
  expect(await find(job.id)).toEqual({ ...row, sweeps: 1, mark: expect.any(String) })
})

test('and puts no job back that ended meanwhile', async () => {
  const { job, row } = await found()
  await untrack('RUN', job)
  await countSweep(row)
  expect(await find(job.id)).toBeUndefined()
})
