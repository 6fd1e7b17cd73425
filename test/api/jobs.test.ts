import { describe, expect, test } from 'vitest'
import { id, problemsOf, stamps, talk, time } from './http.ts'
import { makeJob, makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const ada = await service.person()
const { send, good } = talk(service, ada)

describe('jobs and assets', () => {
  test('the flow of the contract: upload, attach, execute, poll, fetch', async () => {
    const job = await makeJob(ada.client)
    const asset = {
      id,
      jobId: job.id,
      name: 'a.txt',
      type: 'DOCUMENT',
      contentType: 'text/plain',
      size: 12,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'READY',
      ...stamps,
    }
    const nothing = {
      workflowId: null,
      presetId: null,
      presetVersion: null,
      plan: null,
      startedAt: null,
      finishedAt: null,
      result: null,
      errors: [],
      deliveries: [],
    }
    const progress = { assets: 1, done: 0, failed: 0, bytes: null, bytesDone: 0, secondsLeft: null }
    const fresh = {
      id,
      name: 'Letters',
      description: '',
      status: 'PENDING',
      mode: 'ANONYMISE',
      review: null,
      progress,
      Assets: [asset],
      ...nothing,
      ...stamps,
    }
    expect(job).toEqual(fresh)
    expect(await good('GET', `/assets/${job.Assets[0]!.id}`)).toEqual(job.Assets[0])
    expect(await good('POST', `/jobs/${job.id}/assets`)).toEqual(job.Assets)
    const workflowId = await makeWorkflow(ada.client)
    expect(await good('PUT', `/jobs/${job.id}`, { workflowId })).toMatchObject({ id: job.id, workflowId })
    expect(await good('POST', `/jobs/${job.id}/execute`)).toMatchObject({
      id: job.id,
      status: 'IN_PROGRESS',
      result: null,
    })
    const done = await finished(job.id)
    expect(await good('GET', `/jobs/${job.id}/status`)).toEqual({
      id: job.id,
      status: 'SUCCEEDED',
      progress: { assets: 1, done: 1, failed: 0, bytes: 12, bytesDone: 12, secondsLeft: 0 },
    })
    const labels = [{ label: 'Numbers', count: 1 }]
    const counts = { assets: 1, succeeded: 1, failed: 0, findings: 1, labels, bytesIn: 12, bytesOut: 10 }
    expect(done.result).toMatchObject({ outcome: 'SUCCEEDED', startedAt: time, finishedAt: time, counts, warnings: [] })
    const [result] = done.result.assets
    expect(result).toMatchObject({
      assetId: job.Assets[0]!.id,
      name: 'a.txt',
      status: 'SUCCEEDED',
      outputAssetId: id,
      errors: [],
    })
    expect(result.findings).toEqual([{ ruleId: id, name: 'Numbers', count: 1, labels }])
    expect(await (await fetch(result.url)).text()).toBe('Call # now')
    const output = await good('GET', `/assets/${result.outputAssetId}`)
    expect(output).toMatchObject({ derivedFrom: job.Assets[0]!.id, jobId: job.id, size: 10 })
    const download = await good('GET', `/assets/${output.id}/url`)
    expect(download).toEqual({
      url: expect.any(String),
      expiresAt: time,
      name: expect.any(String),
      contentType: 'text/plain',
      size: 10,
    })
    expect(JSON.stringify(done)).not.toContain('Call')
    const [notification] = await good('POST', '/notifications/list')
    expect(notification).toMatchObject({
      kind: 'job.succeeded',
      resource: { type: 'job', id: job.id },
      read: false,
      readAt: null,
    })
  })

  async function finished(jobId: string) {
    for (;;) {
      const job = await good('GET', `/jobs/${jobId}`)
      if (job.status !== 'IN_PROGRESS') return job
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  test('changes at the same moment are all made while the job is PENDING', async () => {
    const { id } = await makeJob(ada.client)
    const workflowId = await makeWorkflow(ada.client)
    const descriptions = Array.from({ length: 5 }, (_, n) => ({ description: `Letter ${n}` }))
    await Promise.all([{ workflowId }, ...descriptions].map(body => good('PUT', `/jobs/${id}`, body)))
    const description = expect.stringMatching(/^Letter [0-4]$/)
    expect(await good('GET', `/jobs/${id}`)).toMatchObject({ workflowId, description })
  })

  test('execute is refused without a workflow, with one for another type, and twice', async () => {
    const job = await makeJob(ada.client)
    const execute = async () => {
      const reply = await send('POST', `/jobs/${job.id}/execute`)
      return [reply.status, reply.status === 200 ? undefined : problemsOf(reply)[0]!.type]
    }
    expect(await execute()).toEqual([400, 'workflow_required'])
    await good('PUT', `/jobs/${job.id}`, { workflowId: await makeWorkflow(ada.client, 'TABLE') })
    expect(await execute()).toEqual([400, 'asset_type_mismatch'])
    await good('PUT', `/jobs/${job.id}`, { workflowId: await makeWorkflow(ada.client) })
    expect(await execute()).toEqual([200, undefined])
    expect(await execute()).toEqual([400, 'job_not_pending'])
    await finished(job.id)
    expect((await send('PUT', `/jobs/${job.id}/cancel`)).status).toBe(400)
  })

  test('cancel from PENDING, again, and what it leaves', async () => {
    const job = await makeJob(ada.client)
    expect(await good('PUT', `/jobs/${job.id}/cancel`)).toMatchObject({
      status: 'CANCELLED',
      result: { outcome: 'CANCELLED' },
    })
    expect(await good('PUT', `/jobs/${job.id}/cancel`)).toMatchObject({ status: 'CANCELLED' })
    expect((await send('POST', `/jobs/${job.id}/execute`)).status).toBe(400)
  })

  test('assets are removed while the job is PENDING, by body or query', async () => {
    const files = ['a', 'b', 'c'].map(name => ({ name: `${name}.txt`, content: name }))
    const job = await ada.client.jobs.upload({ body: { name: 'Three' }, files })
    const [a, b] = job.Assets.map(asset => asset.id)
    expect((await good('DELETE', `/jobs/${job.id}/assets`, { assetIds: [a] })).Assets).toHaveLength(2)
    expect((await good('DELETE', `/jobs/${job.id}/assets?assetIds=${b}`)).Assets).toHaveLength(1)
    expect((await send('DELETE', `/jobs/${job.id}/assets`)).status).toBe(422)
    expect(await good('DELETE', `/jobs/${job.id}`)).toEqual({ id: job.id, deleted: true })
    expect((await send('GET', `/assets/${job.Assets[2]!.id}`)).status).toBe(404)
  })

  test.each([
    ['no file', new Map<string, string>(), { name: 'A' }],
    ['an empty file', new Map([['a.txt', '']]), { name: 'A' }],
    ['no name', new Map([['a.txt', 'a']]), {}],
    ['an unknown field', new Map([['a.txt', 'a']]), { name: 'A', status: 'SUCCEEDED' }],
    ['21 files', new Map(Array.from({ length: 21 }, (_, n) => [`${n}.txt`, 'a'])), { name: 'A' }],
  ])('an upload with %s is refused', async (_, files, fields) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    for (const [name, text] of files) body.append('files', new Blob([text]), name)
    expect((await send('POST', '/jobs/upload', body)).status).toBe(422)
  })

  test('an upload of more than the limit names the other way', async () => {
    const body = new FormData()
    body.append('name', 'Large')
    body.append('files', new Blob(['a'.repeat(4_100_000)]), 'a.txt')
    const reply = await send('POST', '/jobs/upload', body)
    expect([reply.status, problemsOf(reply)[0]!.msg]).toEqual([413, expect.stringContaining('POST /jobs/uploads')])
  })

  test('large files go by URL', async () => {
    const job = await good('POST', '/jobs/uploads', { name: 'Large', files: [{ filename: 'a.txt', size: 5 }] })
    const [{ upload, status }] = job.Assets
    expect([status, upload.method]).toEqual(['UPLOADING', 'PUT'])
    expect((await send('POST', `/jobs/${job.id}/uploads/complete`)).status).toBe(400)
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'Hello' })
    const complete = await good('POST', `/jobs/${job.id}/uploads/complete`)
    expect(complete.Assets[0]).toMatchObject({ status: 'READY', size: 5 })
  })
})
