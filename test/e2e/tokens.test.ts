import { expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { useOwnService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'
import { tableKinds } from '../engine/formats/tables.ts'

/** Small enough to cut the table below into several chunks. */
const CHUNK_BYTES = 6 * 1024 ** 2
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const owner = await service.person()

type File = { name: string; bytes: Uint8Array }
type Workflow = { type: 'TABLE' | 'DOCUMENT'; replacement: object; project?: string }

const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }

async function workflowFor(client: Client, { type, replacement, project }: Workflow): Promise<string> {
  const { id: ruleId } = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId, replacement: replacement as { token: object } }]
  const body = { name: 'Reversible', supportedAssetType: type, config: { rules, project } }
  return (await client.workflows.create({ body })).id
}

/** A job over some files, executed to its end. */
async function execute(client: Client, workflowId: string, files: File[]) {
  const announced = files.map(({ name, bytes }) => ({ filename: name, size: bytes.length }))
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Letters', files: announced } })
  for (const [n, { upload }] of Assets.entries()) {
    if (upload!.method !== 'PUT') throw new Error('not a single upload')
    const { url, headers } = upload!
    expect((await fetch(url, { method: 'PUT', body: Buffer.from(files[n]!.bytes), headers })).status).toBe(200)
  }
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  return ended(client, id)
}

const download = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const outputs = async (job: Awaited<ReturnType<typeof execute>>) => {
  expect([job.status, job.errors]).toEqual(['SUCCEEDED', []])
  return Promise.all(job.result!.assets.map(({ url }) => download(url!)))
}

const letter = (text: string): File => ({ name: 'letter.txt', bytes: Buffer.from(text) })
const tokenOf = (bytes: Buffer) => /EMAIL~\w+/.exec(bytes.toString())![0]

/** What stands for an address in one job after another of the same workflow. */
async function tokensOf(client: Client, workflow: Workflow, jobs: number) {
  const workflowId = await workflowFor(client, workflow)
  const tokens: string[] = []
  for (let n = 0; n < jobs; n++) {
    const [text] = await outputs(await execute(client, workflowId, [letter(`Write to ann@b.example ${n}`)]))
    tokens.push(tokenOf(text!))
  }
  return tokens
}

const token = (scope?: string) => ({ token: { as: 'EMAIL', scope } })

test('a token reaches over what its scope says, and no further', { timeout: 120_000 }, async () => {
  const { client } = owner
  const [one, two] = await tokensOf(client, { type: 'DOCUMENT', replacement: token() }, 2)
  expect(one).not.toBe(two)
  const within = { type: 'DOCUMENT' as const, replacement: token('project'), project: 'Study A' }
  const [three, four] = await tokensOf(client, within, 2)
  expect(three).toBe(four)
  const [elsewhere] = await tokensOf(client, { ...within, project: 'Study B' }, 1)
  expect(elsewhere).not.toBe(three)
  const everywhere = { type: 'DOCUMENT' as const, replacement: token('deployment') }
  const [five] = await tokensOf(client, { ...everywhere, project: 'Study A' }, 1)
  expect(await tokensOf(client, { ...everywhere, project: 'Study B' }, 1)).toEqual([five])
  const stranger = await service.person()
  expect(await tokensOf(stranger.client, { ...everywhere, project: 'Study A' }, 1)).not.toEqual([five])
})

test('a new generation makes other tokens, and a destroyed key none', { timeout: 120_000 }, async () => {
  const { client } = await service.person()
  const workflow = { type: 'DOCUMENT' as const, replacement: token('project'), project: 'Study' }
  const [before] = await tokensOf(client, workflow, 1)
  const [key] = await client.tokenKeys.list()
  expect(key).toMatchObject({ name: 'Study', generation: 1, generations: [{ number: 1, destroyedAt: null }] })
  const rotated = await client.tokenKeys.rotate({ key_id: key!.id })
  expect(rotated.generation).toBe(2)
  expect(JSON.stringify(rotated)).not.toContain('wrapped')
  const [after] = await tokensOf(client, workflow, 1)
  expect(after).not.toBe(before)
  const destroyed = await client.tokenKeys.destroy({ key_id: key!.id })
  expect(destroyed.generations.map(({ destroyedAt }) => typeof destroyedAt)).toEqual(['string', 'string'])
  // The next job gets a key of its own.
  await tokensOf(client, workflow, 1)
  expect((await client.tokenKeys.list())[0]!.generation).toBe(3)
  const trail = await service.admin.client.audit.list({
    body: { filters: { operation: 'POST /token-keys/{key_id}/destroy', recordId: key!.id } },
  })
  expect(trail[0]!.subject).toBe(rotated.generations.map(({ fingerprint }) => fingerprint).join(' '))
})

test('tokens stand in workbooks, and agree over all chunks of a table', { timeout: 300_000 }, async () => {
  const { client } = owner
  const workflowId = await workflowFor(client, { type: 'TABLE', replacement: token() })
  const book = tableKinds.find(({ name }) => name === 't.xlsx')!
  const rows = Array.from({ length: 30 }, (_, n) => [String(n), `a${n % 5}@b.example`])
  const large = Array.from({ length: 200_000 }, (_, n) => `${n},a${n % 5}@b.example,${'note '.repeat(8)}${n}\n`)
  const job = await execute(client, workflowId, [
    { name: 'people.xlsx', bytes: book.make(['id', 'mail'], rows) },
    { name: 'people.csv', bytes: Buffer.from(`id,mail,note\n${large.join('')}`) },
  ])
  const all = await outputs(job)
  const csv = all.find(bytes => bytes.subarray(0, 2).toString() === 'id')!.toString()
  const xlsx = all.find(bytes => bytes.subarray(0, 2).toString() === 'PK')!
  const inTable = csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split(',')[1]!)
  const byValue = inTable.slice(0, 5)
  expect(new Set(byValue).size).toBe(5)
  expect(inTable.every((text, n) => text === byValue[n % 5] && text.startsWith('EMAIL~'))).toBe(true)
  expect((await book.read(xlsx)).map(([, text]) => text)).toEqual(rows.map((_, n) => byValue[n % 5]))
})

test('numbers keep their form', { timeout: 120_000 }, async () => {
  const { client } = owner
  const pattern = { regexRuleConfig: { pattern: '\\d{4}( \\d{4}){3}' } }
  const rule = await client.rules.create({ body: { name: 'Card', type: 'REGEX', config: pattern } })
  const rules = [{ ruleId: rule.id, replacement: { fpe: { keep: { last: 4 }, check: 'luhn' } } }]
  const body = { name: 'Cards', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
  const { id } = await client.workflows.create({ body })
  const [text] = await outputs(await execute(client, id, [letter('Card 4111 1111 1111 1111.')]))
  expect(text!.toString()).toMatch(/^Card \d{4} \d{4} \d{4} 1111\.$/)
  expect(text!.toString()).not.toContain('4111 1111 1111 1111')
})
