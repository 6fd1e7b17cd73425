import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, createClient, logIn } from '../../shared/api/client.ts'
import { putFile } from './deployed.ts'
import { form, makeRule } from './requests.ts'
import { type Person, type Reply, type Service, startService } from './setup.ts'

const typeOf = ({ body }: Reply) => (body as { detail: { type: string }[] }).detail[0]!.type
const rule = { name: 'Numbers', type: 'REGEX', config: { regexRuleConfig: { pattern: '[0-9]+' } } }

describe('with room to call', () => {
  let service: Service
  let ada: Person
  beforeAll(async () => {
    service = await startService()
    ada = await service.person()
  })
  afterAll(async () => {
    await service.stop()
    expect(service.troubles).toEqual([])
  })

  describe('an Idempotency-Key', () => {
    const send = (key: string, body: unknown = rule, token = ada.token) =>
      service.send('POST', '/rules/', { token, body, headers: { 'Idempotency-Key': key } })

    test('gives the first answer again, whatever happened since', async () => {
      const key = randomUUID()
      const first = await send(key)
      const { id } = first.body as { id: string }
      await ada.client.rules.update({ rule_id: id, body: { name: 'Renamed' } })
      const again = await send(key)
      expect(again.text).toBe(first.text)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(first.headers.get('idempotency-replayed')).toBeNull()
    })

    test('keeps no rows of a source', async () => {
      const { id } = await ada.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
      const { token } = ada
      const headers = { 'Idempotency-Key': randomUUID() }
      const preview = () => service.send('POST', `/sources/${id}/preview`, { token, body: {}, headers })
      expect((await preview()).body).toEqual({ entries: [] })
      await putFile(ada.user.id, service.files, 'a.txt', 'Call 112')
      const again = await preview()
      expect(again.body).toMatchObject({ entries: [{ name: 'a.txt' }] })
      expect(again.headers.get('idempotency-replayed')).toBeNull()
    })

    test('with another query is refused', async () => {
      const headers = { 'Idempotency-Key': randomUUID() }
      const list = (limit: number) =>
        service.send('POST', `/rules/list?limit=${limit}`, { token: ada.token, body: {}, headers })
      expect((await list(1)).status).toBe(200)
      const other = await list(2)
      expect([other.status, typeOf(other)]).toEqual([400, 'idempotency_mismatch'])
      expect((await list(1)).headers.get('idempotency-replayed')).toBe('true')
    })

    test('with another body or path is refused', async () => {
      const key = randomUUID()
      await send(key)
      const other = await send(key, { ...rule, name: 'Other' })
      expect([other.status, typeOf(other)]).toEqual([400, 'idempotency_mismatch'])
      const path = await service.send('POST', '/sources/test', {
        token: ada.token,
        body: { kind: 'LOCAL_ASSET', config: {} },
        headers: { 'Idempotency-Key': key },
      })
      expect(typeOf(path)).toBe('idempotency_mismatch')
    })

    test('is each user’s own', async () => {
      const key = randomUUID()
      const grace = await service.person()
      const [mine, theirs] = [await send(key), await send(key, rule, grace.token)]
      expect((mine.body as { id: string }).id).not.toBe((theirs.body as { id: string }).id)
    })

    test('carries duplicates that come at the same moment out once', async () => {
      const grace = await service.person()
      const key = randomUUID()
      const replies = await Promise.all(Array.from({ length: 20 }, () => send(key, rule, grace.token)))
      expect(await grace.client.rules.list()).toHaveLength(1)
      const good = replies.filter(({ status }) => status === 200)
      expect(new Set(good.map(({ text }) => text)).size).toBe(1)
      const others = replies.filter(({ status }) => status !== 200)
      expect(new Set(others.map(typeOf)).isSubsetOf(new Set(['idempotency_in_progress']))).toBe(true)
    })

    test('knows a form again whatever its boundary, and tells another file from it', async () => {
      const key = randomUUID()
      const upload = (content: string) => {
        const body = form({ name: 'Letters' }, { 'a.txt': content })
        return service.send('POST', '/jobs/upload', { token: ada.token, body, headers: { 'Idempotency-Key': key } })
      }
      const [first, again, other] = [await upload('Call 112'), await upload('Call 112'), await upload('Call 113')]
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect([other.status, typeOf(other)]).toEqual([400, 'idempotency_mismatch'])
    })

    test('does not remember failures, and is refused when it is too long', async () => {
      const key = randomUUID()
      expect((await send(key, { ...rule, config: { regexRuleConfig: { pattern: '(' } } })).status).toBe(422)
      expect((await send(key)).status).toBe(200)
      expect((await send('k'.repeat(256))).status).toBe(422)
    })

    test('never brings a secret back', async () => {
      const { user } = await service.person()
      const headers = { 'Idempotency-Key': randomUUID() }
      const path = `/users/${user.id}/password/reset`
      const [first, second] = [
        await service.send('PUT', path, { token: service.admin.token, headers }),
        await service.send('PUT', path, { token: service.admin.token, headers }),
      ]
      const password = (reply: Reply) => (reply.body as { temporaryPassword: string }).temporaryPassword
      expect(password(first)).not.toBe(password(second))
    })
  })

  describe('refresh tokens', () => {
    const refresh = (refresh_token: string) => service.send('POST', '/auth/refresh', { body: { refresh_token } })

    test('rotate; using an old one again ends the session and all its tokens', async () => {
      const person = await service.person()
      const first = (await refresh(person.refreshToken)).body as { access_token: string; refresh_token: string }
      expect((await service.send('GET', '/auth/me', { token: first.access_token })).status).toBe(200)
      const stolen = await refresh(person.refreshToken)
      expect([stolen.status, typeOf(stolen)]).toEqual([401, 'invalid_refresh_token'])
      expect((await service.send('GET', '/auth/me', { token: first.access_token })).status).toBe(401)
      expect((await refresh(first.refresh_token)).status).toBe(401)
    })

    test('used twice at the same moment work once at most', async () => {
      const person = await service.person()
      const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(person.refreshToken)))
      expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    })

    test.each(['', 'a.b.c', '..', 'x'.repeat(512)])('that are none answer 401: %j', async token => {
      expect((await refresh(token)).status).toBe(401)
    })

    test('renew the client’s session by themselves, once for calls at the same moment', async () => {
      const { user, password } = await service.person()
      let renewals = 0
      const counting: typeof fetch = async (url, init) => {
        if (String(url).endsWith('/auth/refresh')) renewals++
        const headers = new Headers(init?.headers)
        if (renewals === 0 && headers.has('authorization')) headers.set('authorization', 'Bearer a.b.c')
        return fetch(url, { ...init, headers })
      }
      const client = await logIn({ baseUrl: service.baseUrl, email: user.email, password, fetch: counting })
      const me = await Promise.all([client.auth.me(), client.auth.me(), client.auth.me()])
      expect(me.map(({ id }) => id)).toEqual([user.id, user.id, user.id])
      expect(renewals).toBe(1)
    })
  })

  describe('log-in', () => {
    const attempt = (email: string, password: string) =>
      service.send('POST', '/auth/login', { body: { email, password } })

    test('answers wrong password, unknown address and blocked user alike', async () => {
      const { user, password } = await service.person()
      const gone = await service.person()
      await service.admin.client.users.block({ user_id: gone.user.id })
      const answers = [
        await attempt(user.email, 'wrong password'),
        await attempt(`${randomUUID()}@example.org`, 'wrong password'),
        await attempt(gone.user.email, password),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    })

    test('in any case of the address', async () => {
      const { user, password } = await service.person()
      expect((await attempt(user.email.toUpperCase(), password)).status).toBe(200)
    })
  })

  describe('sessions', () => {
    test('end at once on log-out; log-out of none, or of a dead one, is fine', async () => {
      const person = await service.person()
      const second = await service.logIn(person.user.email, person.password)
      await person.client.auth.logout()
      expect((await service.send('GET', '/auth/me', { token: person.token })).status).toBe(401)
      expect((await service.send('GET', '/auth/me', { token: second.token })).status).toBe(200)
      expect((await service.send('POST', '/auth/logout', { token: person.token })).status).toBe(200)
      expect((await service.send('POST', '/auth/logout')).status).toBe(200)
      expect((await service.send('POST', '/auth/logout', { token: 'rubbish' })).status).toBe(200)
    })

    test('end at once when the user is blocked, gets a new password or is deleted', async () => {
      const { client } = service.admin
      const people = await Promise.all([service.person(), service.person(), service.person()])
      await client.users.block({ user_id: people[0]!.user.id })
      const { temporaryPassword } = await client.users.resetPassword({ user_id: people[1]!.user.id })
      await client.users.delete({ user_id: people[2]!.user.id })
      for (const { token, refreshToken } of people) {
        expect((await service.send('GET', '/auth/me', { token })).status).toBe(401)
        const renewed = await service.send('POST', '/auth/refresh', { body: { refresh_token: refreshToken } })
        expect(renewed.status).toBe(401)
      }
      const { email } = people[1]!.user
      expect((await attemptLogin(email, people[1]!.password)).status).toBe(401)
      expect((await attemptLogin(email, temporaryPassword!)).status).toBe(200)
    })
    const attemptLogin = (email: string, password: string) =>
      service.send('POST', '/auth/login', { body: { email, password } })
  })

  test('the client says what went wrong', async () => {
    const id = await makeRule(ada.client)
    await ada.client.rules.delete({ rule_id: id })
    const error = await ada.client.rules.delete({ rule_id: id }).catch(error => error)
    expect(error).toBeInstanceOf(ApiError)
    expect([error.status, error.has('not_found'), error.has('in_use')]).toEqual([404, true, false])
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    const away = createClient({ baseUrl: 'http://127.0.0.1:1' })
    await expect(away.service.root()).rejects.toThrow(TypeError)
  })
})
