import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { describe, expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { useOwnService } from './setup.ts'

const service = await useOwnService()
const ada = await service.person()
const eve = await service.person()

const typeOf = (reply: Parameters<typeof problemsOf>[0]) => problemsOf(reply)[0]!.type
const me = (token: string) => service.send('GET', '/auth/me', { token })

describe('forged tokens', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  const split = (token: string) => {
    const [header, claims] = token.split('.') as [string, string]
    return { header: read(header), claims: read(claims) }
  }

  async function publicKey(kid: string): Promise<Buffer> {
    const kms = new KMSClient({ endpoint: service.cloud.endpoints.kms, region: 'eu-central-1', credentials: operator })
    const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: 'alias/KeyTokens' }))
    expect(kid).toBeTruthy()
    return Buffer.from(PublicKey!)
  }

  test.each(['none', 'None', 'NONE', ''])('alg %j, without a signature', async alg => {
    const { header, claims } = split(ada.token)
    const token = `${part({ ...header, alg })}.${part(claims)}`
    for (const forged of [`${token}.`, `${token}.AA`]) expect((await me(forged)).status).toBe(401)
  })

  test.skipIf(deployed)('HS256 with the public key as the secret', async () => {
    const { header, claims } = split(ada.token)
    const key = await publicKey(header.kid)
    const pem = `-----BEGIN PUBLIC KEY-----\n${key.toString('base64')}\n-----END PUBLIC KEY-----`
    const signed = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`
    for (const secret of [key, pem]) {
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
      expect(typeOf(await me(token))).toBe('invalid_token')
    }
  })

  test('a key of one’s own, with the right kid, with a kid of one’s own, and with the key in the header', async () => {
    const { header, claims } = split(ada.token)
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = own.publicKey.export({ format: 'jwk' })
    const headers = [header, { ...header, kid: 'mine' }, { ...header, jwk }, { ...header, kid: '../../dev/null', jwk }]
    for (const forged of headers) {
      const signed = `${part(forged)}.${part(claims)}`
      const signature = sign('sha256', Buffer.from(signed), { key: own.privateKey, dsaEncoding: 'ieee-p1363' })
      expect(typeOf(await me(`${signed}.${signature.toString('base64url')}`))).toBe('invalid_token')
    }
  })

  test('somebody else’s claims under one’s own signature', async () => {
    const [header, , signature] = eve.token.split('.')
    const { claims } = split(eve.token)
    for (const change of [
      { sub: ada.user.id },
      { exp: claims.exp + 86_400 },
      { sid: randomUUID() },
      { role: 'admin' },
    ]) {
      expect(typeOf(await me(`${header}.${part({ ...claims, ...change })}.${signature}`))).toBe('invalid_token')
    }
  })

  test.each(['', 'Bearer', 'Bearer ', 'Bearer a', 'Bearer a.b.c', 'Basic YTpi', 'Bearer a.b.c d', 'bearer\ta.b.c'])(
    'Authorization: %j',
    async authorization => {
      const reply = await service.send('GET', '/auth/me', { headers: authorization ? { authorization } : {} })
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    },
  )
})

describe('log-in', () => {
  const attempt = (email: string) =>
    service.send('POST', '/auth/login', { body: { email, password: 'not the right password' } })

  test('hashes a password for an unknown address too', async () => {
    const known = await Promise.all(Array.from({ length: 4 }, () => service.person()))
    const timed = async (email: string) => {
      const from = performance.now()
      expect((await attempt(email)).status).toBe(401)
      return performance.now() - from
    }
    await timed(`${randomUUID()}@example.org`)
    const [there, away] = [[] as number[], [] as number[]]
    for (const { user } of known) {
      there.push(await timed(user.email))
      away.push(await timed(`${randomUUID()}@example.org`))
    }
    // Without a hash the answer would come many times sooner; the machine may be busy, so no more than that is asked.
    expect(Math.max(...away)).toBeGreaterThan(Math.min(...there) / 3)
  })
})

test('no role can raise itself by way of others', async () => {
  const { client } = service.admin
  const name = `clerk-${randomUUID().slice(0, 8)}`
  await client.roles.create({ body: { name, permissions: ['users:manage', 'roles:manage'] } })
  const clerk = await service.person(name)
  const as = (method: string, path: string, body?: unknown) => service.send(method, path, { token: clerk.token, body })
  const { id } = service.admin.user
  const admin = (await client.roles.list()).find(({ name }) => name === 'admin')!
  const attempts = [
    await as('PUT', `/users/${eve.user.id}`, { role: 'admin' }),
    await as('PUT', `/users/${id}/password/reset`, { password: 'correct horse battery' }),
    await as('PUT', `/users/${id}`, { email: 'taken-over@example.org' }),
    await as('PUT', `/users/${id}/block`, {}),
    await as('DELETE', `/users/${id}`),
    await as('POST', '/roles/', { name: 'wide', permissions: ['audit:read'] }),
    await as('PUT', `/roles/${admin.id}`, { permissions: [] }),
  ]
  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403))
})
