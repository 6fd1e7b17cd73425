import { execFile, spawn } from 'node:child_process'
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

/** A port on which nothing listens. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
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

describe('npm run anonymise', { timeout: 120_000 }, () => {
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
      'deep',
      'deep/er',
      'deep/er/people.csv',
    ])
    expect(await read(made, 'a.txt')).toBe(MASKED)
    expect(await read(made, 'deep/er/people.csv')).toBe('name,mail,sum\n[PERSON],[EMAIL],12.50\n')
    for (const name of ['.hidden.txt: hidden', 'a.anonymised.txt: an output', 'empty.txt: empty', 'link.txt: a link']) {
      expect(stdout).toContain(`Left out letters/${name}`)
    }
    expect(stdout).toMatch(/a\.txt -> .*\b2 pii-ner \(2 PERSON\)/)
    expect(stdout).toContain('2 anonymised, 0 failed, 6 left out')
    expect(await left()).toEqual([])
  })

  test('names by the patterns what the model finds as well', async () => {
    const files = await folderOf({ 'a.txt': 'Your date of birth is 14/07/1962 and your NHS number is 943 476 5919.\n' })
    await command(files, ['a.txt', '--url', cloud.baseUrl])
    const expected = 'Your date of birth is [DATE_OF_BIRTH] and your NHS number is [HEALTH_ID].\n'
    expect(await read(files, 'a.anonymised.txt')).toBe(expected)
  })

  test('adds rules to the default ones, or replaces those', async () => {
    const files = await folderOf({ 'a.txt': 'John Smith has C-123456.\n' })
    const rule = ['--rule', 'Customer=\\bC-\\d{6}\\b=[CUSTOMER]', '--url', cloud.baseUrl]
    await command(files, ['a.txt', ...rule])
    expect(await read(files, 'a.anonymised.txt')).toBe('[PERSON] has [CUSTOMER].\n')
    await command(files, ['a.txt', '--only-rules', '--out', 'out', ...rule])
    expect(await read(files, 'out', 'a.txt')).toBe('John Smith has [CUSTOMER].\n')
  })

  test('never replaces an output unasked, nor one of its own by another', async () => {
    const files = await folderOf({ 'a.txt': LETTER, 'a.anonymised.txt': 'mine', 'b/a.txt': LETTER, 'c/a.txt': LETTER })
    const first = await command(files, ['a.txt', '--url', cloud.baseUrl])
    expect(first.status).toBe(0)
    expect(first.stdout).toMatch(/Left out a\.txt: .*a\.anonymised\.txt exists; --overwrite replaces it/)
    expect(first.stdout).toContain('0 anonymised, 0 failed, 1 left out')
    expect(await read(files, 'a.anonymised.txt')).toBe('mine')
    const second = await command(files, ['a.txt', '--overwrite', '--url', cloud.baseUrl])
    expect(second.status).toBe(0)
    expect(await read(files, 'a.anonymised.txt')).toBe(MASKED)
    await command(files, ['b/a.txt', 'c/a.txt', 'c/a.txt', '--out', 'out', '--url', cloud.baseUrl])
    expect((await readdir(join(files, 'out'))).sort()).toEqual(['a (2).txt', 'a.txt'])
  })

  test('fails the files that the service refuses, and anonymises the others', async () => {
    const files = await folderOf({ 'in/a.txt': LETTER, 'in/b.pdf': '%PDF-1.7\nno document' })
    const { status, stdout } = await command(files, ['in', '--url', cloud.baseUrl])
    expect(status).toBe(1)
    expect(stdout).toMatch(/FAILED in\/b\.pdf: \w+/)
    expect(await readdir(join(files, 'in.anonymised'))).toEqual(['a.txt'])
    expect(await left()).toEqual([])
  })

  test.each([
    [
      'an address where nothing answers',
      ['a.txt', '--url', 'http://127.0.0.1:9'],
      /No anonymisation service answers at/,
    ],
    ['files in plain text to another machine', ['a.txt', '--url', 'http://example.org'], /--url must be an https/],
    ['a file that is not there', ['b.txt'], /There is no file or folder .*b\.txt/],
    ['an unknown option', ['a.txt', '--ruel', 'x'], /Unknown option '--ruel'/],
    ['a rule without a text', ['a.txt', '--rule', 'x'], /--rule must be NAME=PATTERN=TEXT/],
    ['a pattern that is none', ['a.txt', '--rule', 'a=(=b', '--url', 'CLOUD'], /regex_syntax/],
    ['nothing', [], /Name a file or a folder/],
  ])('refuses %s with status 2', async (_, args, message) => {
    const files = await folderOf({ 'a.txt': LETTER })
    const { status, stderr } = await command(
      files,
      args.map(arg => (arg === 'CLOUD' ? cloud.baseUrl : arg)),
    )
    expect(stderr).toMatch(message)
    expect(status).toBe(2)
    expect(await readdir(files)).toEqual(['a.txt'])
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

  test('leaves nothing behind when it is interrupted, and sweeps up after a run that was killed', async () => {
    const files = await folderOf({ 'a.txt': LETTER.repeat(20_000) })
    const TMPDIR = await mkdtemp(join(folder, 'tmp-'))
    const PORT = await freePort()
    const runs = async () => (await readdir(TMPDIR)).filter(name => name.startsWith('anonymisation-run-'))
    const whileRunning = async (signal: NodeJS.Signals) => {
      const before = await runs()
      const child = spawn(process.execPath, [script, 'a.txt'], { cwd: files, env: environment({ TMPDIR, PORT }) })
      const ended = once(child, 'exit')
      const uploaded = async () => {
        const [run] = (await runs()).filter(name => !before.includes(name))
        const kept = run ? await readdir(join(TMPDIR, run), { recursive: true }).catch(() => []) : []
        return kept.some(path => /^s3.blobs./.test(path))
      }
      while (!(await uploaded())) await sleep(20)
      child.kill(signal)
      return ended
    }
    expect(await whileRunning('SIGKILL')).toEqual([null, 'SIGKILL'])
    expect(await runs()).toHaveLength(1)
    expect(await whileRunning('SIGINT')).toEqual([130, null])
    expect(await runs()).toEqual([])
    expect(await readdir(files)).toEqual(['a.txt'])
  })

  test('keeps its own service to itself, and leaves nothing of it', async () => {
    const files = await folderOf({ 'a.txt': LETTER })
    const [TMPDIR, HOME] = [await mkdtemp(join(folder, 'tmp-')), await mkdtemp(join(folder, 'home-'))]
    // Where these are set the inference runtime reports nothing anyway.
    const plain = {
      CI: undefined,
      GITHUB_ACTIONS: undefined,
      ORT_DISABLE_TELEMETRY: undefined,
      XDG_CACHE_HOME: undefined,
    }
    const { status } = await command(files, ['a.txt'], { ...plain, TMPDIR, HOME, PORT: await freePort() })
    expect(status).toBe(0)
    expect(await read(files, 'a.anonymised.txt')).toBe(MASKED)
    // An identifier and a log of its reports would be here.
    expect(await readdir(TMPDIR)).toEqual([])
    expect(await readdir(HOME)).toEqual([])
  })

  test('removes its jobs, rules and workflows from a service when it is interrupted', async () => {
    const files = await folderOf({ 'a.txt': LETTER.repeat(20_000) })
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
