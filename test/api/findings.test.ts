import { describe, expect, test } from 'vitest'
import type { FileToSend } from '../../shared/api/client.ts'
import { problemsOf } from './http.ts'
import { makeFinishedJob, makeJob } from './requests.ts'
import { useService } from './setup.ts'
import { ended } from './waiting.ts'

const service = await useService()
const { client, token } = service.admin

const mail = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
const phone = { regexRuleConfig: { pattern: '\\+49 [0-9]{6,}', confidence_threshold: 0.3, score: 0.4 } }
const rules = await Promise.all(
  [
    { name: '=E-mail', type: 'REGEX' as const, config: mail },
    { name: 'Phone', type: 'REGEX' as const, config: phone },
  ].map(body => client.rules.create({ body })),
)
const workflow = async (supportedAssetType: 'DOCUMENT' | 'TABLE') => {
  const entries = rules.map(({ id: ruleId }) => ({ ruleId, replacement: { token: {} } }))
  const body = { name: 'People', supportedAssetType, config: { rules: entries } }
  return (await client.workflows.create({ body })).id
}
const workflows = { DOCUMENT: await workflow('DOCUMENT'), TABLE: await workflow('TABLE') }

async function finished(type: 'DOCUMENT' | 'TABLE', files: FileToSend[], mode?: 'INSPECT', table?: object) {
  const { id: job_id, Assets } = await client.jobs.upload({ body: { name: 'Letters', ...(mode && { mode }) }, files })
  if (table) await client.assets.update({ asset_id: Assets[0]!.id, body: { table } })
  await client.jobs.update({ job_id, body: { workflowId: workflows[type] } })
  await client.jobs.execute({ job_id })
  return ended(client, job_id)
}

const letter = 'Dear Ada, write to ada@example.org.\nOr call +49 301234567.\nada@example.org again.'
const letters = [{ name: 'a.txt', content: letter }]
const canary = /ada@|301234567/

const several = Array.from({ length: 3 }, (_, n) => ({ name: `${n}.txt`, content: letter }))
const job = await finished('DOCUMENT', several, 'INSPECT')

describe('a job that inspects', () => {
  test('tells what would be replaced and where, makes no outputs, and shows no value', async () => {
    const job = await finished('DOCUMENT', letters, 'INSPECT')
    expect(job).toMatchObject({ mode: 'INSPECT', status: 'SUCCEEDED', errors: [] })
    const [asset] = job.result!.assets
    expect(asset).toMatchObject({ status: 'SUCCEEDED', outputAssetId: null, url: null })
    expect(job.result!.counts).toMatchObject({ findings: 3, bytesOut: 0 })
    const page = await client.jobs.findings({ job_id: job.id })
    expect(page).toMatchObject({ cursor: null, unlisted: [] })
    const assetId = asset!.assetId
    const told = (rule: number, start: number, end: number, score = 1) => ({
      ...{ assetId, ruleId: rules[rule]!.id, rule: rules[rule]!.name, label: rules[rule]!.name, score, start, end },
      id: expect.any(String),
      place: { kind: 'body' },
      reason: { by: 'regex' },
    })
    expect(page.findings).toEqual([told(0, 19, 34), told(1, 44, 57, 0.4), told(0, 59, 74)])
    expect(JSON.stringify([job, page])).not.toMatch(canary)
  })

  test('gives each finding the same id again, and no two the same', async () => {
    const job = await finished('DOCUMENT', letters, 'INSPECT')
    const ids = (await client.jobs.findings({ job_id: job.id })).findings.map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect((await client.jobs.findings({ job_id: job.id })).findings.map(({ id }) => id)).toEqual(ids)
  })

  test('tells row and column of a table, but for a column whose name is a value', async () => {
    const content = 'name,ada@example.org\nAda,+49 301234567\nBob,bob@example.org\n'
    const job = await finished('TABLE', [{ name: 'a.csv', content }], 'INSPECT', { header: true })
    const { findings } = await client.jobs.findings({ job_id: job.id })
    expect(findings.map(({ place }) => place)).toEqual([
      { kind: 'header', row: 1 },
      { kind: 'cell', row: 2 },
      { kind: 'cell', row: 3 },
    ])
    const named = await finished('TABLE', [{ name: 'a.csv', content: 'name,mail\nAda,ada@example.org\n' }], 'INSPECT')
    expect((await client.jobs.findings({ job_id: named.id })).findings.map(({ place }) => place)).toEqual([
      { kind: 'cell', row: 2, column: 'mail' },
    ])
  })

  test('fails where an asset cannot be read', async () => {
    const job = await finished('DOCUMENT', [{ name: 'a.pdf', content: '%PDF-1.7 and no more' }], 'INSPECT')
    expect(job.status).toBe('FAILED')
    expect(await client.jobs.findings({ job_id: job.id })).toEqual({ findings: [], cursor: null, unlisted: [] })
  })

  test('is asked for when the job is made or later, and by no other word', async () => {
    const { id: job_id } = await makeJob(client)
    expect((await client.jobs.get({ job_id })).mode).toBe('ANONYMISE')
    expect((await client.jobs.update({ job_id, body: { mode: 'INSPECT' } })).mode).toBe('INSPECT')
    const reply = await service.send('PUT', `/jobs/${job_id}`, { token, body: { mode: 'inspect' } })
    expect(problemsOf(reply)).toEqual([expect.objectContaining({ loc: ['body', 'mode'], type: 'invalid_value' })])
  })
})

describe('GET /jobs/{job_id}/findings', () => {
  test('leads through all findings page by page, in the same order', async () => {
    const whole = await client.jobs.findings({ job_id: job.id })
    expect(whole.findings).toHaveLength(9)
    for (const limit of [1, 2, 4, 9]) {
      const seen = []
      for (let cursor: string | undefined; ; ) {
        const page = await client.jobs.findings({ job_id: job.id, query: { limit, ...(cursor && { cursor }) } })
        expect(page.findings.length).toBeLessThanOrEqual(limit)
        seen.push(...page.findings)
        if (!page.cursor) break
        cursor = page.cursor
      }
      expect(seen).toEqual(whole.findings)
    }
  })

  test('filters by asset, label and score', async () => {
    const ask = async (query: object) => (await client.jobs.findings({ job_id: job.id, query })).findings
    const assetId = job.Assets[1]!.id
    expect(new Set((await ask({ assetId })).map(finding => finding.assetId))).toEqual(new Set([assetId]))
    expect(await ask({ assetId })).toHaveLength(3)
    expect(await ask({ label: 'Phone' })).toHaveLength(3)
    expect(await ask({ label: 'Nothing' })).toEqual([])
    expect((await ask({ maxScore: 0.5 })).map(({ label }) => label)).toEqual(['Phone', 'Phone', 'Phone'])
    expect(await ask({ minScore: 0.5 })).toHaveLength(6)
  })

  test('answers CSV and SARIF by format or Accept, whose pages go on by Link', async () => {
    const path = `/jobs/${job.id}/findings`
    const get = (query: string, accept?: string) =>
      service.send('GET', `${path}${query}`, { token, ...(accept && { headers: { accept } }) })
    const csv = await get('?format=csv')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\r\n')).toHaveLength(11)
    // A spreadsheet program would run it.
    expect(csv.text).toContain(",'=E-mail,")
    expect(csv.text).not.toMatch(canary)
    expect((await get('', 'text/csv')).text).toBe(csv.text)
    const first = await get('?format=csv&limit=5')
    const next = /<.*(\?[^>]*)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    expect(first.text + (await get(next)).text).toBe(csv.text)
    const sarif = await get('', 'application/sarif+json;q=0.9, text/html')
    expect(sarif.headers.get('content-type')).toBe('application/sarif+json; charset=utf-8')
    expect(JSON.parse(sarif.text)).toMatchObject({ version: '2.1.0', runs: [{ results: { length: 9 } }] })
    expect(sarif.text).not.toMatch(canary)
    expect((await get('', 'text/html, */*')).headers.get('content-type')).toBe('application/json')
    expect((await get('?format=json', 'text/csv')).headers.get('content-type')).toBe('application/json')
  })

  test('refuses what is no cursor, no format and no score, and a cursor into the middle of a finding', async () => {
    const ask = async (query: string) =>
      problemsOf(await service.send('GET', `/jobs/${job.id}/findings?${query}`, { token })).map(({ loc }) => loc)
    const forged = Buffer.from(JSON.stringify([0, `${job.Assets[0]!.id}.0.7`])).toString('base64url')
    const nowhere = Buffer.from(JSON.stringify([0, 'nowhere'])).toString('base64url')
    for (const cursor of ['x', forged, nowhere]) expect(await ask(`cursor=${cursor}`)).toEqual([['query', 'cursor']])
    // Whoever may not see the job learns that first.
    const other = await service.person()
    const path = `/jobs/${job.id}/findings?cursor=${nowhere}`
    expect((await service.send('GET', path, { token: other.token })).status).toBe(404)
    expect((await service.send('GET', path)).status).toBe(401)
    expect(await ask('format=xml')).toEqual([['query', 'format']])
    expect(await ask('minScore=2')).toEqual([['query', 'minScore']])
    expect(await ask('limit=0&limit=10001')).toEqual([['query', 'limit']])
    expect(await ask('assetId=1')).toEqual([['query', 'assetId']])
  })

  test('shows those of finished jobs, and only to who may see the job', async () => {
    const { id: job_id } = await makeJob(client)
    await expect(client.jobs.findings({ job_id })).rejects.toMatchObject({ status: 400 })
    const other = await service.person()
    await expect(other.client.jobs.findings({ job_id: job.id })).rejects.toMatchObject({ status: 404 })
    const forged = { job_id: await makeFinishedJob(other.client), query: { assetId: job.Assets[0]!.id } }
    expect((await other.client.jobs.findings(forged)).findings).toEqual([])
  })

  test('has those of documents that were anonymised; of tables it says that there are numbers only', async () => {
    const anonymised = await finished('DOCUMENT', letters)
    const { findings } = await client.jobs.findings({ job_id: anonymised.id })
    expect(findings.map(({ start, end }) => [start, end])).toEqual(
      (await client.jobs.findings({ job_id: job.id, query: { limit: 3 } })).findings.map(({ start, end }) => [
        start,
        end,
      ]),
    )
    const table = await finished('TABLE', [{ name: 'a.csv', content: 'name,mail\nAda,ada@example.org\n' }])
    expect(await client.jobs.findings({ job_id: table.id })).toEqual({
      findings: [],
      cursor: null,
      unlisted: [table.Assets[0]!.id],
    })
  })
})
