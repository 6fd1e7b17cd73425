import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { verdictOn } from '../api/certified.ts'
import { deployed } from '../api/deployed.ts'
import { type Service, startService } from '../api/setup.ts'

/** A service that cuts tables into chunks of some bytes, and how many rows make a table of three. */
type Cutting = { client: Client; service: Service; rows: number }

// Chunks become parts of an upload, which must hold 5 MiB each; smaller ones are put together first. A deployed service
// cuts into the larger ones by its context, or processes tables whole.
const [LARGE, SMALL] = [6 * 1024 ** 2, 600 * 1024]
let large: Cutting
let small: Cutting

async function startCutting(chunkBytes: number): Promise<Cutting> {
  const bytes = String(chunkBytes)
  const service = await startService({ environment: { FAN_OUT_BYTES: bytes, CHUNK_BYTES: bytes } })
  const rows = Math.ceil((deployed ? LARGE : chunkBytes) / 37)
  return { service, client: service.admin.client, rows }
}

const services: Service[] = []
beforeAll(async () => {
  const cutting = await Promise.all([LARGE, SMALL].map(startCutting))
  services.push(...cutting.map(({ service }) => service))
  large = cutting[0]!
  small = cutting[1]!
})
afterAll(() => Promise.all(services.map(service => service.stop())))

const table = (rows: number, email: (n: number) => string): string => {
  const lines = ['id,name,"e-mail address",note']
  for (let n = 0; n < rows; n++) {
    const note =
      n % 7 === 0 ? `"several\r\nlines, and ""quotes"" ${n}"` : `plain note of row number ${n} with some length to it`
    lines.push(`${n},Person ${n},${email(n)},${note}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

async function workflowWith({ client }: Cutting, text: string, columns?: string[]): Promise<string> {
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text }, ...(columns && { columns }) }]
  const body = { name: 'People', supportedAssetType: 'TABLE' as const, config: { rules } }
  return (await client.workflows.create({ body })).id
}

async function anonymise({ client }: Cutting, text: string, workflowId: string, filename = 'people.csv') {
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
  const { client, rows } = large
  const job = await anonymise(
    large,
    table(rows, n => `person${n}@example.org`),
    await workflowWith(large, '[EMAIL]'),
  )
  expect(job.errors).toEqual([])
  const labels = [{ label: 'E-mail', count: rows }]
  expect(job.result?.counts).toMatchObject({ assets: 1, succeeded: 1, findings: rows, labels })
  expect(job.result!.assets[0]!.findings).toMatchObject([{ name: 'E-mail', count: rows, labels }])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(rows, () => '[EMAIL]')))
  if (!deployed) expect(await chunksDone(large, job.id)).toBeGreaterThan(2)
  expect((await verdictOn(client, job.id)).problems).toEqual([])
  const changed = await verdictOn(client, job.id, content => content.fill('x', content.length - 1))
  expect(changed.problems.map(({ code }) => code)).toEqual(['changed', 'missing'])
})

test('chunks that shrink below the smallest part are put together all the same', { timeout: 300_000 }, async () => {
  const rows = Math.ceil(large.rows * 0.75)
  const long = (n: number) => `${'a'.repeat(60 + (n % 5))}@example.org`
  const job = await anonymise(large, table(rows, long), await workflowWith(large, 'x'))
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(rows, () => 'x')))
  expect((await verdictOn(large.client, job.id)).problems).toEqual([])
})

test('a table whose values are numbered is cut, and numbered in the order of its rows', {
  timeout: 300_000,
}, async () => {
  // New ones in every chunk, and old ones beside them.
  const number = (n: number) => (n % 2 === 0 ? 1 : Math.floor((n * 13) / small.rows) + 2)
  const job = await anonymise(
    small,
    table(small.rows, n => `person${number(n)}@example.org`),
    await workflowWith(small, '[MAIL {{n}}]'),
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(table(small.rows, n => `[MAIL ${number(n)}]`)))
  if (!deployed) expect(await chunksDone(small, job.id)).toBeGreaterThan(2)
})

test('a table without a column that the workflow names fails before it is cut', { timeout: 300_000 }, async () => {
  const job = await anonymise(
    small,
    table(small.rows, () => 'a@example.org'),
    await workflowWith(small, 'x', ['mail']),
  )
  const msg = 'Rule «E-mail»: the table has no column mail; it has id, name, e-mail address, note'
  expect(job.errors).toMatchObject([{ type: 'invalid_workflow', msg }])
  if (!deployed) expect(await chunksDone(small, job.id)).toBe(0)
})

/** Lines of JSON that make a few chunks. */
const records = (email: (n: number) => string): string =>
  Array.from({ length: small.rows / 2 }, (_, n) =>
    JSON.stringify({ id: n, person: { name: `Person ${n}`, mail: email(n) }, note: 'a note with "quotes" in it' }),
  ).join('\n')

test('lines of JSON are cut and come out as if they had been processed whole', { timeout: 300_000 }, async () => {
  const workflow = await workflowWith(small, '[EMAIL]', ['person.mail'])
  const job = await anonymise(
    small,
    records(n => `person${n}@example.org`),
    workflow,
    'people.ndjson',
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(records(() => '[EMAIL]')))
  if (!deployed) expect(await chunksDone(small, job.id)).toBeGreaterThan(1)
})

test('values in lines of JSON are numbered in the order of the lines', { timeout: 300_000 }, async () => {
  const job = await anonymise(
    small,
    records(n => `person${n % 3}@example.org`),
    await workflowWith(small, '[MAIL {{n}}]'),
    'people.ndjson',
  )
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(digest(output)).toBe(digest(records(n => `[MAIL ${(n % 3) + 1}]`)))
})

test('a value of one chunk that names a field in another fails the file', { timeout: 300_000 }, async () => {
  const text = `${records(() => 'person@example.org')}\n{"about person@example.org":1}\n`
  const job = await anonymise(small, text, await workflowWith(small, '[EMAIL]', ['person.mail']), 'people.ndjson')
  expect(job.errors).toMatchObject([{ type: 'leak_detected', msg: 'A replaced value is the name of a field' }])
  expect(job.result!.assets).toMatchObject([{ status: 'FAILED', url: null }])
})

/** How many chunks of a job were processed, as the worker's log tells. */
async function chunksDone({ service }: Cutting, jobId: string): Promise<number> {
  const lines = (await readFile(service.cloud.logFile, 'utf8')).split('\n')
  return lines.filter(line => [jobId, '"type":"CHUNK"', 'message done'].every(part => line.includes(part))).length
}
