import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePendingAssets, failUpload, listAssets, newAsset } from '../../shared/store/assets.ts'
import { createJob, newJob } from '../../shared/store/jobs.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop?.())

/** An asset whose file was announced, and how it stands now. */
async function announced() {
  const jobId = randomUUID()
  const asset = newAsset({ jobId, name: 'a.txt', type: 'DOCUMENT', contentType: 'text/plain', status: 'UPLOADING' })
  await createJob(newJob({ id: jobId, ownerId: 'owner', name: 'job', description: '' }, 1), [asset])
  const takeIn = () => changePendingAssets(jobId, [[asset, { status: 'READY' }]])
  const rename = () => changePendingAssets(jobId, [[asset, { name: 'b.txt' }]])
  const fail = () => failUpload(asset, [{ loc: [], msg: 'It never came', type: 'timeout' }])
  const status = async () => (await listAssets(jobId))[0]!.status
  return { takeIn, rename, fail, status }
}

test('a file that was taken in does not fail as one that never came', async () => {
  const { takeIn, fail, status } = await announced()
  expect(await takeIn()).toBe(true)
  await fail()
  expect(await status()).toBe('READY')
  expect(await takeIn()).toBe(true)
})

test('a file that failed is not taken in any more, but may be called otherwise', async () => {
  const { takeIn, rename, fail, status } = await announced()
  await fail()
  expect([await takeIn(), await status()]).toEqual([false, 'FAILED'])
  expect([await rename(), await status()]).toEqual([true, 'FAILED'])
})
