import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../shared/api/client.ts'
import { newKey } from '../../shared/auth/account-keys.ts'
import { deployed } from './deployed.ts'
import { type Reply, useOwnService } from './setup.ts'

/** What functions that answer requests ask of DynamoDB while somebody listens. What runs at its times has no part in it. */
let asked: string[] | undefined
const service = await useOwnService({
  faults: (name, action, _, caller) => {
    if (name === 'dynamodb' && caller !== 'local' && !caller.startsWith('pipeline-')) asked?.push(action)
    return undefined
  },
})
const { admin, baseUrl } = service
const { serviceAccounts, roles, users, audit, rules } = admin.client

const typeOf = ({ status, body }: Reply) => [status, (body as { detail: { type: string }[] }).detail[0]!.type]
const unique = (name: string) => `${name}-${randomUUID().slice(0, 8)}`
const rulePattern = { regexRuleConfig: { pattern: '[0-9]+' } }
const rule = { name: 'Numbers', type: 'REGEX' as const, config: rulePattern }

/** A service account with one key. */
async function newAccount(more: object = {}) {
  const body = { name: 'Nightly', role: 'user', permissions: ['rules:read', 'rules:write'], ...more }
  const { id: account_id } = await serviceAccounts.create({ body })
  const { id: keyId, key } = await serviceAccounts.createKey({ account_id })
  return { account_id, keyId, key, client: createClient({ baseUrl, token: key }) }
}

const use = (key: string) => service.send('POST', '/rules/list', { token: key })

describe('a service account', () => {
  test('owns what it makes, and sees nothing of others', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const { id } = await one.client.rules.create({ body: rule })
    expect((await one.client.rules.list()).map(found => found.id)).toEqual([id])
    expect(await other.client.rules.list()).toEqual([])
    expect(typeOf(await service.send('GET', `/rules/${id}`, { token: other.key }))).toEqual([404, 'not_found'])
  })

  test('is named by the audit trail, as is who made its key', async () => {
    const { account_id, client } = await newAccount()
    await client.rules.create({ body: rule })
    expect(await audit.list({ body: { filters: { userId: account_id } } })).toMatchObject([
      { operation: 'POST /rules/', outcome: 'done' },
    ])
    const made = await audit.list({ body: { filters: { recordId: account_id, userId: admin.user.id } } })
    expect(made.map(({ operation }) => operation)).toContain('POST /service-accounts/{account_id}/keys')
  })

  test('has the permissions of its role that it is also given, as both are now', async () => {
    const role = unique('reader')
    const { id: role_id } = await roles.create({ body: { name: role, permissions: ['rules:read'] } })
    const { account_id, key, client } = await newAccount({ role })
    expect((await use(key)).status).toBe(200)
    const write = () => service.send('POST', '/rules/', { token: key, body: rule })
    expect(typeOf(await write())).toEqual([403, 'permission_denied'])
    await roles.update({ role_id, body: { permissions: ['rules:read', 'rules:write', 'lists:read'] } })
    await client.rules.create({ body: rule })
    expect(typeOf(await service.send('POST', '/lists/list', { token: key }))).toEqual([403, 'permission_denied'])
    await serviceAccounts.update({ account_id, body: { permissions: ['rules:read'] } })
    expect(typeOf(await write())).toEqual([403, 'permission_denied'])
  })

  test('keeps its role from being removed until it has another', async () => {
    const name = unique('held')
    const { id: role_id } = await roles.create({ body: { name, permissions: ['rules:read'] } })
    const { account_id } = await newAccount({ role: name })
    await expect(roles.delete({ role_id })).rejects.toThrow('in_use')
    await serviceAccounts.update({ account_id, body: { role: 'user' } })
    await roles.delete({ role_id })
    await expect(serviceAccounts.update({ account_id, body: { role: name } })).rejects.toThrow('role_not_found')
  })

  test('can be purged with what it owns, then or later, and not while it is there', async () => {
    const { account_id, client, key } = await newAccount()
    const { id: rule_id } = await client.rules.create({ body: rule })
    if (!deployed) {
      const body = JSON.stringify({ type: 'PURGE', ownerId: account_id })
      const message = { messageId: randomUUID(), body, attributes: {}, messageAttributes: {} }
      const { payload } = { payload: '', ...(await service.cloud.invoke('pipeline-planner', { Records: [message] })) }
      expect(JSON.parse(payload)).toEqual({ batchItemFailures: [] })
      expect((await rules.get({ rule_id })).id).toBe(rule_id)
    }
    await serviceAccounts.delete({ account_id })
    expect(typeOf(await use(key))).toEqual([401, 'invalid_token'])
    expect((await rules.get({ rule_id })).id).toBe(rule_id)
    await serviceAccounts.delete({ account_id, query: { purge: 'true' } })
    await expect
      .poll(async () => (await service.send('GET', `/rules/${rule_id}`, { token: admin.token })).status, {
        timeout: 50_000,
      })
      .toBe(404)
    await expect(serviceAccounts.delete({ account_id })).rejects.toThrow('not_found')
    await expect(serviceAccounts.delete({ account_id, query: { purge: 'true' } })).rejects.toThrow('not_found')
  })

  test.each([
    [{ permissions: ['rules:read', 'roles:manage'] }, 'permission_for_people', ['body', 'permissions', '1']],
    [{ permissions: ['magic:do'] }, 'permission_unknown', ['body', 'permissions', '0']],
    [{ permissions: [] }, 'too_small', ['body', 'permissions']],
    [{ networks: ['203.0.113.0/33'] }, 'invalid_value', ['body', 'networks', '0']],
    [{ networks: ['everywhere'] }, 'invalid_value', ['body', 'networks', '0']],
    [{ networks: ['fe80::1%eth0'] }, 'invalid_value', ['body', 'networks', '0']],
  ])('with %j is refused', async (more, type, loc) => {
    const body = { name: 'Nightly', role: 'user', permissions: ['rules:read'], ...more }
    const reply = await service.send('POST', '/service-accounts/', { token: admin.token, body })
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ detail: [{ type, loc }] })
  })
})

describe('whoever manages service accounts', () => {
  test('gives and takes nothing that they lack themselves', async () => {
    const name = unique('keeper')
    await roles.create({ body: { name, permissions: ['service-accounts:manage', 'rules:read'] } })
    const keeper = (await service.person(name)).client.serviceAccounts
    const weak = { name: 'Weak', role: 'admin', permissions: ['rules:read'] }
    const strong = { name: 'Strong', role: 'admin', permissions: ['rules:read', 'audit:read'] }
    const { id: account_id } = await keeper.create({ body: weak })
    await keeper.createKey({ account_id })
    await expect(keeper.create({ body: strong })).rejects.toThrow('audit:read')
    await expect(keeper.update({ account_id, body: strong })).rejects.toThrow('audit:read')
    const { account_id: other } = await newAccount(strong)
    for (const attempt of [
      () => keeper.createKey({ account_id: other }),
      () => keeper.revokeKeys({ account_id: other }),
      () => keeper.update({ account_id: other, body: { permissions: ['rules:read'] } }),
      () => keeper.update({ account_id: other, body: { blocked: true } }),
      () => keeper.delete({ account_id: other }),
    ]) {
      await expect(attempt()).rejects.toThrow('permission_denied')
    }
  })

  test('is no ordinary user', async () => {
    const { client } = await service.person()
    await expect(client.serviceAccounts.list()).rejects.toThrow('permission_denied')
  })
})

describe('a key', () => {
  test('is shown once, and only its digest is kept', async () => {
    const { account_id, keyId, key } = await newAccount()
    const shown = await service.send('GET', `/service-accounts/${account_id}`, { token: admin.token })
    expect(shown.body).toMatchObject({ keys: [{ id: keyId, revokedAt: null }] })
    const secret = key.split('_')[2]!
    const listed = await service.send('GET', '/service-accounts/', { token: admin.token })
    for (const { text } of [shown, listed]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('hash')
    }
    const again = await service.send('POST', `/service-accounts/${account_id}/keys`, {
      token: admin.token,
      headers: { 'idempotency-key': unique('once') },
    })
    expect((again.body as { key: string }).key).not.toBe(key)
  })

  test('lives 90 days unless told otherwise', async () => {
    const { account_id } = await newAccount()
    const days = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
      (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000
    const second = await serviceAccounts.createKey({ account_id, body: { expiresInDays: 365 } })
    expect(days(second)).toBe(365)
    expect(days((await serviceAccounts.get({ account_id })).keys[0]!)).toBe(90)
  })

  test('stops on the very next request when it is revoked or its account is blocked', async () => {
    const { account_id, keyId, key } = await newAccount()
    const { key: next } = await serviceAccounts.createKey({ account_id })
    await expect(serviceAccounts.createKey({ account_id })).rejects.toThrow('too_many_keys')
    await serviceAccounts.revokeKeys({ account_id, body: { keyIds: [keyId] } })
    expect(typeOf(await use(key))).toEqual([401, 'token_expired'])
    expect((await use(next)).status).toBe(200)
    await serviceAccounts.update({ account_id, body: { blocked: true } })
    expect(typeOf(await use(next))).toEqual([401, 'token_expired'])
    await serviceAccounts.update({ account_id, body: { blocked: false } })
    expect((await use(next)).status).toBe(200)
    await serviceAccounts.revokeKeys({ account_id })
    expect(typeOf(await use(next))).toEqual([401, 'token_expired'])
  })

  test('of those in use is never forgotten, however many come after it', async () => {
    const { account_id, key } = await newAccount()
    for (let n = 0; n < 12; n++) {
      const { id } = await serviceAccounts.createKey({ account_id })
      await serviceAccounts.revokeKeys({ account_id, body: { keyIds: [id] } })
    }
    expect((await serviceAccounts.get({ account_id })).keys).toHaveLength(10)
    expect((await use(key)).status).toBe(200)
  })

  test('is made twice at most by many at once', async () => {
    const body = { name: 'Nightly', role: 'user', permissions: ['rules:read'] }
    const { id: account_id } = await serviceAccounts.create({ body })
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => serviceAccounts.createKey({ account_id })))
    const keys = made.flatMap(result => (result.status === 'fulfilled' ? [result.value.key] : []))
    expect(keys).toHaveLength(2)
    for (const key of keys) expect((await use(key)).status).toBe(200)
  })

  test('works only from where its account says', async () => {
    const { account_id, key } = await newAccount({ networks: ['192.0.2.0/24'] })
    expect(typeOf(await use(key))).toEqual([403, 'address_not_allowed'])
    await serviceAccounts.update({ account_id, body: { networks: ['192.0.2.0/24', '127.0.0.0/8', '::1'] } })
    // A deployed service sees another address.
    if (!deployed) expect((await use(key)).status).toBe(200)
  })

  test('is refused where it is about a session or for people', async () => {
    const { key } = await newAccount()
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['GET', '/users/'],
      ['GET', '/service-accounts/'],
    ] as const)
      expect(typeOf(await service.send(method, path, { token: key }))).toEqual([403, 'permission_denied'])
    expect((await service.send('POST', '/auth/logout', { token: key })).status).toBe(200)
    expect((await use(key)).status).toBe(200)
  })
})

describe('whoever guesses a key', () => {
  const [window, late] = [900_000, 60_000]

  /** Begins where a window has time enough left for a test. */
  async function inOneWindow() {
    const left = window - (Date.now() % window)
    if (left < late) await new Promise(resolve => setTimeout(resolve, left + 50))
  }

  test('is refused after ten, whatever they send, while dead keys are no guesses', async () => {
    await inOneWindow()
    const { account_id, keyId, key } = await newAccount()
    await serviceAccounts.revokeKeys({ account_id, body: { keyIds: [keyId] } })
    const { key: next } = await serviceAccounts.createKey({ account_id })
    for (let n = 0; n < 12; n++) expect(typeOf(await use(key))).toEqual([401, 'token_expired'])
    for (let n = 0; n < 10; n++) {
      expect(typeOf(await use(newKey(account_id).key))).toEqual([401, 'invalid_token'])
      expect((await use(next)).status).toBe(n < 9 ? 200 : 429)
    }
    for (const sent of [newKey(account_id).key, key, next]) {
      const reply = await use(sent)
      expect(typeOf(reply)).toEqual([429, 'too_many_attempts'])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await use((await newAccount()).key)).status).toBe(200)
  }, 180_000)

  test.skipIf(deployed)(
    'learns nothing from the work that it takes: a typing error none, any other the same',
    async () => {
      const { account_id, key } = await newAccount()
      const work = async (token: string, call = use) => {
        asked = []
        await call(token)
        const done = asked.sort()
        asked = undefined
        return done
      }
      const unknown = await work(newKey(randomUUID()).key)
      expect(unknown.length).toBeGreaterThan(2)
      expect(await work(newKey(account_id).key)).toEqual(unknown)
      const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
      // What is left is the count of requests of an address.
      expect(await work(mistyped)).toEqual(['UpdateItem'])
      const presets = (token: string) => service.send('GET', '/presets', { token })
      expect(await work(key, presets)).toEqual(['BatchGetItem', 'UpdateItem'])
      expect(await work(admin.token, presets)).toEqual(['BatchGetItem', 'UpdateItem'])
    },
  )
})

test('a user’s id is no account, nor an account’s a user', async () => {
  const { account_id } = await newAccount()
  await expect(users.get({ user_id: account_id })).rejects.toThrow('not_found')
  await expect(serviceAccounts.get({ account_id: admin.user.id })).rejects.toThrow('not_found')
})
