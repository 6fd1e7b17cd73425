import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../../infra/source-hash.ts'
import { ApiError, type Client, createClient, logIn } from '../../shared/api/client.ts'
import { startLocalCloud } from '../cloud.ts'
import { Inconvenience } from '../lock.ts'
import { isLoopback } from './arguments.ts'
import { temporaryFolder } from './folder.ts'
import { patientFetch } from './patience.ts'

/** A service to work with, and how to let it go. */
export type Service = { client: Client; close(): Promise<void> }

/** Addresses and passwords of the users that this command has registered, by base URL. */
const LOGINS = join(root, '.local', 'anonymise.json')

type Login = { email: string; password: string }

/** The service at `url` and no other; without one that of this machine if it runs, else one for this run only. */
export async function openService(url: string | undefined, environment: NodeJS.ProcessEnv): Promise<Service> {
  const { PORT, ANONYMISE_EMAIL: email, ANONYMISE_PASSWORD: password } = environment
  const baseUrl = url ?? `http://127.0.0.1:${PORT || 3000}`
  const login = email && password ? { email, password } : undefined
  if (await answers(baseUrl)) {
    console.error(`Using the service at ${baseUrl}`)
    return {
      client: await logIn({ baseUrl, fetch: patientFetch, ...(login ?? (await ownLogin(baseUrl))) }),
      close: async () => {},
    }
  }
  if (url) throw new Inconvenience(`No anonymisation service answers at ${url}. Nothing was sent.`)
  console.error(`No service answers at ${baseUrl}: starting one for this run ...`)
  return ownService()
}

/** A service that is gone, with all that it held, once it is closed. */
async function ownService(): Promise<Service> {
  const { directory, remove } = temporaryFolder()
  try {
    const environment = { RATE_LIMIT_PER_USER: '100000' }
    const cloud = await startLocalCloud({ directory, environment, report: line => console.error(line) })
    const close = async () => {
      await cloud.close()
      remove()
    }
    return { client: await logIn({ baseUrl: cloud.baseUrl, fetch: patientFetch, ...cloud.administrator! }), close }
  } catch (error) {
    remove()
    throw error
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const reply = await fetch(`${baseUrl}/api/`, { signal: AbortSignal.timeout(10_000) })
    const { name } = (await reply.json()) as { name?: string }
    return name === 'Anonymisation service'
  } catch {
    return false
  }
}

/** The user that earlier runs used with a service of this machine, or a new one. */
async function ownLogin(baseUrl: string): Promise<Login> {
  if (!isLoopback(baseUrl)) {
    throw new Inconvenience(`${baseUrl} asks for ANONYMISE_EMAIL and ANONYMISE_PASSWORD in the environment`)
  }
  const logins = JSON.parse(await readFile(LOGINS, 'utf8').catch(() => '{}')) as Record<string, Login>
  const known = logins[baseUrl]
  if (known && (await works(baseUrl, known))) return known
  const login = {
    email: `anonymise-${randomBytes(6).toString('hex')}@example.org`,
    password: randomBytes(18).toString('base64url'),
  }
  const { auth } = createClient({ baseUrl, fetch: patientFetch })
  await auth.register({ body: { name: 'npm run anonymise', ...login } })
  await mkdir(dirname(LOGINS), { recursive: true })
  await writeFile(LOGINS, JSON.stringify({ ...logins, [baseUrl]: login }), { mode: 0o600 })
  return login
}

async function works(baseUrl: string, login: Login): Promise<boolean> {
  try {
    await logIn({ baseUrl, fetch: patientFetch, ...login })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}
