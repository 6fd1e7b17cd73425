import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand, ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Access } from 'aws-emulators'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalCloud, operator, startLocalCloud } from '../../local/cloud.ts'
import { assemble } from '../../local/synth.ts'
import { createClient, logIn } from '../../shared/api/client.ts'

const root = join(import.meta.dirname, '../..')
const login = { email: 'ada@example.org', password: 'correct horse battery' }
const rule = {
  name: 'digits',
  description: '',
  type: 'REGEX',
  config: { regexRuleConfig: { pattern: '\\d+' } },
} as const

let directory: string
const clouds: LocalCloud[] = []

// Bundling and synthesising take their time on a busy machine; what starts after that finds it done.
beforeAll(() => assemble(), 300_000)
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-'))
})
afterEach(async () => {
  for (const cloud of clouds.splice(0)) await cloud.close()
  await rm(directory, { recursive: true })
})

async function start(options: Partial<Parameters<typeof startLocalCloud>[0]> = {}) {
  const cloud = await startLocalCloud({ directory, administrator: login, ...options })
  clouds.push(cloud)
  return cloud
}

describe('the local cloud', () => {
  test('creates the administrator once, and keeps everything over a restart', async () => {
    const first = await start()
    expect(first.administrator).toEqual(login)
    const { id } = await (await logIn({ baseUrl: first.baseUrl, ...login })).rules.create({ body: rule })
    await clouds.pop()!.close()

    const second = await start({ administrator: { email: 'eve@example.org' } })
    expect(second.administrator).toBeUndefined()
    const client = await logIn({ baseUrl: second.baseUrl, ...login })
    expect(await client.rules.get({ rule_id: id })).toMatchObject({ id, ...rule })
  })

  test('keeps what functions work on in its own folder, and nothing of it over a start or an end', async () => {
    const killed = join(directory, 'tmp', 'asset-1-abcdef')
    await mkdir(killed, { recursive: true })
    await writeFile(join(killed, 'input'), 'Ada Lovelace')
    await start()
    expect(await readdir(join(directory, 'tmp'))).toEqual([])
    expect((await stat(join(directory, 'tmp'))).mode & 0o777).toBe(0o700)
    await clouds.pop()!.close()
    expect(existsSync(join(directory, 'tmp'))).toBe(false)
  })

  test('gives functions the settings of a test', async () => {
    const cloud = await start({ environment: { RATE_LIMIT_PER_USER: '3' } })
    const client = await logIn({ baseUrl: cloud.baseUrl, ...login })
    await client.auth.me()
    await client.auth.me()
    await client.auth.me()
    await expect(client.auth.me()).rejects.toMatchObject({ status: 429 })
  })

  test('holds functions to their roles, and tells of each call', async () => {
    const seen: [string, Access][] = []
    const cloud = await start({ onAccess: (name, access) => seen.push([name, access]) })
    await createClient({ baseUrl: cloud.baseUrl }).service.root()
    expect(seen.map(([name, { service, action }]) => `${name} ${service}:${action}`)).toContain(
      'service-root dynamodb:UpdateItem',
    )
    expect(seen.every(([, { accessKeyId }]) => accessKeyId !== 'local')).toBe(true)
    expect(await readFile(cloud.logFile, 'utf8')).not.toContain('does not allow')
  })

  test('lets pages of this machine up- and download by presigned URL, and none of elsewhere', async () => {
    const { endpoints } = await start({ hosts: ['app.test'] })
    // What any page can know: the keys are the same everywhere.
    const s3 = new S3Client({ endpoint: endpoints.s3, region: 'us-east-1', credentials: operator })
    const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
    const object = { Bucket: Buckets.find(({ Name }) => Name!.includes('uploads'))!.Name, Key: 'a' }
    const put = await getSignedUrl(s3, new PutObjectCommand(object))
    const get = await getSignedUrl(s3, new GetObjectCommand(object))
    const as = async (Origin: string, url: string, init: RequestInit = {}) => {
      const reply = await fetch(url, { ...init, headers: { ...init.headers, Origin } })
      return [reply.status, reply.headers.get('access-control-allow-origin'), await reply.text()]
    }
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } }
    for (const origin of ['http://127.0.0.1:8000', 'http://localhost:8000', 'https://app.test']) {
      expect(await as(origin, put, preflight)).toEqual([200, '*', ''])
      expect(await as(origin, put, { method: 'PUT', body: origin })).toEqual([200, '*', ''])
      expect(await as(origin, get)).toEqual([200, '*', origin])
    }
    for (const origin of ['https://evil.example', 'null']) {
      expect(await as(origin, put, preflight)).toEqual([403, null, ''])
      expect(await as(origin, put, { method: 'PUT', body: 'planted' })).toEqual([403, null, ''])
      expect(await as(origin, get)).toEqual([403, null, ''])
    }
    expect(await (await fetch(get)).text()).toBe('https://app.test')
  })

  test('is asked for no more than a call needs: caller with record, and rate, at once', async () => {
    const asked: string[] = []
    const cloud = await start({
      faults: (service, action, _, caller) => {
        if (service === 'dynamodb') asked.push(`${caller} ${action}`)
        return undefined
      },
    })
    const client = await logIn({ baseUrl: cloud.baseUrl, ...login })
    const { id } = await client.rules.create({ body: rule })
    await client.rules.get({ rule_id: id })
    expect(asked.filter(name => name.startsWith('rules-get ')).sort()).toEqual([
      'rules-get BatchGetItem',
      'rules-get UpdateItem',
    ])
  })

  test('injects faults', async () => {
    let broken = false
    const cloud = await start({
      faults: (service, action) =>
        broken && service === 'dynamodb' && action === 'UpdateItem'
          ? { error: { name: 'InternalServerError', status: 500 } }
          : undefined,
    })
    const client = createClient({ baseUrl: cloud.baseUrl })
    await client.service.root()
    broken = true
    await expect(client.service.root()).rejects.toMatchObject({ status: 500 })
    broken = false
    await client.service.root()
  })

  test('refuses a folder that another one uses', async () => {
    await start()
    await expect(startLocalCloud({ directory })).rejects.toThrow(/is using/)
  })

  test('refuses a port that is taken, and leaves nothing behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await expect(startLocalCloud({ directory, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    taken.close()
    await start({ port })
  })
})

describe('npm start', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  const run = (environment: Record<string, string>) => {
    const child = spawn(process.execPath, ['local/start.ts'], {
      cwd: root,
      env: { ...process.env, PORT: '0', LOCAL_DATA_DIR: directory, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }
  /** What it writes until it says how to stop it, or ends. */
  const words = async (child: ChildProcess) => {
    let text = ''
    const add = (chunk: Buffer) => {
      text += chunk
    }
    child.stdout!.on('data', add)
    child.stderr!.on('data', add)
    while (!text.includes('Ctrl-C') && child.exitCode === null) await sleep(50)
    return text
  }

  test('says where it is and how to log in; survives a kill; ends cleanly', async () => {
    const environment = { LOCAL_ADMIN_EMAIL: login.email, LOCAL_ADMIN_PASSWORD: login.password }
    const killed = run(environment)
    const first = await words(killed)
    expect(first).toContain(login.email)
    expect(first).toContain(login.password)
    const { id } = await (await logIn({ baseUrl: baseUrl(first), ...login })).rules.create({ body: rule })
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const child = run(environment)
    const second = await words(child)
    expect(second).not.toContain(login.password)
    const client = await logIn({ baseUrl: baseUrl(second), ...login })
    expect((await client.rules.get({ rule_id: id })).id).toBe(id)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('a job that a kill interrupts ends well after the restart', async () => {
    const environment = { LOCAL_ADMIN_EMAIL: login.email, LOCAL_ADMIN_PASSWORD: login.password }
    const killed = run(environment)
    const client = await logIn({ baseUrl: baseUrl(await words(killed)), ...login })
    const { id: ruleId } = await client.rules.create({ body: rule })
    const entry = { ruleId, replacement: { text: '[number]' } }
    const { id: workflowId } = await client.workflows.create({
      body: { name: 'w', supportedAssetType: 'DOCUMENT', config: { rules: [entry] } },
    })
    const files = Array.from({ length: 20 }, (_, n) => new File([`call ${n} now\n`.repeat(8000)], `${n}.txt`))
    const { id: job_id } = await client.jobs.upload({ body: { name: 'many', description: '' }, files })
    await client.jobs.update({ job_id, body: { workflowId } })
    await client.jobs.execute({ job_id })
    let done = 0
    while (done === 0) {
      await sleep(20)
      done = (await client.jobs.status({ job_id })).progress.done
    }
    expect(done).toBeLessThan(20)
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const child = run(environment)
    const again = await logIn({ baseUrl: baseUrl(await words(child)), ...login })
    while ((await again.jobs.status({ job_id })).status === 'IN_PROGRESS') await sleep(200)
    const { result } = await again.jobs.get({ job_id })
    expect(result).toMatchObject({ outcome: 'SUCCEEDED', counts: { assets: 20, succeeded: 20, findings: 160_000 } })
    child.kill('SIGINT')
    await once(child, 'exit')
  }, 120_000)

  test.each([
    ['a port that is none', { PORT: '70000' }, /PORT is "70000"/],
    ['no port', { PORT: '' }, /PORT is ""/],
  ])('explains %s', async (_, environment, message) => {
    const child = run(environment)
    expect(await words(child)).toMatch(message)
    expect(child.exitCode).toBe(1)
  })
})

const baseUrl = (text: string) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0]
