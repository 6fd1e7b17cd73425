import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { deployed } from './deployed.ts'
import { useService } from './setup.ts'

const service = await useService()

/** Logs in from one of the machine's own addresses, all of which Linux has below 127.0.0.0/8. */
function logIn(localAddress: string, email: string, password: string): Promise<{ status: number; type?: string }> {
  const { hostname, port } = new URL(service.baseUrl)
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const at = { hostname, port, path: '/api/auth/login', method: 'POST', headers, localAddress, agent: false as const }
    const sent = request(at, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, type: JSON.parse(text).detail?.[0].type }))
    })
    sent.on('error', reject).end(JSON.stringify({ email, password }))
  })
}

describe.skipIf(deployed || process.platform !== 'linux')('an account that is being guessed at from elsewhere', () => {
  const guess = (address: string, email: string) => logIn(address, email, 'not the right password')
  const lock = async (email: string) => {
    for (let n = 0; n < 40; n++) await guess(`127.0.9.${1 + (n % 20)}`, email)
  }

  test('lets its owner in from where the owner has come before, and nobody else', async () => {
    const { user, password } = await service.person()
    expect((await logIn('127.0.1.1', user.email, password)).status).toBe(200)
    await lock(user.email)
    for (let n = 0; n < 36; n++) {
      expect((await logIn('127.0.1.1', user.email, password)).status).toBe(200)
      await guess(`127.0.9.${1 + (n % 20)}`, user.email)
    }
    expect(await logIn('127.0.1.2', user.email, password)).toEqual({ status: 429, type: 'too_many_attempts' })
    expect(await guess('127.0.1.1', user.email)).toEqual({ status: 429, type: 'too_many_attempts' })
  }, 60_000)

  test('is open again when an administrator sets its password', async () => {
    const { user } = await service.person()
    await lock(user.email)
    const password = 'another correct battery'
    expect((await logIn('127.0.2.1', user.email, password)).status).toBe(429)
    await service.admin.client.users.resetPassword({ user_id: user.id, body: { password } })
    expect((await logIn('127.0.2.1', user.email, password)).status).toBe(200)
  }, 60_000)

  test('is not locked by an address that is locked itself', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => guess('127.0.3.1', `nobody-${n}@example.org`)))
    const { user, password } = await service.person()
    for (let n = 0; n < 30; n++) expect((await guess('127.0.3.1', user.email)).status).toBe(429)
    expect((await logIn('127.0.3.2', user.email, password)).status).toBe(200)
  }, 60_000)
})
