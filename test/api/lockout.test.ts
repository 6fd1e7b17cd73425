import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { deployed } from './deployed.ts'
import { useOwnService } from './setup.ts'

const service = await useOwnService()

/** Logs in from one of the machine's own addresses, all of which Linux has below 127.0.0.0/8. */
function logIn(
  localAddress: string,
  email: string,
  password: string,
): Promise<{ status: number; type?: string; wait: number }> {
  const { hostname, port } = new URL(service.baseUrl)
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const at = { hostname, port, path: '/api/auth/login', method: 'POST', headers, localAddress, agent: false as const }
    const sent = request(at, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => {
        const wait = Number(response.headers['retry-after'] ?? 0)
        resolve({ status: response.statusCode!, type: JSON.parse(text).detail?.[0].type, wait })
      })
    })
    sent.on('error', reject).end(JSON.stringify({ email, password }))
  })
}

// Nearly all of their time is spent on locks that must end, each of another account or address.
const possible = !deployed && process.platform === 'linux'
describe.skipIf(!possible)('an account that is being guessed at from elsewhere', { concurrent: true }, () => {
  /** How long a lock must last before something is asked of it, seconds: longer than a busy machine takes to ask. */
  const LASTING = 16
  const refused = { status: 429, type: 'too_many_attempts' }
  const guess = (address: string, email: string) => logIn(address, email, 'not the right password')
  let addresses = 0
  /** An address that nobody has called from. */
  const elsewhere = () => `127.0.${9 + Math.floor(addresses / 200)}.${1 + (addresses++ % 200)}`

  /** Guesses until whoever guesses next must wait for long: each lock that has ended is followed by one twice as long. */
  async function lock(guessing: () => ReturnType<typeof guess>) {
    for (;;) {
      const { wait } = await guessing()
      if (wait >= LASTING) return
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, 1000 * wait))
    }
  }
  const lockAccount = (email: string) => lock(() => guess(elsewhere(), email))

  test('lets its owner in from where the owner has come before, and nobody else', async () => {
    const { user, password } = await service.person()
    expect((await logIn('127.0.1.1', user.email, password)).status).toBe(200)
    await lockAccount(user.email)
    for (let n = 0; n < 12; n++) {
      expect((await logIn('127.0.1.1', user.email, password)).status).toBe(200)
      await guess(elsewhere(), user.email)
    }
    await lockAccount(user.email)
    expect(await logIn('127.0.1.2', user.email, password)).toMatchObject(refused)
    expect(await guess('127.0.1.1', user.email)).toMatchObject(refused)
  }, 300_000)

  test('is open again when an administrator sets its password', async () => {
    const { user } = await service.person()
    await lockAccount(user.email)
    const password = 'another correct battery'
    expect((await logIn('127.0.2.1', user.email, password)).status).toBe(429)
    await service.admin.client.users.resetPassword({ user_id: user.id, body: { password } })
    expect((await logIn('127.0.2.1', user.email, password)).status).toBe(200)
  }, 300_000)

  test('is not locked by an address that is locked itself', async () => {
    const { user, password } = await service.person()
    let nobody = 0
    await lock(() => guess('127.0.3.1', `nobody-${nobody++}@example.org`))
    const guesses = await Promise.all(Array.from({ length: 30 }, () => guess('127.0.3.1', user.email)))
    for (const answer of guesses) expect(answer).toMatchObject(refused)
    expect((await logIn('127.0.3.2', user.email, password)).status).toBe(200)
  }, 300_000)
})
