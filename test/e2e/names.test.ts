import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { type Service, startService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'

let service: Service
let client: Client

const CHUNK_BYTES = 6 * 1024 ** 2

beforeAll(async () => {
  service = await startService({
    environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
  })
  client = service.admin.client
})
afterAll(() => service?.stop())

/** The outputs of a job: the name of each in its result, at its URL and in the header that browsers heed. */
async function namesOf(kind: 'TABLE' | 'DOCUMENT', contents: [name: string, content: string][]) {
  const config = { regexRuleConfig: { pattern: '\\b\\d{3}-\\d{2}-\\d{4}\\b' } }
  const rule = await client.rules.create({ body: { name: 'SSN', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '[SSN]' } }]
  const body = { name: 'Numbers', supportedAssetType: kind, config: { rules } }
  const workflow = await client.workflows.create({ body })
  const files = contents.map(([filename, { length: size }]) => ({ filename, size, contentType: 'text/plain' }))
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Names', files } })
  for (const [n, { upload }] of Assets.entries()) {
    if (upload?.method !== 'PUT') throw new Error('not a single upload')
    const sent = await fetch(upload.url, { method: 'PUT', body: contents[n]![1], headers: upload.headers })
    expect(sent.status).toBe(200)
  }
  await client.jobs.update({ job_id: id, body: { workflowId: workflow.id } })
  await client.jobs.execute({ job_id: id })
  const { result } = await ended(client, id)
  const names: string[] = []
  for (const { assetId, name, outputAssetId, report } of result!.assets) {
    const output = await client.assets.get({ asset_id: outputAssetId! })
    const { name: shown, url } = await client.assets.url({ asset_id: outputAssetId! })
    const { headers } = await fetch(url)
    const [, header] = /filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '') ?? []
    expect([output.name, shown, decodeURIComponent(header ?? '')]).toEqual([name, name, name])
    expect(Assets.map(({ id }) => id)).toContain(assetId)
    expect(report!.warnings.some(text => text.includes('name of the file'))).toBe(name.includes('[SSN]'))
    names.push(name)
  }
  return names.sort()
}

test('names lose what the rules find, and each is the only one of its job', { timeout: 120_000 }, async () => {
  const names = await namesOf('DOCUMENT', [
    ['Jane 123-45-6789.txt', 'one'],
    ['Jane 123-45-6780.txt', 'two'],
    ['report.txt', 'three'],
    ['Report.txt', 'four'],
    ['report (2).txt', 'five 123-45-6789'],
    ['scan_123-45-6789_final.html', '<!DOCTYPE html><p>six'],
  ])
  expect(names.filter(name => name.startsWith('Jane'))).toEqual(['Jane [SSN] (2).txt', 'Jane [SSN].txt'])
  expect(names).toContain('scan_[SSN]_final.html')
  expect(new Set(names.map(name => name.toLowerCase())).size).toBe(6)
})

test('tables that are cut into chunks too, also by what only one chunk holds', { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: 260_000 }, (_, n) => `${n},a plain note of row number ${n}, of some length\r\n`)
  rows[200_000] = '200000,about 123-45-6789,x\r\n'
  // Without the digits' bounds the rule finds nothing in the name itself.
  const names = await namesOf('TABLE', [['people of x123-45-6789x.csv', `id,note,more\r\n${rows.join('')}`]])
  expect(names).toEqual(['people of x[SSN]x.csv'])
})
