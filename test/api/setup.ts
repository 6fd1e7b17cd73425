import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts'
import type { Outcome } from '../../local/runner/pool.ts'
import { type Client, createClient } from '../../shared/api/client.ts'
import type { User } from '../../shared/api/users.ts'
import type { SharedCloud } from '../shared-cloud/process.ts'
import { administrator, lenient, tellsTrouble } from '../shared-cloud/settings.ts'
import { deployed, inside } from './deployed.ts'

/** Somebody who is logged in. */
export type Person = { user: User; password: string; token: string; refreshToken: string; client: Client }

/** An answer as it came. */
export type Reply = { status: number; headers: Headers; text: string; body: unknown }

/** What a request carries besides method and path; a body that is not text is sent as JSON. */
export type Sending = { token?: string; body?: unknown; headers?: Record<string, string> }

/** A running service, shared or of one's own or deployed before, and ways to talk to it. */
export type Service = {
  baseUrl: string
  apiUrl: string
  /** Its inside; tests that need it are skipped where the service is deployed. A shared one is not crashed or closed. */
  cloud: LocalCloud
  /** Where sources of local files look, each user's in a folder of their own. */
  files: string
  admin: Person
  /** A new user, logged in. */
  person(role?: string): Promise<Person>
  logIn(email: string, password: string): Promise<Omit<Person, 'user'>>
  /** Sends exactly what is said: nothing is checked on the way. */
  send(method: string, path: string, sending?: Sending): Promise<Reply>
  /** What went wrong inside, such as a role that does not allow what its function does; known once it has stopped. */
  troubles: string[]
  stop(): Promise<void>
}

/** The service that all files of tests share, with an administrator for this one; nothing may have gone wrong inside. */
export const useService = (): Promise<Service> => stopAfterwards(deployed ? startService() : joinService())

/** A service for this file of tests alone, stopped after them. */
export const useOwnService = (options: Partial<LocalCloudOptions> = {}): Promise<Service> =>
  stopAfterwards(startService(options))

async function stopAfterwards(starting: Promise<Service>): Promise<Service> {
  const service = await starting
  afterAll(async () => {
    await service.stop()
    expect(service.troubles).toEqual([])
  })
  return service
}

/** Starts a service in a folder of its own; where one is deployed, that one answers. */
export async function startService(options: Partial<LocalCloudOptions> = {}): Promise<Service> {
  const { environment, ...others } = options
  if (deployed)
    return talkTo(deployed.baseUrl, deployed.administrator, { cloud: inside, files: '', troubles: [], async stop() {} })
  const directory = mkdtempSync(join(tmpdir(), 'api-'))
  const troubles: string[] = []
  const cloud = await startLocalCloud({
    directory,
    administrator,
    report: message => tellsTrouble(message) && troubles.push(message),
    environment: { ...lenient, ...environment },
    ...others,
  })
  const stop = async () => {
    await cloud.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return talkTo(cloud.baseUrl, administrator, { cloud, files: join(directory, 'files'), troubles, stop })
}

/** Joins the local cloud that the run shares, as an administrator whom no other file of tests knows. */
async function joinService(): Promise<Service> {
  const { directory, ...told } = (await askSharedCloud('/')) as SharedCloud
  const before = ((await askSharedCloud('/troubles')) as string[]).length
  const cloud: LocalCloud = {
    ...told,
    administrator: undefined,
    invoke: (functionName, event) => askSharedCloud('/invoke', { functionName, event }) as Promise<Outcome>,
    crash: forOneOnly,
    close: forOneOnly,
  }
  const troubles: string[] = []
  const stop = async () => {
    troubles.push(...((await askSharedCloud('/troubles')) as string[]).slice(before))
  }
  const own = { cloud, files: join(directory, 'files'), troubles, stop }
  const service = await talkTo(cloud.baseUrl, administrator, own)
  return { ...service, admin: await service.person('admin') }
}

const forOneOnly = () => {
  throw new Error('Others use this service too: start one with useOwnService')
}

async function askSharedCloud(path: string, question?: object): Promise<unknown> {
  const body = question && JSON.stringify(question)
  const response = await fetch(`${inject('sharedCloud')}${path}`, { method: 'POST', body })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

async function talkTo(
  baseUrl: string,
  login: typeof administrator,
  own: Pick<Service, 'cloud' | 'files' | 'troubles' | 'stop'>,
): Promise<Service> {
  const anyone = createClient({ baseUrl })
  const logIn = async (email: string, password: string) => {
    const { access_token: token, refresh_token } = await anyone.auth.login({ body: { email, password } })
    const refreshToken = refresh_token!
    return { password, token, refreshToken, client: createClient({ baseUrl, token }) }
  }
  const loggedIn = await logIn(login.email, login.password)
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
      const user = await anyone.auth.register({
        body: { name: 'Ada Lovelace', email, password: administrator.password },
      })
      if (role) user.role = (await admin.client.users.update({ user_id: user.id, body: { role } })).role
      return { user, ...(await logIn(email, administrator.password)) }
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
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
