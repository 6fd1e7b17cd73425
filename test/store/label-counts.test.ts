import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLabels } from '../../shared/engine/findings.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { changeJob, createJob, getJob, newJob, recordResult } from '../../shared/store/jobs.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop?.())

const failed = (assetId: string, counts: Record<string, number>) => {
  const labels = Object.entries(counts).map(([label, count]) => ({ label, count }))
  const count = labels.reduce((sum, one) => sum + one.count, 0)
  const told = { name: 'a.txt', status: 'FAILED' as const, outputAssetId: null, url: null, errors: [] }
  return { assetId, ...told, findings: [{ ruleId: 'r', name: 'model', count, labels }], bytesIn: 1, bytesOut: 0 }
}

async function running(assets: number): Promise<string> {
  const id = randomUUID()
  await createJob(newJob({ id, ownerId: 'owner', name: 'job', description: '' }, assets), [])
  await changeJob(id, { status: 'IN_PROGRESS' }, { status: ['PENDING'] })
  return id
}

const finished = async (id: string) => {
  await changeJob(id, { status: 'FAILED', finishedAt: new Date().toISOString() }, { status: ['IN_PROGRESS'] })
  return (await showJob(await getJob(id))).result!
}

test('the labels of all results add up in the job; its first hundred results show their own', async () => {
  const id = await running(102)
  // What a label is called collides with no attribute of the row.
  const counts = { PERSON: 2, status: 1, 'First name (given)': 3 }
  for (let n = 0; n < 102; n++) {
    expect(await recordResult(await getJob(id), failed(`asset-${String(n).padStart(3, '0')}`, counts))).toBe(true)
  }
  expect(await recordResult(await getJob(id), failed('asset-000', counts))).toBe(false)
  const { counts: told, assets } = await finished(id)
  expect(told).toMatchObject({
    findings: 612,
    labels: [
      { label: 'First name (given)', count: 306 },
      { label: 'PERSON', count: 204 },
      { label: 'status', count: 102 },
    ],
  })
  expect(assets.map(({ findings: [found] }) => found!.labels?.length)).toEqual([
    ...Array.from({ length: 100 }, () => 3),
    undefined,
    undefined,
  ])
  expect(assets.every(({ findings: [found] }) => found!.count === 6)).toBe(true)
})

test('of very many labels the hundred most frequent are told', async () => {
  const id = await running(1)
  const counts = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`L${n}`, n + 1]))
  expect(await recordResult(await getJob(id), failed('asset', counts))).toBe(true)
  const { labels, findings } = (await finished(id)).counts
  expect(findings).toBe((150 * 151) / 2)
  expect(labels).toEqual(addLabels(failed('asset', counts).findings[0]!.labels).slice(0, 100))
})
