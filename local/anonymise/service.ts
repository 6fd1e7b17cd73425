import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../../infra/source-hash.ts'
import { ApiError, type Client, createClient, logIn } from '../../shared/api/client.ts'
import { UserError } from '../lock.ts'
import { isLoopback } from './arguments.ts'
import { patientFetch } from './patience.ts'

/** Addresses and passwords of the users that this command has registered, by base URL. */
const LOGINS = join(root, '.local', 'anonymise.json')

type Login = { email: string; password: string; code?: string }

/** A client of the service at `url`; no other is ever used in its place. */
export async function openService(url: string, environment: NodeJS.ProcessEnv): Promise<Client> {
  const { ANONYMISE_KEY: key, ANONYMISE_EMAIL: email, ANONYMISE_PASSWORD: password, ANONYMISE_CODE: code } = environment
  if (!(await answers(url))) throw new UserError(`No anonymisation service answers at ${url}. Nothing was sent.`)
  if (key) return withKey(url, key)
  const login = email && password ? { email, password, code } : await ownLogin(url)
  try {
    return await logIn({ baseUrl: url, fetch: patientFetch, ...login })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    const types = error.detail.map(({ type }) => type)
    if (types.includes('second_factor_required'))
      throw new UserError(`${url} asks for the code of the second factor in ANONYMISE_CODE. Nothing was sent.`)
    if (types.includes('invalid_code')) throw new UserError(`${url} refuses ANONYMISE_CODE. Nothing was sent.`)
    throw new UserError(`${url} refuses ANONYMISE_EMAIL and ANONYMISE_PASSWORD. Nothing was sent.`)
  }
}

/** A client with a key of a service account. */
async function withKey(baseUrl: string, token: string): Promise<Client> {
  const client = createClient({ baseUrl, fetch: patientFetch, token })
  try {
    await client.presets.list()
    return client
  } catch (error) {
    if (!(error instanceof ApiError && [401, 403].includes(error.status))) throw error
    throw new UserError(`${baseUrl} refuses ANONYMISE_KEY: ${error.detail[0]?.msg ?? error.status}. Nothing was sent.`)
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
    throw new UserError(
      `${baseUrl} asks for ANONYMISE_KEY, or ANONYMISE_EMAIL and ANONYMISE_PASSWORD, in the environment`,
    )
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
