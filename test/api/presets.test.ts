import { expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { problemsOf } from './http.ts'
import { makeJob, makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'
import { ended } from './waiting.ts'

const service = await useService()
const ada = await service.person()
const { client } = ada

async function run(by: Client, job_id: string) {
  await by.jobs.execute({ job_id })
  return ended(by, job_id)
}

test('presets are listed, and each is shown with its rules', async () => {
  const listed = await client.presets.list({ query: { sort: 'id' } })
  expect(listed.map(({ id }) => id)).toEqual([
    'default',
    'doctor-letter-de',
    'gdpr-direct',
    'gdpr-direct-and-quasi',
    'hipaa-safe-harbor',
    'pci-dss',
    'secrets',
  ])
  for (const { id, version } of listed) {
    const preset = await client.presets.get({ preset_id: id })
    expect(preset).toMatchObject({ id, version })
    expect(preset.config.rules.length).toBeGreaterThan(0)
  }
  expect((await client.presets.get({ preset_id: 'hipaa-safe-harbor' })).items).toHaveLength(18)
})

test('the rules of a preset can be created as they are, and make a workflow', async () => {
  const { config } = await client.presets.get({ preset_id: 'pci-dss' })
  const rules = []
  for (const { rule, replacement } of config.rules)
    rules.push({ ruleId: (await client.rules.create({ body: rule })).id, replacement })
  const body = { name: 'Own cards', description: '', supportedAssetType: 'TABLE' as const, config: { rules } }
  expect((await client.workflows.create({ body })).config.rules).toEqual(rules)
})

test('a job runs with a preset, over documents and tables alike, and says which and of which version', async () => {
  const { version } = await client.presets.get({ preset_id: 'pci-dss' })
  const files = [
    { name: 'a.txt', content: 'Card 4111 1111 1111 1111, CVV 123' },
    { name: 'b.csv', content: 'card,note\n4111111111111111,PIN: 4711\n' },
  ]
  const made = await client.jobs.upload({ body: { name: 'Cards', presetId: 'pci-dss' }, files })
  expect(made).toMatchObject({ workflowId: null, presetId: 'pci-dss', presetVersion: null })
  const job = await run(client, made.id)
  expect(job).toMatchObject({ status: 'SUCCEEDED', presetId: 'pci-dss', presetVersion: version })
  expect(job.result!.preset).toEqual({ id: 'pci-dss', version })
  const texts = await Promise.all(job.result!.assets.map(async ({ url }) => (await fetch(url!)).text()))
  expect(texts.sort()).toEqual([
    'Card 4111 1*********1111, CVV [SECURITY_CODE]',
    'card,note\n411111******1111,PIN: [PIN]\n',
  ])
  const report = await client.assets.report({ asset_id: job.result!.assets[0]!.outputAssetId! })
  expect(report.preset).toEqual({ id: 'pci-dss', version })
})

test('what is attached to a job takes the place of what was', async () => {
  const { id: job_id } = await makeJob(client)
  const workflowId = await makeWorkflow(client)
  const first = await client.jobs.update({ job_id, body: { presetId: 'secrets' } })
  expect([first.presetId, first.workflowId]).toEqual(['secrets', null])
  const second = await client.jobs.update({ job_id, body: { workflowId } })
  expect([second.presetId, second.workflowId]).toEqual([null, workflowId])
  const third = await client.jobs.update({ job_id, body: { presetId: 'secrets' } })
  expect([third.presetId, third.workflowId]).toEqual(['secrets', null])
  const { token } = ada
  const both = await service.send('PUT', `/jobs/${job_id}`, { token, body: { workflowId, presetId: 'secrets' } })
  expect([both.status, problemsOf(both)[0]]).toMatchObject([
    422,
    { type: 'conflicting_values', loc: ['body', 'presetId'] },
  ])
  await client.jobs.update({ job_id, body: { presetId: null } })
  const none = await service.send('POST', `/jobs/${job_id}/execute`, { token })
  expect([none.status, problemsOf(none)[0]!.type]).toEqual([400, 'workflow_required'])
})

test('a preset that does not ship is refused wherever it is named', async () => {
  const { id } = await makeJob(client)
  const { token } = ada
  const presetId = 'gdpr-everything'
  const load = { sourceId: id, sourceType: 'LOCAL_ASSET', files_load_config: { filenames: ['a'] }, presetId }
  for (const [method, path, body] of [
    ['PUT', `/jobs/${id}`, { presetId }],
    ['POST', '/jobs/uploads', { name: 'a', files: [{ filename: 'a.txt', size: 1 }], presetId }],
    ['POST', '/jobs/load', load],
  ] as const) {
    const reply = await service.send(method, path, { token, body })
    expect([reply.status, problemsOf(reply)[0]]).toMatchObject([
      400,
      { type: 'preset_not_found', loc: ['body', 'presetId'] },
    ])
  }
  expect((await service.send('GET', `/presets/${presetId}`, { token })).status).toBe(404)
})
