import { describe, expect, test } from 'vitest'
import type { NewEstimate } from '../../shared/api/estimates.ts'
import { makeJob, makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const { client } = await service.person()
const other = await service.person()

const estimate = (body: NewEstimate, by = client) => by.jobs.estimate({ body })
const refusal = ({ status, detail }: { status: number; detail: { type: string; loc: string[] }[] }) => [
  status,
  detail[0]?.type,
  detail[0]?.loc.join('.'),
]
const refused = (body: object, by = client) => estimate(body as NewEstimate, by).catch(refusal)
const files = (...names: string[]) => names.map(filename => ({ filename, size: 1_000_000 }))

/** A workflow with one rule of a model. */
async function withModel(modelId: string, modelVersion: string) {
  const config = { aiModelRuleConfig: { modelId, modelVersion, modelParameters: {} } }
  const { id: ruleId } = await client.rules.create({ body: { name: 'Model', type: 'AIMODEL', config } })
  const rules = [{ ruleId, replacement: { text: '#' } }]
  return (await client.workflows.create({ body: { name: 'W', supportedAssetType: 'DOCUMENT', config: { rules } } })).id
}

describe('an estimate', () => {
  test('of files that nobody has sent grows with what reads them, and starts nothing', async () => {
    const jobs = async () => (await client.jobs.list.full({ body: { limit: 1 } })).headers.get('x-total-count')
    const before = await jobs()
    const patterns = await estimate({ files: files('a.txt'), workflowId: await makeWorkflow(client) })
    const recognisers = await estimate({ files: files('a.txt'), workflowId: await withModel('pii-patterns', '1.0.0') })
    const models = await estimate({ files: files('a.txt'), presetId: 'default' })
    const told = [patterns, recognisers, models]
    expect(told.map(({ kinds }) => kinds[0]!.reader)).toEqual(['patterns', 'recognisers', 'models'])
    for (const { assets, bytes, uncounted, unmeasured, pageSeconds, ...one } of told) {
      expect([assets, bytes, uncounted, unmeasured, pageSeconds]).toEqual([1, 1_000_000, 0, false, null])
      for (const { from, to } of [one.seconds, one.workerSeconds, one.dollars]) {
        expect(from).toBeGreaterThan(0)
        expect(to).toBeGreaterThan(from)
      }
    }
    for (const key of ['from', 'to'] as const) {
      expect(recognisers.workerSeconds[key]).toBeGreaterThan(patterns.workerSeconds[key])
      expect(models.workerSeconds[key]).toBeGreaterThan(recognisers.workerSeconds[key])
    }
    expect(await jobs()).toBe(before)
  })

  test('tells kinds apart by endings, and counts what it can say nothing of', async () => {
    const told = await estimate({
      files: files('a.csv', 'b.PDF', 'c.tiff', 'd.docx', 'e', 'f.exe'),
      presetId: 'default',
    })
    expect(told.kinds.map(({ kind }) => kind)).toEqual(['table', 'pdf', 'picture', 'office'])
    expect([told.assets, told.uncounted, told.pageSeconds]).toEqual([4, 2, { from: 2, to: 20 }])
  })

  test('of many files is shorter than of all of them one after the other, and longer than of one', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `${n}.txt`)
    const { seconds, workerSeconds } = await estimate({ files: files(...many), presetId: 'default' })
    const one = await estimate({ files: files('a.txt'), presetId: 'default' })
    expect(seconds.to).toBeLessThan(workerSeconds.to)
    expect(seconds.from).toBeGreaterThan(one.seconds.from)
    const large = { presetId: 'default', files: [{ filename: 'a.csv', size: 10 ** 11 }] }
    const table = await estimate(large)
    expect(table.seconds.to).toBeLessThan(table.workerSeconds.to)
  })

  test('of a job is of its files with what is attached, or with what is named instead', async () => {
    const { id: jobId } = await makeJob(client)
    expect(await refused({ jobId })).toEqual([400, 'workflow_required', ''])
    await client.jobs.update({ job_id: jobId, body: { workflowId: await makeWorkflow(client) } })
    const attached = await estimate({ jobId })
    expect(attached).toMatchObject({ assets: 1, bytes: 12, kinds: [{ kind: 'text', reader: 'patterns' }] })
    expect((await estimate({ jobId, presetId: 'default' })).kinds[0]!.reader).toBe('models')
    expect((await estimate({ jobId, mode: 'INSPECT' })).workerSeconds.from).toBeLessThan(attached.workerSeconds.from)
    expect((await estimate({ jobId, review: true })).workerSeconds.to).toBeGreaterThan(attached.workerSeconds.to)
    expect((await client.jobs.status({ job_id: jobId })).status).toBe('PENDING')
  })

  test('says that what models of AWS take and cost is not in it', async () => {
    const workflowId = await withModel('aws-comprehend-pii', 'managed')
    expect(await estimate({ files: files('a.txt'), workflowId })).toMatchObject({ unmeasured: true })
  })

  test('is refused of nothing, of both, and of what others have', async () => {
    const { id: jobId } = await makeJob(client)
    const workflowId = await makeWorkflow(client)
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await refused({ presetId: 'default' })).toEqual([422, 'missing', 'body.jobId'])
    expect(await refused({ jobId, files: files('a.txt') })).toEqual([422, 'conflicting_values', 'body.files'])
    expect(await refused({ jobId, workflowId, presetId: 'default' })).toEqual([
      422,
      'conflicting_values',
      'body.presetId',
    ])
    expect(await refused({ jobId, workflowId: unknown })).toEqual([400, 'workflow_not_found', ''])
    expect(await refused({ files: files('a.txt'), workflowId }, other.client)).toEqual([400, 'workflow_not_found', ''])
    expect(await refused({ jobId }, other.client)).toEqual([404, 'not_found', 'body.jobId'])
    expect(await refused({ files: files('a.txt'), presetId: 'nothing' })).toEqual([
      400,
      'preset_not_found',
      'body.presetId',
    ])
    expect(((await refused({ files: [], presetId: 'default' })) as unknown[])[0]).toBe(422)
    expect(((await refused({ files: [{ filename: 'a', size: -1 }], presetId: 'default' })) as unknown[])[0]).toBe(422)
  })
})
