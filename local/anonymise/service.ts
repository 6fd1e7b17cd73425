import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ApiError, type Client, createClient, logIn } from '../../shared/api/client.ts'
import { startLocalCloud } from '../cloud.ts'

/** A service to work with, and how to let it go. */
export type Service = { client: Client; baseUrl: string; close(): Promise<void> }

/** Addresses and passwords of the users that this command has registered, by base URL. */
const LOGINS = '.local/anonymise.json'

type Login = { email: string; password: string }

/** The service at an address if one answers there; else one that is started for this run and removed after it. */
export async function openService(baseUrl: string, login?: Login): Promise<Service> {
  if (await answers(baseUrl)) {
    const known = login ?? (await knownLogin(baseUrl))
    return { client: await logIn({ baseUrl, ...known }), baseUrl, close: async () => {} }
  }
  const directory = await mkdtemp(join(tmpdir(), 'anonymise-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const environment = { RATE_LIMIT_PER_USER: '100000' }
    const cloud = await startLocalCloud({ directory, environment, report: line => console.error(line) })
    const close = async () => {
      await cloud.close()
      await remove()
    }
    return { client: await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! }), baseUrl: cloud.baseUrl, close }
  } catch (error) {
    await remove()
    throw error
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const reply = await fetch(`${baseUrl}/api/`, { signal: AbortSignal.timeout(3000) })
    const { name } = (await reply.json()) as { name?: string }
    return name === 'Anonymisation service'
  } catch {
    return false
  }
}

/** The user that earlier runs used with this service, or a new one. */
async function knownLogin(baseUrl: string): Promise<Login> {
  const logins = JSON.parse(await readFile(LOGINS, 'utf8').catch(() => '{}')) as Record<string, Login>
  const known = logins[baseUrl]
  if (known && (await works(baseUrl, known))) return known
  const login = {
    email: `anonymise-${randomBytes(6).toString('hex')}@example.org`,
    password: randomBytes(18).toString('base64url'),
  }
  await createClient({ baseUrl }).auth.register({ body: { name: 'npm run anonymise', ...login } })
  await mkdir(dirname(LOGINS), { recursive: true })
  await writeFile(LOGINS, JSON.stringify({ ...logins, [baseUrl]: login }), { mode: 0o600 })
  return login
}

async function works(baseUrl: string, login: Login): Promise<boolean> {
  try {
    await logIn({ baseUrl, ...login })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}
