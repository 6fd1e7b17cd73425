import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import { useOwnService } from '../api/setup.ts'
import { ended, jobUntil } from '../api/waiting.ts'
import { tableKinds } from '../engine/formats/tables.ts'
import { namesOf } from '../engine/surrogates/listed.ts'
import { exhaustive } from '../runs.ts'

/** Numbers have so many digits, and a job holds a fifth of all that there are: five digits in the long run. */
const DIGITS = exhaustive ? 5 : 4
const ALL = 10 ** DIGITS
/** Small enough to cut the larger table into several chunks. */
const CHUNK_BYTES = exhaustive ? 60_000 : 12_000
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const { client } = service.admin

type Row = string[]
const header = ['name', 'customer', 'note']
const number = (n: number) => String(n).padStart(DIGITS, '0')
/** A customer by number. */
const customer = (n: number) => number((n * 3) % ALL)
const row = (n: number): Row => [`person ${n}`, customer(n), 'a note']

/** Very many customers in a table that is cut, and in others some of them beside ones that it lacks. */
const tables: Record<string, Row[]> = {
  't.csv': Array.from({ length: ALL / 5 }, (_, n) => row(n)),
  't.xlsx': Array.from({ length: ALL * 0.015 }, (_, n) => row(n * 15)),
  't.parquet': Array.from({ length: ALL * 0.015 }, (_, n) => row(n * 14 + 1)),
}
const kindOf = (name: string) => tableKinds.find(kind => kind.name === name)!

type Kind = { as: string; pattern: string; scope?: 'job' | 'document' }
const customers: Kind = { as: 'ID', pattern: `\\b\\d{${DIGITS}}\\b` }

async function makeWorkflow(
  supportedAssetType: 'TABLE' | 'DOCUMENT',
  { pattern, ...surrogate }: Kind,
): Promise<string> {
  const regexRuleConfig = { pattern }
  const rule = await client.rules.create({ body: { name: 'Customer', type: 'REGEX', config: { regexRuleConfig } } })
  const columns = supportedAssetType === 'TABLE' ? { columns: ['customer'] } : {}
  const rules = [{ ruleId: rule.id, replacement: { surrogate }, ...columns }]
  return (await client.workflows.create({ body: { name: 'Customers', supportedAssetType, config: { rules } } })).id
}

/** What becomes of files, by their names. */
async function outputsOf(files: { name: string; content: Uint8Array | string }[], kind = customers) {
  const contents = files.map(({ name, content }) => ({ name, content: Buffer.from(content) }))
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Customers' }, files: contents })
  const [workflowId, tables] = [await makeWorkflow('DOCUMENT', kind), await makeWorkflow('TABLE', kind)]
  await client.jobs.update({ job_id, body: { workflowId, plan: [{ match: { type: 'TABLE' }, workflowId: tables }] } })
  await client.jobs.execute({ job_id })
  const { errors, result } = await ended(client, job_id)
  expect(errors).toEqual([])
  const read = async ({ name, url }: { name: string; url: string | null }) =>
    [name, Buffer.from(await (await fetch(url!)).arrayBuffer())] as const
  return { job_id, outputs: new Map(await Promise.all(result!.assets.map(read))) }
}

const made = async (name: string) => ({ name, content: await kindOf(name).make(header, tables[name]!) })
const columnOf = async (name: string, bytes: Buffer) =>
  (await kindOf(name).read(bytes)).slice(-tables[name]!.length).map(([, cell]) => cell!)

test('no number of a job becomes another one of its tables, and equal ones stay equal', {
  timeout: 300_000,
}, async () => {
  const letter = tables['t.csv']!.slice(0, ALL / 200).map(([, cell]) => cell!)
  const files = [
    ...(await Promise.all(Object.keys(tables).map(made))),
    { name: 'letter.txt', content: letter.join('\n') },
  ]
  const { job_id, outputs } = await outputsOf(files)
  const all = new Set(Object.values(tables).flatMap(rows => rows.map(([, cell]) => cell!)))
  const known = new Map<string, string>()
  for (const [name, rows] of Object.entries(tables)) {
    const column = await columnOf(name, outputs.get(name)!)
    expect([name, column.filter(value => all.has(value))]).toEqual([name, []])
    const before = rows.map(([, cell]) => cell!)
    expect([name, before.filter((value, n) => (known.get(value) ?? column[n]) !== column[n])]).toEqual([name, []])
    for (const [n, value] of before.entries()) known.set(value, column[n]!)
  }
  expect(known.size).toBe(all.size)
  expect(new Set(known.values()).size).toBe(all.size)
  expect(outputs.get('letter.txt')!.toString().split('\n')).toEqual(letter.map(value => known.get(value)))
  if (deployed) return
  const lines = (await readFile(service.cloud.logFile, 'utf8')).split('\n')
  const chunks = lines.filter(line => [job_id, '"type":"CHUNK"', 'message done'].every(part => line.includes(part)))
  expect(chunks.length).toBeGreaterThan(5)
})

/** Lines of a file below a first one, and back. */
const write = (name: string, lines: string[]) =>
  name.endsWith('html') ? lines.map(line => `<p>${line}</p>`).join('') : ['customer', ...lines].join('\n')
const read = (name: string, content: string) =>
  name.endsWith('html')
    ? [...content.matchAll(/<p>(.*?)<\/p>/g)].map(([, line]) => line!)
    : content.split('\n').slice(1)

/** What became of the values of a job's files, each of which holds some line by line. */
async function pairsOf(files: Record<string, string[]>, kind: Kind) {
  const contents = Object.entries(files).map(([name, lines]) => ({ name, content: write(name, lines) }))
  const { outputs } = await outputsOf(contents, kind)
  return Object.entries(files).flatMap(([name, before]) => {
    const after = read(name, outputs.get(name)!.toString())
    expect([name, after.length]).toEqual([name, before.length])
    return before.map((value, n) => [value, after[n]!] as const)
  })
}

/** Each value has one surrogate in all files, of its own, which is no value of any. */
function expectApart(pairs: (readonly [string, string])[]) {
  const values = new Set(pairs.map(([value]) => value))
  expect(pairs.filter(([, made]) => values.has(made))).toEqual([])
  expect(new Set(pairs.map(([value, made]) => `${value} ${made}`)).size).toBe(values.size)
  expect(new Set(pairs.map(([, made]) => made)).size).toBe(values.size)
}

const every = (step: number, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => number(n * step + from))

test('no number of a file becomes one of another, be they documents or tables', { timeout: 300_000 }, async () => {
  // A quarter of all numbers in three files, and none of them in two.
  const [few, many] = [ALL * 0.015, ALL / 5]
  const files = { 'a.txt': every(7, 1, few), 'b.html': every(7, 2, few), 'c.csv': every(5, 3, many) }
  expectApart(await pairsOf({ ...files, 'd.txt': [...every(7, 2, 50), ...every(5, 3, 50)] }, customers))
  expectApart(await pairsOf({ 'a.txt': every(3, 0, ALL / 10), 'b.md': every(3, 1, ALL / 5) }, customers))
})

/** Polish names: of as many as the long run has a twelfth would become another one, of these one in a hundred. */
const PERSONS = exhaustive ? 40_000 : 4000
const { given, surnames } = namesOf('pl')
const person = (n: number) =>
  `${given[n % given.length]} ${surnames[(n * 7 + Math.floor(n / given.length)) % surnames.length]}`
const persons = (from: number, count: number) => [...new Set(Array.from({ length: count }, (_, n) => person(from + n)))]

test('no name of a file becomes one of another', { timeout: 300_000 }, async () => {
  const few = PERSONS * 0.075
  const files = {
    'a.txt': persons(0, few),
    'b.html': persons(few, few),
    'c.csv': persons(PERSONS / 20, PERSONS),
    'd.txt': [...persons(0, 50), ...persons(PERSONS, 50)],
  }
  expectApart(await pairsOf(files, { as: 'PERSON', pattern: '\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+' }))
})

test('a table alone keeps to this as well, and files with a scope of their own', { timeout: 300_000 }, async () => {
  for (const [scope, ...jobs] of [
    ['job', ['t.csv'], ['t.xlsx'], ['t.csv', 't.parquet']],
    ['document', ['t.csv', 't.xlsx', 't.parquet']],
  ] as const) {
    for (const names of jobs) {
      const { outputs } = await outputsOf(await Promise.all(names.map(made)), { ...customers, scope })
      const before = new Set(names.flatMap(name => tables[name]!.map(([, cell]) => cell!)))
      for (const name of names) {
        const column = await columnOf(name, outputs.get(name)!)
        expect([name, column.filter(value => before.has(value))]).toEqual([name, []])
        expect([name, new Set(column).size]).toEqual([name, column.length])
      }
    }
  }
})

test('no surrogate is a number that a review leaves as it is', { timeout: 300_000 }, async () => {
  const [names, rejected] = [['t.csv', 't.parquet'], customer(7)]
  const owner = await service.person()
  const files = (await Promise.all(names.map(made))).map(({ name, content }) => ({
    name,
    content: Buffer.from(content),
  }))
  const config = { regexRuleConfig: { pattern: `^\\d{${DIGITS}}$` } }
  const rule = await owner.client.rules.create({ body: { name: 'Customer', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { surrogate: { as: 'ID' } }, columns: ['customer'] }]
  const workflow = { name: 'Customers', supportedAssetType: 'TABLE' as const, config: { rules } }
  const { id: workflowId } = await owner.client.workflows.create({ body: workflow })
  const { id: job_id } = await owner.client.jobs.upload({ body: { name: 'Customers' }, files })
  await owner.client.jobs.update({ job_id, body: { workflowId, review: {} } })
  await owner.client.jobs.execute({ job_id })
  const until = (isSo: Parameters<typeof jobUntil>[2]) => jobUntil(owner.client, job_id, isSo)
  await until(({ review }) => review?.state === 'waiting')
  const decisions = [{ action: 'reject' as const, value: rejected }]
  const { review } = await client.jobs.decide({ job_id, body: { decisions } })
  await client.jobs.release({ job_id, body: { version: review!.version } })
  const { errors, result } = await until(({ status }) => status !== 'IN_PROGRESS')
  expect(errors).toEqual([])
  const before = names.flatMap(name => tables[name]!.map(([, cell]) => cell!))
  const columns = names.map(async name => {
    const { url } = result!.assets.find(asset => asset.name === name)!
    return columnOf(name, Buffer.from(await (await fetch(url!)).arrayBuffer()))
  })
  const column = (await Promise.all(columns)).flat()
  const all = new Set(before)
  expect(column.filter(value => all.has(value))).toEqual(before.filter(value => value === rejected))
  expect(new Set(before.map((value, n) => `${value} ${column[n]}`)).size).toBe(all.size)
  expect(new Set(column).size).toBe(all.size)
})
