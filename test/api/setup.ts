import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts'
import { type Client, createClient } from '../../shared/api/client.ts'
import type { User } from '../../shared/api/users.ts'
import { deployed, inside } from './deployed.ts'

/** Limits that do not stand in the way of tests that are about something else; their sources are on this machine. */
const generous = {
  RATE_LIMIT_PER_USER: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  EGRESS_ALLOW: '127.0.0.0/8,::1/128',
}

/** Somebody who is logged in. */
export type Person = { user: User; password: string; token: string; refreshToken: string; client: Client }

/** An answer as it came. */
export type Reply = { status: number; headers: Headers; text: string; body: unknown }

/** What a request carries besides method and path; a body that is not text is sent as JSON. */
export type Sending = { token?: string; body?: unknown; headers?: Record<string, string> }

/** A running service, made for one file of tests or deployed before, and ways to talk to it. */
export type Service = {
  baseUrl: string
  apiUrl: string
  /** The inside of a service of one's own; tests that need it are skipped where the service is deployed. */
  cloud: LocalCloud
  admin: Person
  /** A new user, logged in. */
  person(role?: string): Promise<Person>
  logIn(email: string, password: string): Promise<Omit<Person, 'user'>>
  /** Sends exactly what is said: nothing is checked on the way. */
  send(method: string, path: string, sending?: Sending): Promise<Reply>
  /** What went wrong inside, such as a role that does not allow what its function does. */
  troubles: string[]
  stop(): Promise<void>
}

const login = { email: 'admin@example.org', password: 'correct horse battery' }

/** The service for all tests of a file, stopped after them; nothing may have gone wrong inside by then. */
export async function useService(options: Partial<LocalCloudOptions> = {}): Promise<Service> {
  const service = await startService(options)
  afterAll(async () => {
    await service.stop()
    expect(service.troubles).toEqual([])
  })
  return service
}

/** Starts the service in a folder of its own; where one is deployed, that one answers. */
export async function startService(options: Partial<LocalCloudOptions> = {}): Promise<Service> {
  if (deployed)
    return talkTo(deployed.baseUrl, deployed.administrator, { cloud: inside, troubles: [], async stop() {} })
  const { environment, ...others } = options
  const directory = mkdtempSync(join(tmpdir(), 'api-'))
  const troubles: string[] = []
  const cloud = await startLocalCloud({
    directory,
    administrator: login,
    report: message => /does not allow|Error/.test(message) && troubles.push(message),
    environment: { ...generous, ...environment },
    ...others,
  })
  const stop = async () => {
    await cloud.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return talkTo(cloud.baseUrl, login, { cloud, troubles, stop })
}

async function talkTo(
  baseUrl: string,
  administrator: typeof login,
  own: Pick<Service, 'cloud' | 'troubles' | 'stop'>,
): Promise<Service> {
  const anyone = createClient({ baseUrl })
  const logIn = async (email: string, password: string) => {
    const { access_token: token, refresh_token: refreshToken } = await anyone.auth.login({ body: { email, password } })
    return { password, token, refreshToken, client: createClient({ baseUrl, token }) }
  }
  const loggedIn = await logIn(administrator.email, administrator.password)
  const admin = { ...loggedIn, user: await loggedIn.client.auth.me() }
  const apiUrl = `${baseUrl}/api`
  return {
    ...own,
    baseUrl,
    apiUrl,
    admin,
    logIn,
    async person(role) {
      const email = `${randomUUID()}@example.org`
      const user = await anyone.auth.register({ body: { name: 'Ada Lovelace', email, password: login.password } })
      if (role) user.role = (await admin.client.users.update({ user_id: user.id, body: { role } })).role
      return { user, ...(await logIn(email, login.password)) }
    },
    send: (method, path, sending) => send(apiUrl, method, path, sending),
  }
}

async function send(
  apiUrl: string,
  method: string,
  path: string,
  { token, body, headers }: Sending = {},
): Promise<Reply> {
  const typed = body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { ...typed, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body: body === undefined || typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}
