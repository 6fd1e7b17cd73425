import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../local/settings.ts'

const script = new URL('../../local/start.ts', import.meta.url).pathname
const password = 'correct horse battery staple'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A start that is refused: its status and all that it printed. */
const refused = (environment: NodeJS.ProcessEnv) =>
  new Promise<{ status: number; printed: string }>(resolve => {
    const env = { ...process.env, PORT: '0', LOCAL_DATA_DIR: join(folder, 'refused'), ...environment }
    execFile(process.execPath, [script], { env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), printed: stdout + stderr }),
    )
  })

describe('npm start', { timeout: 180_000 }, () => {
  test('names all that is wrong with its settings at once, in plain words and without a password', async () => {
    const wrong = { RETENTION_DAYS: 'abc', SELF_REGISTRATION: 'yes', EGRESS_ALLOW: '1.2.3', READ_PAGES: '61' }
    const own = { PORT: '70000', LOCAL_ADMIN_EMAIL: 'me', LOCAL_ADMIN_PASSWORD: 'hunter2', LOCAL_HOSTS: 'a b' }
    const { status, printed } = await refused({ ...wrong, ...own })
    expect(status).toBe(1)
    expect(printed.trim().split('\n').sort()).toEqual([
      '  EGRESS_ALLOW is "1.2.3": must be networks in CIDR notation with commas between',
      '  LOCAL_ADMIN_EMAIL is "me": must be an e-mail address',
      '  LOCAL_ADMIN_PASSWORD: must be at least 12 characters long',
      '  LOCAL_HOSTS is "a b": must be names with commas between',
      '  PORT is "70000": must be a number from 0 to 65535',
      '  READ_PAGES is "61": must be at most 60',
      '  RETENTION_DAYS is "abc": must be a whole number',
      '  SELF_REGISTRATION is "yes": must be true or false',
      'The service was not started:',
    ])
  })

  test('takes an empty name, address or password for not given', () => {
    expect(readSettings({ LOCAL_ADMIN_EMAIL: '', LOCAL_ADMIN_PASSWORD: '', LOCAL_HOSTS: '' })).toMatchObject({
      port: 3000,
      hosts: [],
      environment: {},
    })
  })

  test.each([
    [{}, false],
    [{ EGRESS_ALLOW: '10.0.0.0/8' }, false],
    [{ EGRESS_ALLOW: '10.0.0.0/8, ::1/128' }, true],
    [{ EGRESS_ALLOW: '127.0.0.0/8' }, true],
  ])('with %o knows that sources on this machine are within reach: %s', (environment, expected) => {
    expect(readSettings(environment).reachesItself).toBe(expected)
  })

  test('says in one line that its folder is none, or its port is in use', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const none = await refused({ LOCAL_DATA_DIR: file })
    expect(none.printed.trim()).toBe(
      `${file} can't be written to: make it a folder of yours with room in it, or set LOCAL_DATA_DIR to another one`,
    )
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const PORT = String((server.address() as AddressInfo).port)
    const busy = await refused({ PORT })
    expect(busy.printed.trim().split('\n').at(-1)).toBe(
      `Port ${PORT} is in use: stop what uses it, or set PORT to another one`,
    )
    expect([none.status, busy.status]).toEqual([1, 1])
    expect(busy.printed).not.toContain('Password')
  })

  test('answers nothing before its administrator can log in, and ends on a signal', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    free.close()
    await once(free, 'close')
    const env = {
      ...process.env,
      PORT: String(port),
      LOCAL_DATA_DIR: join(folder, 'ready'),
      LOCAL_ADMIN_PASSWORD: password,
    }
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    child.stdout.on('data', chunk => {
      printed += chunk
    })
    const logIn = () =>
      fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'admin@example.org', password }),
      })
    // Asked without a pause, so that the first answer is as early as one can be.
    let first: Response | undefined
    while (!first) first = await logIn().catch(() => sleep(1, undefined))
    expect(first.status).toBe(200)
    while (!printed.includes('Ctrl-C')) await sleep(20)
    expect(printed).not.toContain('Sources')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})
