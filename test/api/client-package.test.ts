import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
let folder: string

const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable']

const consumer = `
import { ApiError, type Client, type ClientOptions, createClient, logIn } from 'anonymisation-service-client'
import { anonymise, download, uploadLarge, wait } from 'anonymisation-service-client/flow'
import type { Rule } from 'anonymisation-service-client/rules'
import { problems } from 'anonymisation-service-client/problems'

export async function use(client: Client): Promise<string[]> {
  const config = { regexRuleConfig: { pattern: '[0-9]+' } }
  const rule: Rule = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
  // @ts-expect-error a rule needs a type
  await client.rules.create({ body: { name: 'Numbers', config } })
  // @ts-expect-error the parameter is called rule_id
  await client.rules.get({ id: rule.id })
  const job = await client.jobs.upload({ body: { name: 'Letters' }, files: [{ name: 'a.txt', content: 'a' }] })
  const status: 'PENDING' | 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' = job.status
  // @ts-expect-error jobs have no such field
  job.state
  const { headers, body } = await client.users.list.full({ query: { limit: 10 } })
  return [status, headers.get('x-total-count') ?? '', ...body.map(user => user.email)]
}
export async function flow(client: Client): Promise<ReadableStream | undefined> {
  const { id } = await uploadLarge(client, { name: 'Letters' }, [new Blob(['a'])])
  await wait(client, id, { signal: AbortSignal.timeout(1000) })
  const { result } = await anonymise(client, { name: 'Letters', presetId: 'default' }, [{ name: 'a.txt', content: 'a' }])
  const output = result?.assets[0]?.outputAssetId
  return output ? (await download(client, output)).body : undefined
}
export const options: ClientOptions = { baseUrl: 'http://127.0.0.1:1' }
export const known: 400 = problems.in_use[0]
export const handled = (error: unknown) => error instanceof ApiError && error.has('in_use')
export const connect = () => logIn({ ...options, email: 'ada@example.org', password: 'secret' })
console.log(Object.keys(createClient(options)).join(' '))
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'consumer-'))
  mkdirSync(join(folder, 'packages'))
  const packed = npm(
    'pack',
    join(root, 'client'),
    join(root, 'node_modules/zod'),
    '--pack-destination',
    'packages',
    '--ignore-scripts=false',
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module', private: true }))
  npm(
    'install',
    '--offline',
    ...packed
      .trim()
      .split('\n')
      .map(name => `./packages/${name.trim()}`),
  )
  writeFileSync(join(folder, 'consumer.ts'), consumer)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package type-checks in another project, and refuses what the contract does not have', () => {
  expect(node(compiler, ...options, 'consumer.ts')).toBe('')
})

test('the package runs on its own', () => {
  expect(node('consumer.js')).toContain('rules')
})

test('the package needs zod only, and has the version of the service', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const own = read(join(root, 'package.json'))
  const client = read(join(folder, 'node_modules/anonymisation-service-client/package.json'))
  expect(client.version).toBe(own.version)
  expect(client.dependencies).toEqual({ zod: own.dependencies.zod })
})
