import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { deployed } from '../api/deployed.ts'
import { makeFinishedJob, makeJob, makeRule, makeWorkflow } from '../api/requests.ts'
import { startService } from '../api/setup.ts'
import { ended, jobUntil } from '../api/waiting.ts'

/** Small enough to cut the large table into several chunks. */
const CHUNK_BYTES = 6000
/** A job that nobody can take a place to copy from while it is set. */
let held: string | undefined
const service = await startService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
  redeliverySeconds: 1,
  faults: (store, _, request) =>
    store === 'dynamodb' && held && JSON.stringify(request).includes(`SOURCE#${held}`)
      ? { error: { name: 'ThrottlingException', status: 400 } }
      : undefined,
})
afterAll(() => service.stop())
const { client } = service.admin

const refusal = ({ status, detail }: { status: number; detail: { type: string; loc: string[] }[] }) => [
  status,
  detail[0]?.type,
]

const loaded = (job_id: string, by = client) =>
  jobUntil(by, job_id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))

/** Executes a job and answers it with the texts of its outputs, by their names. */
async function finished(job_id: string) {
  await client.jobs.execute({ job_id })
  const job = await ended(client, job_id)
  expect([job.status, job.errors]).toEqual(['SUCCEEDED', []])
  const outputs = new Map<string, string>()
  for (const { name, url } of job.result!.assets) outputs.set(name, await (await fetch(url!)).text())
  return { job, outputs }
}

/** A workflow that replaces digits by their pseudonyms, which are the same in all jobs of the project. */
async function numbering(supportedAssetType: 'DOCUMENT' | 'TABLE') {
  const pseudonym = { as: 'NO', scope: 'project' as const }
  const rules = [{ ruleId: await makeRule(client), replacement: { pseudonym } }]
  const body = { name: 'Numbers', supportedAssetType, config: { rules, project: 'copies' } }
  return (await client.workflows.create({ body })).id
}

test('a copy has the inputs, the workflows and the settings of the job, and outlives it', async () => {
  const [documents, tables] = [await numbering('DOCUMENT'), await numbering('TABLE')]
  const files = [
    { name: 'letter.txt', content: 'Call 112 now' },
    { name: 'calls.csv', content: 'note;112\nlate;113\n' },
  ]
  const body = { name: 'Calls', description: 'Of May' }
  const { id: job_id, Assets } = await client.jobs.upload({ body, files })
  const calls = Assets.find(({ name }) => name === 'calls.csv')!
  const options = { delimiter: ';', header: false }
  const { table } = await client.assets.update({ asset_id: calls.id, body: { table: options } })
  const plan = [{ match: { type: 'TABLE' as const }, workflowId: tables }]
  await client.jobs.update({ job_id, body: { workflowId: documents, plan } })
  const before = await finished(job_id)

  const copy = await client.jobs.copy({ job_id })
  expect(copy).toMatchObject({ ...body, status: 'PENDING', workflowId: documents, plan, result: null, startedAt: null })
  expect(copy.id).not.toBe(job_id)
  expect(copy.Assets.map(({ name, status }) => [name, status]).toSorted()).toEqual([
    ['calls.csv', 'LOADING'],
    ['letter.txt', 'LOADING'],
  ])
  await expect(client.workflows.delete({ workflow_id: tables })).rejects.toMatchObject({ status: 400 })

  const ready = await loaded(copy.id)
  await client.jobs.delete({ job_id })
  for (const { id, name, size, type } of Assets) {
    const copied = ready.Assets.find(asset => asset.name === name)!
    expect(copied).toMatchObject({ status: 'READY', size, type })
    expect(copied.id).not.toBe(id)
  }
  expect(ready.Assets.find(({ name }) => name === 'calls.csv')!.table).toEqual(table)
  const after = await finished(copy.id)
  expect([...after.outputs].toSorted()).toEqual([...before.outputs].toSorted())
})

test('a table that is cut into chunks is copied whole', async () => {
  const lines = Array.from({ length: 400 }, (_, n) => `${n},a note of some length that is in every one of the rows`)
  const text = `id,note\n${lines.join('\n')}\n`
  expect(text.length).toBeGreaterThan(2 * CHUNK_BYTES)
  const files = [{ name: 'large.csv', content: text }]
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Large' }, files })
  await client.jobs.update({ job_id, body: { workflowId: await numbering('TABLE') } })
  const before = await finished(job_id)
  const { id } = await loaded((await client.jobs.copy({ job_id })).id)
  const after = await finished(id)
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect(after.job.Assets[0]).toMatchObject({ size: text.length, sha256 })
  const [was, is] = [before, after].map(({ outputs }) => [...outputs.values()][0])
  expect(is === was).toBe(true)
})

test('a copy has no workflow where one of those of the job is gone', async () => {
  const { id: job_id } = await makeJob(client)
  const [gone, kept] = [await makeWorkflow(client), await makeWorkflow(client)]
  const plan = [{ match: { name: 'b*' }, workflowId: gone }]
  await client.jobs.update({ job_id, body: { workflowId: kept, plan } })
  await finished(job_id)
  await client.workflows.delete({ workflow_id: gone })
  const copy = await client.jobs.copy({ job_id })
  expect(copy).toMatchObject({ status: 'PENDING', workflowId: null, plan: null })
  await loaded(copy.id)
  expect(await client.jobs.execute({ job_id: copy.id }).catch(refusal)).toEqual([400, 'workflow_required'])
})

test('a cancelled job can be copied; one that has not finished or has lost an input cannot', async () => {
  const { id: job_id, Assets } = await makeJob(client)
  const copy = () => client.jobs.copy({ job_id }).catch(refusal)
  expect(await copy()).toEqual([400, 'job_not_finished'])
  await client.jobs.cancel({ job_id })
  const made = await client.jobs.copy({ job_id })
  expect(made).toMatchObject({ status: 'PENDING', Assets: [{ name: 'a.txt' }] })
  await loaded(made.id)
  await client.assets.delete({ asset_id: Assets[0]!.id })
  expect(await copy()).toEqual([400, 'inputs_gone'])
})

test('a file that was announced and never came is told by its id alone', async () => {
  const files = [{ filename: 'late.txt', size: 5 }]
  const { id: job_id, Assets } = await client.jobs.uploads({ body: { name: 'Late', files } })
  await client.jobs.cancel({ job_id })
  const told = await client.jobs.copy({ job_id }).catch(({ detail }) => detail)
  expect(told).toMatchObject([{ type: 'inputs_gone', loc: ['assets', Assets[0]!.id] }])
  expect(JSON.stringify(told)).not.toContain('late')
})

test('others copy a job only with the right to its files, and own the copy', async () => {
  const roleOf = async (name: string, permissions: string[]) =>
    (await service.admin.client.roles.create({ body: { name, permissions } })).name
  const jobs = ['jobs:read', 'jobs:write']
  const owner = await service.person()
  const job_id = await makeFinishedJob(owner.client)
  const copyBy = (by: Client) => by.jobs.copy({ job_id })
  const stranger = await service.person()
  expect(await copyBy(stranger.client).catch(refusal)).toEqual([404, 'not_found'])
  const overseer = await service.person(await roleOf('overseer', [...jobs, 'jobs:any', 'assets:read']))
  expect(await copyBy(overseer.client).catch(refusal)).toEqual([403, 'permission_denied'])
  const keeper = await service.person(await roleOf('keeper', [...jobs, 'jobs:any', 'assets:any']))
  // The workflow is another's, which the keeper may not see.
  const copy = await copyBy(keeper.client)
  expect(copy).toMatchObject({ status: 'PENDING', workflowId: null })
  expect((await loaded(copy.id, keeper.client)).Assets).toMatchObject([{ name: 'a.txt', status: 'READY' }])
  expect(await owner.client.jobs.get({ job_id: copy.id }).catch(refusal)).toEqual([404, 'not_found'])
})

test.skipIf(deployed)('an asset whose file goes before it was copied says so', async () => {
  const job_id = await makeFinishedJob(client)
  held = job_id
  const copy = await client.jobs.copy({ job_id })
  await client.jobs.delete({ job_id })
  held = undefined
  const { Assets } = await loaded(copy.id)
  expect(Assets).toMatchObject([{ name: 'a.txt', status: 'FAILED', errors: [{ type: 'source_not_found' }] }])
  expect(await client.jobs.execute({ job_id: copy.id }).catch(refusal)).toEqual([400, 'asset_not_ready'])
})
