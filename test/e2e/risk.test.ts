import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalCloud, startLocalCloud } from '../../local/cloud.ts'
import { type Client, logIn } from '../../shared/api/client.ts'
import type { NewWorkflow } from '../../shared/api/workflows.ts'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput, bufferOutput } from '../../shared/engine/input.ts'
import type { Generalisation } from '../../shared/engine/operators/generalise.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { ended } from '../api/waiting.ts'

const ROWS = 9000
/** Small enough to cut the table into many chunks. */
const CHUNK_BYTES = 20_000

let folder: string
let cloud: LocalCloud
let client: Client

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'risk-'))
  const environment = { FAN_OUT_BYTES: '150000', CHUNK_BYTES: String(CHUNK_BYTES), RATE_LIMIT_PER_USER: '1000000' }
  cloud = await startLocalCloud({ directory: folder, environment })
  client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
})
afterAll(async () => {
  await cloud?.close()
  await rm(folder, { recursive: true, force: true })
})

const table = (rows: number) =>
  `age,town,income\n${Array.from({ length: rows }, (_, n) => `${(n * 7919) % 90},"Town ${(n * 31) % 17}",${((n * n) % 11) * 100}`).join('\n')}\n`

const towns = Array.from({ length: 17 }, (_, n) => [`Town ${n}`, n < 8 ? 'North' : 'South'])
const risk = { quasiIdentifiers: ['age', 'town'], sensitive: ['income'], threshold: 0.2 }

async function execute(content: string, hierarchy: object, config: Partial<NewWorkflow['config']> = { risk }) {
  const pattern = { regexRuleConfig: { pattern: '[\\s\\S]+' } }
  const { id: ruleId } = await client.rules.create({ body: { name: 'Everything', type: 'REGEX', config: pattern } })
  const rules = [
    { ruleId, columns: ['age'], replacement: { generalise: { range: 10 } } },
    { ruleId, columns: ['town'], replacement: { generalise: { hierarchy: hierarchy as never } } },
  ]
  const workflow = { name: 'Towns', supportedAssetType: 'TABLE' as const, config: { rules, ...config } }
  const { id: workflowId } = await client.workflows.create({ body: workflow })
  const { id } = await client.jobs.upload({ body: { name: 'Towns' }, files: [{ name: 'towns.csv', content }] })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  return ended(client, id)
}

/** The table in one pass, by the engine alone. */
async function alone(content: string) {
  const key = createSecretKey(Buffer.alloc(32, 9))
  const rule = (column: string, generalise: Generalisation): PlannedRule => ({
    ruleId: column,
    name: 'Everything',
    detection: { type: 'REGEX', pattern: '[\\s\\S]+' },
    columns: [column],
    replacement: { generalise },
  })
  const rules = [rule('age', { range: 10 }), rule('town', { hierarchy: { level: 1, rows: towns } })]
  const made = await anonymise({
    input: bufferInput('towns.csv', Buffer.from(content)),
    plan: { rules, assetType: 'TABLE', risk },
    secrets: { hash: key, pseudonym: key },
    numbering: { number: async keys => keys.map(() => 1) },
    signal: new AbortController().signal,
    workspace: {
      async create(name) {
        const output = bufferOutput()
        return { output, input: async () => bufferInput(name, output.bytes()) }
      },
    },
  })
  return { risk: made.risk!, text: Buffer.from(await made.output.read(0, made.bytesOut)).toString() }
}

test('a table in chunks has the figures and the bytes of one pass, in result and report', {
  timeout: 300_000,
}, async () => {
  const content = table(ROWS)
  const whole = await alone(content)
  const job = await execute(content, { level: 1, rows: towns })
  expect(job.errors).toEqual([])
  const [result] = job.result!.assets
  expect(result!.risk).toEqual(whole.risk)
  expect(result!.risk!.after.k).toBeGreaterThan(result!.risk!.before.k)
  expect(await (await fetch(result!.url!)).text()).toBe(whole.text)
  const report = await client.assets.report({ asset_id: result!.assetId })
  expect(report.risk).toEqual(whole.risk)
})

test('a hierarchy may be a file that was uploaded', { timeout: 120_000 }, async () => {
  const content = `${towns.map(row => row.join(';')).join('\r\n')}\r\n`
  const { Assets } = await client.jobs.upload({ body: { name: 'H' }, files: [{ name: 'hierarchy.csv', content }] })
  const job = await execute(table(500), { level: 1, assetId: Assets[0]!.id })
  expect(job.errors).toEqual([])
  expect(job.result!.assets[0]!.risk).toEqual((await alone(table(500))).risk)
})

test('records that break a bound are suppressed, also of a table that is large', { timeout: 300_000 }, async () => {
  const content = `${table(ROWS)}99,"Town 1",100\n`
  const require = { k: 2, suppressAtMost: 0.01 }
  const job = await execute(content, { level: 1, rows: towns }, { risk: { ...risk, require } })
  expect(job.errors).toEqual([])
  const [result] = job.result!.assets
  expect(result!.risk!.after).toMatchObject({ records: ROWS + 1, suppressed: 1 })
  expect(await (await fetch(result!.url!)).text()).toMatch(/\n\*,"\*",100\n$/)
})

test('columns that are not there fail the job at once, with those that are', { timeout: 120_000 }, async () => {
  const job = await execute(table(50), { level: 1, rows: towns }, { risk: { ...risk, quasiIdentifiers: ['zip'] } })
  expect(job.status).toBe('FAILED')
  expect(job.errors).toMatchObject([
    { type: 'invalid_workflow', msg: 'Risk: the table has no column zip; it has age, town, income' },
  ])
})

test('a value has the same pseudonym and hash in every chunk, table and format of a job', {
  timeout: 300_000,
}, async () => {
  const rule = async (name: string, pattern: string) =>
    (await client.rules.create({ body: { name, type: 'REGEX', config: { regexRuleConfig: { pattern } } } })).id
  const rules = [
    { ruleId: await rule('Town', 'Town \\d+'), replacement: { pseudonym: {} } },
    { ruleId: await rule('Income', '^\\d+00$'), replacement: { hash: {} } },
  ]
  const workflow = { name: 'Towns', supportedAssetType: 'TABLE' as const, config: { rules } }
  const { id: workflowId } = await client.workflows.create({ body: workflow })
  const records = table(ROWS)
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))
    .map(([age, town, income]) => ({ age: Number(age), town: JSON.parse(town!) as string, income: Number(income) }))
  const files = [
    { name: 'towns.csv', content: table(ROWS) },
    { name: 'towns.ndjson', content: records.map(record => `${JSON.stringify(record)}\n`).join('') },
  ]
  const { id } = await client.jobs.upload({ body: { name: 'Towns' }, files })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  const { result, errors } = await ended(client, id)
  expect(errors).toEqual([])
  const names = new Map<string, string>()
  const check = (value: string, name: string) => {
    expect(name).not.toBe(value)
    expect(names.get(value) ?? name).toBe(name)
    names.set(value, name)
  }
  for (const { name, url } of result!.assets) {
    const lines = (await (await fetch(url!)).text()).trim().split('\n')
    const values = name.endsWith('csv')
      ? lines.slice(1).map(line => line.split(',').slice(1))
      : lines
          .map(line => JSON.parse(line) as { town: string; income: string })
          .map(({ town, income }) => [town, income])
    expect(values).toHaveLength(ROWS)
    values.forEach(([town, income], n) => {
      check(records[n]!.town, town!.replaceAll('"', ''))
      if (records[n]!.income > 0) check(String(records[n]!.income), String(income))
    })
  }
  expect(new Set(names.values()).size).toBe(names.size)
})
