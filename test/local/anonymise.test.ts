import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LocalCloud, startLocalCloud } from '../../local/cloud.ts'
import { logIn } from '../../shared/api/client.ts'

const script = new URL('../../local/anonymise.ts', import.meta.url).pathname
const verifier = new URL('../../verifier/main.ts', import.meta.url).pathname
const login = { email: 'clerk@example.org', password: 'correct horse battery staple' }
let cloud: LocalCloud
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anonymise-test-'))
  cloud = await startLocalCloud({
    directory: join(folder, 'cloud'),
    environment: { RATE_LIMIT_PER_USER: '100000', RATE_LIMIT_PER_ADDRESS: '100000' },
    administrator: login,
  })
}, 240_000)
afterAll(async () => {
  await cloud?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A folder with files of these names and texts; names with a slash go into folders. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const made = await mkdtemp(join(folder, 'files-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(made, name, '..'), { recursive: true })
    await writeFile(join(made, name), text)
  }
  return made
}

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_lifecycle_event: '',
  ANONYMISE_EMAIL: login.email,
  ANONYMISE_PASSWORD: login.password,
  ...more,
})

/** Runs the command to its end. */
function command(cwd: string, args: string[], more: NodeJS.ProcessEnv = {}) {
  return new Promise<{ status: number; stdout: string; stderr: string }>(resolve => {
    execFile(process.execPath, [script, ...args], { cwd, env: environment(more) }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const read = (...path: string[]) => readFile(join(...path), 'utf8')

/** What the command's user has on the service. */
async function left(): Promise<unknown[]> {
  const client = await logIn({ baseUrl: cloud.baseUrl, ...login })
  return [...(await client.jobs.list()), ...(await client.workflows.list()), ...(await client.rules.list())]
}

/** Passes everything on to the service, but asks for patience before every third request. */
async function impatient(): Promise<{ url: string; refused: () => number }> {
  let [requests, refused] = [0, 0]
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.headers.authorization && ++requests % 3 === 0) {
      refused++
      response.writeHead(429, { 'Retry-After': '1', 'Content-Type': 'application/json' })
      return void response.end('{"detail":[{"loc":[],"msg":"Too many requests","type":"rate_limited"}]}')
    }
    const json = request.headers['content-type'] === 'application/json'
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const sent = {
      method: request.method,
      headers: headers as Record<string, string>,
      body: json ? Buffer.concat(chunks).toString() : Buffer.concat(chunks),
    }
    const reply = await fetch(
      `${cloud.baseUrl}${request.url}`,
      request.method === 'GET' ? { headers: sent.headers } : sent,
    )
    response.writeHead(reply.status, { 'Content-Type': 'application/json' })
    response.end(Buffer.from(await reply.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused: () => refused }
}

const LETTER = 'Dear Grace Miller, write to ada@example.org.\nYours, John Smith\n'
const MASKED = 'Dear [PERSON], write to [EMAIL].\nYours, [PERSON]\n'

describe('the command with a service', { timeout: 120_000 }, () => {
  test('finds by default what the shipped models and patterns find, and keeps the tree of a folder', async () => {
    const files = await folderOf({
      'letters/a.txt': LETTER,
      'letters/deep/er/people.csv': 'name,mail,sum\nJohn Smith,john@example.org,12.50\n',
      'letters/.hidden.txt': LETTER,
      'letters/a.anonymised.txt': LETTER,
      'letters/~$a.docx': 'x',
      'letters/empty.txt': '',
      'letters/old.anonymised/a.txt': LETTER,
    })
    await symlink('a.txt', join(files, 'letters', 'link.txt'))
    const { status, stdout } = await command(files, ['letters', '--url', cloud.baseUrl])
    expect(status).toBe(0)
    const made = join(files, 'letters.anonymised')
    expect((await readdir(made, { recursive: true })).sort()).toEqual([
      'a.txt',
      'a.txt.certificate.json',
      'deep',
      'deep/er',
      'deep/er/people.csv',
      'deep/er/people.csv.certificate.json',
    ])
    const [keys, certificate] = [join(files, 'jwks.json'), join(made, 'a.txt.certificate.json')]
    await writeFile(keys, await (await fetch(`${cloud.baseUrl}/api/.well-known/jwks.json`)).text())
    const check = (file: string) =>
      spawnSync(process.execPath, [verifier, certificate, join(made, file), '--keys', keys], { encoding: 'utf8' })
    expect(check('a.txt')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ACCEPTED/) })
    expect(check('deep/er/people.csv')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^REFUSED\n {2}unknown/),
    })
    expect(await read(made, 'a.txt')).toBe(MASKED)
    expect(await read(made, 'deep/er/people.csv')).toBe('name,mail,sum\n[PERSON],[EMAIL],12.50\n')
    for (const name of ['.hidden.txt: hidden', 'a.anonymised.txt: an output', 'empty.txt: empty', 'link.txt: a link']) {
      expect(stdout).toContain(`Left out letters/${name}`)
    }
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/a\.txt -> .*\b2 PERSON\b/)
    expect(stdout).toContain('2 anonymised, 0 failed, 6 left out')
    expect(await left()).toEqual([])
  })

  test('waits for the receipts of certificates, which outlive their jobs', async () => {
    const files = await folderOf({ 'a.txt': LETTER, 'b.txt': 'John Smith\n' })
    const extending = setInterval(() => void cloud.invoke('pipeline-sweeper', {}).catch(() => {}), 2000)
    onTestFinished(() => clearInterval(extending))
    const { status } = await command(files, ['a.txt', 'b.txt', '-o', 'out', '--receipts', '--url', cloud.baseUrl])
    expect(status).toBe(0)
    const out = join(files, 'out')
    const names = ['a.txt', 'b.txt'].flatMap(name => [name, `${name}.certificate.json`, `${name}.receipt`])
    expect((await readdir(out)).sort()).toEqual(names)
    expect(await left()).toEqual([])
    await writeFile(join(out, 'jwks.json'), await (await fetch(`${cloud.baseUrl}/api/.well-known/jwks.json`)).text())
    await writeFile(join(out, 'log-key.json'), await (await fetch(`${cloud.baseUrl}/api/transparency/key`)).text())
    const check = (receipt: string) => {
      const args = [verifier, join(out, 'a.txt.certificate.json'), join(out, 'a.txt'), '--receipt', join(out, receipt)]
      return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
    }
    expect(check('a.txt.receipt')).toMatch(/^ACCEPTED[\s\S]*Entry \d+ of the log/)
    expect(check('b.txt.receipt')).toMatch(/^REFUSED\n {2}receipt/)
  })

  test('adds rules to the default ones, or replaces those', async () => {
    const files = await folderOf({ 'a.txt': 'John Smith has C-123456.\n' })
    const rule = ['--rule', 'Customer=\\bC-\\d{6}\\b=[CUSTOMER]', '--url', cloud.baseUrl]
    await command(files, ['a.txt', ...rule])
    expect(await read(files, 'a.anonymised.txt')).toBe('[PERSON] has [CUSTOMER].\n')
    await command(files, ['a.txt', '--only-rules', '--out', 'out', ...rule])
    expect(await read(files, 'out', 'a.txt')).toBe('John Smith has [CUSTOMER].\n')
  })

  test.each(['a.csv', 'a.txt'])('has %s read in the encoding that is named', async name => {
    const files = await folderOf({})
    // In cp852, which looks like cp850.
    await writeFile(join(files, name), Buffer.from('Name;City\nWi\x98niewska;Gda\xe4sk\n', 'latin1'))
    const rule = ['--only-rules', '--rule', 'Name=Wiśniewska=[NAME]', '--url', cloud.baseUrl]
    const { status } = await command(files, [name, ...rule, '--encoding', 'cp852'])
    expect([status, await read(files, name.replace('.', '.anonymised.'))]).toEqual([
      0,
      expect.stringContaining('\n[NAME];'),
    ])
  })

  test('tells that it is not let in, and sends nothing', async () => {
    const files = await folderOf({ 'a.txt': LETTER })
    const { status, stderr } = await command(files, ['a.txt', '--url', cloud.baseUrl], { ANONYMISE_PASSWORD: 'wrong' })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/refuses ANONYMISE_EMAIL and ANONYMISE_PASSWORD/)])
    expect(await left()).toEqual([])
  })

  test('takes the key of a service account, and tells that one is refused', async () => {
    const { serviceAccounts } = await logIn({ baseUrl: cloud.baseUrl, ...login })
    const records = ['rules', 'workflows', 'jobs', 'assets'].flatMap(name => [`${name}:read`, `${name}:write`])
    const permissions = [...records, 'jobs:execute']
    const { id } = await serviceAccounts.create({ body: { name: 'Nightly', role: 'user', permissions } })
    const { key } = await serviceAccounts.createKey({ account_id: id })
    const files = await folderOf({ 'a.txt': LETTER })
    const run = (ANONYMISE_KEY: string) => command(files, ['a.txt', '--url', cloud.baseUrl], { ANONYMISE_KEY })
    const { status, stderr } = await run(key.slice(0, -1))
    expect([status, stderr]).toEqual([2, expect.stringMatching(/refuses ANONYMISE_KEY: .*Nothing was sent/)])
    expect(await run(key)).toMatchObject({ status: 0, stderr: '' })
    expect((await readdir(files)).sort()).toEqual(['a.anonymised.txt', 'a.anonymised.txt.certificate.json', 'a.txt'])
  })

  test('fails the files that the service refuses, and anonymises the others', async () => {
    const files = await folderOf({ 'in/a.txt': LETTER, 'in/b.pdf': '%PDF-1.7\nno document' })
    const { status, stdout } = await command(files, ['in', '--url', cloud.baseUrl])
    expect(status).toBe(1)
    expect(stdout).toMatch(/FAILED in\/b\.pdf: \w+/)
    expect((await readdir(join(files, 'in.anonymised'))).sort()).toEqual(['a.txt', 'a.txt.certificate.json'])
    expect(await left()).toEqual([])
  })

  test('waits as long as the service asks for', async () => {
    const files = await folderOf({ 'a.txt': LETTER, 'b.txt': LETTER })
    const { url, refused } = await impatient()
    const { status } = await command(files, ['a.txt', 'b.txt', '--url', url])
    expect(status).toBe(0)
    expect(refused()).toBeGreaterThan(5)
    expect(await read(files, 'b.anonymised.txt')).toBe(MASKED)
    expect(await left()).toEqual([])
  })

  test('removes its jobs, rules and workflows from a service when it is interrupted', async () => {
    const files = await folderOf({ 'a.txt': LETTER.repeat(5_000) })
    const client = await logIn({ baseUrl: cloud.baseUrl, ...login })
    const child = spawn(process.execPath, [script, 'a.txt', '--url', cloud.baseUrl], { cwd: files, env: environment() })
    const ended = once(child, 'exit')
    while ((await client.jobs.list()).every(({ status }) => status !== 'IN_PROGRESS')) await sleep(20)
    child.kill('SIGTERM')
    expect(await ended).toEqual([143, null])
    expect(await left()).toEqual([])
    expect(await readdir(files)).toEqual(['a.txt'])
  })
})
