import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts'
import { type Client, createClient } from '../../shared/api/client.ts'
import type { User } from '../../shared/api/users.ts'

/** Limits that do not stand in the way of tests that are about something else. */
const generous = { RATE_LIMIT_PER_USER: '1000000', RATE_LIMIT_PER_ADDRESS: '1000000' }

/** Somebody who is logged in. */
export type Person = { user: User; password: string; token: string; refreshToken: string; client: Client }

/** An answer as it came. */
export type Reply = { status: number; headers: Headers; text: string; body: unknown }

/** What a request carries besides method and path; a body that is not text is sent as JSON. */
export type Sending = { token?: string; body?: unknown; headers?: Record<string, string> }

/** A running service, made for one file of tests, and ways to talk to it. */
export type Service = {
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

/** Starts the service in a folder of its own. */
export async function startService({ environment, ...options }: Partial<LocalCloudOptions> = {}): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'api-'))
  const troubles: string[] = []
  const cloud = await startLocalCloud({
    directory,
    administrator: login,
    report: message => /does not allow|Error/.test(message) && troubles.push(message),
    environment: { ...generous, ...environment },
    ...options,
  })
  const anyone = createClient({ baseUrl: cloud.baseUrl })
  const logIn = async (email: string, password: string) => {
    const { access_token: token, refresh_token: refreshToken } = await anyone.auth.login({ body: { email, password } })
    return { password, token, refreshToken, client: createClient({ baseUrl: cloud.baseUrl, token }) }
  }
  const loggedIn = await logIn(login.email, login.password)
  const admin = { ...loggedIn, user: await loggedIn.client.auth.me() }
  return {
    cloud,
    admin,
    troubles,
    logIn,
    async person(role) {
      const email = `${randomUUID()}@example.org`
      const user = await anyone.auth.register({ body: { name: 'Ada Lovelace', email, password: login.password } })
      if (role) user.role = (await admin.client.users.update({ user_id: user.id, body: { role } })).role
      return { user, ...(await logIn(email, login.password)) }
    },
    send: (method, path, sending) => send(cloud.apiUrl, method, path, sending),
    async stop() {
      await cloud.close()
      rmSync(directory, { recursive: true, force: true })
    },
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
