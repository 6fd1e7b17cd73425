import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { verdictOn } from '../api/certified.ts'
import { deployed } from '../api/deployed.ts'
import { type Service, startService } from '../api/setup.ts'

/** A table larger than a few parts of an upload, which must hold 5 MiB each. */
const ROWS = 260_000
/** Small enough to cut the table into several chunks. */
const CHUNK_BYTES = 6 * 1024 ** 2

let service: Service
let client: Client

beforeAll(async () => {
  // A deployed service has the same settings in its context, or processes the table whole.
  service = await startService({
    environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
  })
  client = service.admin.client
})
afterAll(() => service?.stop())

const table = (email: (n: number) => string): string => {
  const lines = ['id,name,"e-mail address",note']
  for (let n = 0; n < ROWS; n++) {
    const note =
      n % 7 === 0 ? `"several\r\nlines, and ""quotes"" ${n}"` : `plain note of row number ${n} with some length to it`
    lines.push(`${n},Person ${n},${email(n)},${note}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

async function workflowWith(text: string, columns?: string[]): Promise<string> {
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text }, ...(columns && { columns }) }]
  const body = { name: 'People', supportedAssetType: 'TABLE' as const, config: { rules } }
  return (await client.workflows.create({ body })).id
}

async function anonymise(text: string, workflowId: string, filename = 'people.csv') {
  const contentType = filename.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson'
  const files = [{ filename, size: Buffer.byteLength(text), contentType }]
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'A large table', files } })
  const ticket = Assets[0]!.upload!
  if (ticket.method !== 'PUT') throw new Error('not a single upload')
  expect((await fetch(ticket.url, { method: 'PUT', body: text, headers: ticket.headers })).status).toBe(200)
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  const seen: number[] = []
  for (;;) {
    const { status, progress } = await client.jobs.status({ job_id: id })
    seen.push(progress.bytesDone)
    if (status !== 'IN_PROGRESS') {
      // Chunks end in any order and may be made again: what is done never falls, and is all in the end.
      expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      expect(progress).toMatchObject({ bytes: files[0]!.size, secondsLeft: 0 })
      if (status === 'SUCCEEDED') expect(progress.bytesDone).toBe(files[0]!.size)
      return client.jobs.get({ job_id: id })
    }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a table that is cut into chunks comes out as if it had been processed whole', { timeout: 300_000 }, async () => {
  const job = await anonymise(
    table(n => `person${n}@example.org`),
    await workflowWith('[EMAIL]'),
  )
  expect(job.errors).toEqual([])
  const labels = [{ label: 'E-mail', count: ROWS }]
  expect(job.result?.counts).toMatchObject({ assets: 1, succeeded: 1, findings: ROWS, labels })
  expect(job.result!.assets[0]!.findings).toMatchObject([{ name: 'E-mail', count: ROWS, labels }])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(() => '[EMAIL]')))
  if (!deployed) expect(await chunksDone(job.id)).toBeGreaterThan(2)
  expect((await verdictOn(client, job.id)).problems).toEqual([])
  const changed = await verdictOn(client, job.id, content => content.fill('x', content.length - 1))
  expect(changed.problems.map(({ code }) => code)).toEqual(['changed', 'missing'])
})

test('chunks that shrink below the smallest part are put together all the same', { timeout: 300_000 }, async () => {
  const long = (n: number) => `${'a'.repeat(60 + (n % 5))}@example.org`
  const job = await anonymise(table(long), await workflowWith('x'))
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(() => 'x')))
  expect((await verdictOn(client, job.id)).problems).toEqual([])
})

test('a table whose values are numbered is cut, and numbered in the order of its rows', {
  timeout: 300_000,
}, async () => {
  // New ones in every chunk, and old ones beside them.
  const number = (n: number) => (n % 2 === 0 ? 1 : Math.floor(n / 20_000) + 2)
  const job = await anonymise(
    table(n => `person${number(n)}@example.org`),
    await workflowWith('[MAIL {{n}}]'),
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(n => `[MAIL ${number(n)}]`)))
  if (!deployed) expect(await chunksDone(job.id)).toBeGreaterThan(2)
})

test('a table without a column that the workflow names fails before it is cut', { timeout: 300_000 }, async () => {
  const job = await anonymise(
    table(() => 'a@example.org'),
    await workflowWith('x', ['mail']),
  )
  const msg = 'Rule «E-mail»: the table has no column mail; it has id, name, e-mail address, note'
  expect(job.errors).toMatchObject([{ type: 'invalid_workflow', msg }])
  if (!deployed) expect(await chunksDone(job.id)).toBe(0)
})

/** Lines of JSON that make a few chunks. */
const records = (email: (n: number) => string): string =>
  Array.from({ length: ROWS / 3 }, (_, n) =>
    JSON.stringify({ id: n, person: { name: `Person ${n}`, mail: email(n) }, note: 'a note with "quotes" in it' }),
  ).join('\n')

test('lines of JSON are cut and come out as if they had been processed whole', { timeout: 300_000 }, async () => {
  const workflow = await workflowWith('[EMAIL]', ['person.mail'])
  const job = await anonymise(
    records(n => `person${n}@example.org`),
    workflow,
    'people.ndjson',
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(records(() => '[EMAIL]')))
  if (!deployed) expect(await chunksDone(job.id)).toBeGreaterThan(1)
})

test('values in lines of JSON are numbered in the order of the lines', { timeout: 300_000 }, async () => {
  const job = await anonymise(
    records(n => `person${n % 3}@example.org`),
    await workflowWith('[MAIL {{n}}]'),
    'people.ndjson',
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(records(n => `[MAIL ${(n % 3) + 1}]`)))
})

test('a value of one chunk that names a field in another fails the file', { timeout: 300_000 }, async () => {
  const text = `${records(() => 'person@example.org')}\n{"about person@example.org":1}\n`
  const job = await anonymise(text, await workflowWith('[EMAIL]', ['person.mail']), 'people.ndjson')
  expect(job.errors).toMatchObject([{ type: 'leak_detected', msg: 'A replaced value is the name of a field' }])
  expect(job.result!.assets).toMatchObject([{ status: 'FAILED', url: null }])
})

/** How many chunks of a job were processed, as the worker's log tells. */
async function chunksDone(jobId: string): Promise<number> {
  const lines = (await readFile(service.cloud.logFile, 'utf8')).split('\n')
  return lines.filter(line => [jobId, '"type":"CHUNK"', 'message done'].every(part => line.includes(part))).length
}
