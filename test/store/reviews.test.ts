import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReviewState } from '../../shared/api/reviews.ts'
import { newAsset } from '../../shared/store/assets.ts'
import { changeJob, createJob, getJob, newJob, recordResult } from '../../shared/store/jobs.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop?.())

/** Whether an output of a job whose review is in a state counts; `null` and `undefined` are jobs without one. */
async function counts(state: ReviewState | null | undefined): Promise<boolean> {
  const [id, assetId, outputAssetId] = [randomUUID(), randomUUID(), randomUUID()]
  await createJob(newJob({ id, ownerId: 'owner', name: 'job', description: '' }, 1), [])
  const asked = { approvers: 1, expiresInDays: 7, deadline: null, version: 0, approvals: [], changes: 0 }
  const review = state && { ...asked, state }
  await changeJob(id, { status: 'IN_PROGRESS', startedAt: new Date().toISOString(), review }, { status: ['PENDING'] })
  const job = await getJob(id)
  const named = { jobId: id, ownerId: 'owner', name: 'a.txt', type: 'DOCUMENT', contentType: 'text/plain' } as const
  const output = newAsset({ ...named, id: outputAssetId, derivedFrom: assetId, status: 'READY' })
  const made = { name: 'a.txt', status: 'SUCCEEDED' as const, url: null, errors: [], findings: [] }
  const recorded = await recordResult(job, { assetId, outputAssetId, ...made, bytesIn: 1, bytesOut: 1 }, { output })
  expect((await getJob(id)).done).toBe(recorded ? 1 : 0)
  return recorded
}

test('an output counts where no review was asked for or one has released it, and nowhere else', async () => {
  for (const state of [undefined, null, 'released'] as const)
    expect([state, await counts(state)]).toEqual([state, true])
  for (const state of ['requested', 'preparing', 'waiting', 'releasing', 'rejected', 'expired'] as const)
    expect([state, await counts(state)]).toEqual([state, false])
})
