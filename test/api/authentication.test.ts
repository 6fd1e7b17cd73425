import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../shared/api/index.ts'
import { id, problemsOf, stamps } from './http.ts'
import { useOwnService } from './setup.ts'

const service = await useOwnService()
const ada = await service.person()
describe('authentication', () => {
  test('POST /auth/register, POST /auth/login, GET /auth/me, POST /auth/logout', async () => {
    const credentials = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' }
    const user = (await service.send('POST', '/auth/register', { body: { name: ' Grace ', ...credentials } })).body
    const { email } = credentials
    expect(user).toEqual({ id, name: 'Grace', email, role: 'user', blocked: false, ...stamps })
    const tokens = (await service.send('POST', '/auth/login', { body: credentials })).body as { access_token: string }
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
    })
    expect((await service.send('GET', '/auth/me', { token: tokens.access_token })).body).toEqual({
      ...(user as object),
      permissions: expect.arrayContaining(['jobs:read', 'jobs:write']),
    })
    expect((await service.admin.client.auth.me()).permissions).toContain('jobs:review')
    expect((await ada.client.auth.me()).permissions).not.toContain('jobs:review')
    const ended = await service.send('POST', '/auth/logout', { token: tokens.access_token })
    expect(ended.body).toEqual({ ok: true })
  })

  test.each([
    ['short', 'too_small'],
    ['a'.repeat(257), 'too_big'],
    ['aaaaaaaaaaaaaa', 'password_too_common'],
    ['123412341234', 'password_too_common'],
    ['Password123!', 'password_too_common'],
    ['changeme1234', 'password_too_common'],
    ['P@ssw0rd1234', 'password_too_common'],
    ['qwertyuiop12', 'password_too_common'],
    ['Lovelace1815', 'password_too_common'],
    ['password'.repeat(32), 'password_too_common'],
    ['my dog eats grass', undefined],
    ['ada lovelace the first', undefined],
  ])('the password %j', async (password, type) => {
    const body = { name: 'Ada Lovelace', email: `${randomUUID()}@example.org`, password }
    const reply = await service.send('POST', '/auth/register', { body })
    if (!type) expect(reply.status).toBe(200)
    else expect(problemsOf(reply)).toEqual([expect.objectContaining({ type, loc: ['body', 'password'] })])
  })

  describe('a temporary password', () => {
    const change = (token: string, currentPassword: string, newPassword: string) =>
      service.send('PUT', '/auth/password', { token, body: { currentPassword, newPassword } })

    // It starts nearly every function that there is.
    test('is good for setting another, and nothing else', { timeout: 300_000 }, async () => {
      const { user } = await service.person()
      const { temporaryPassword = '' } = await service.admin.client.users.resetPassword({ user_id: user.id })
      const body = { email: user.email, password: temporaryPassword }
      const tokens = (await service.send('POST', '/auth/login', { body })).body as Record<string, string>
      expect(tokens).toMatchObject({ password_change_required: true })
      const token = tokens.access_token!
      for (const declared of endpoints.filter(({ endpoint }) => endpoint.access !== 'public')) {
        if (declared.operation === 'changePassword') continue
        const reply = await service.send(declared.method, declared.path.replace(/\{\w+\}/g, randomUUID()), { token })
        expect([declared.path, reply.status, problemsOf(reply)[0]!.type]).toEqual([
          declared.path,
          403,
          'password_change_required',
        ])
      }
      const renewed = await service.send('POST', '/auth/refresh', { body: { refresh_token: tokens.refresh_token } })
      expect(renewed.body).toMatchObject({ password_change_required: true })
      expect((await change(token, temporaryPassword, temporaryPassword)).status).toBe(422)
      expect((await change(token, temporaryPassword, 'Password123!')).status).toBe(422)
      expect((await change(token, temporaryPassword, 'quite another battery')).body).toEqual({ ok: true })
      expect((await service.send('GET', '/auth/me', { token })).status).toBe(200)
      expect((await service.send('POST', '/auth/login', { body })).status).toBe(401)
      const own = await service.send('POST', '/auth/login', { body: { ...body, password: 'quite another battery' } })
      expect(own.body).not.toHaveProperty('password_change_required')
    })

    test('is guessed at no faster in a session than anywhere', async () => {
      const person = await service.person()
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => change(person.token, 'wrong password', 'quite another battery')),
      )
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400, 429]))
      expect(replies.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(11)
    })
  })

  test('a password that is changed ends the other sessions, and says so', async () => {
    const person = await service.person()
    const second = await service.logIn(person.user.email, person.password)
    const body = { currentPassword: person.password, newPassword: 'quite another battery' }
    expect((await service.send('PUT', '/auth/password', { token: person.token, body })).status).toBe(200)
    expect((await service.send('GET', '/auth/me', { token: second.token })).status).toBe(401)
    const [notice] = await person.client.notifications.list()
    expect(notice).toMatchObject({ kind: 'user.password_changed', resource: { type: 'user', id: person.user.id } })
  })

  test('an address that is taken, in another case', async () => {
    const body = { name: 'Ada', email: ada.user.email.toUpperCase(), password: 'correct horse battery' }
    const reply = await service.send('POST', '/auth/register', { body })
    expect([reply.status, problemsOf(reply)[0]]).toEqual([400, expect.objectContaining({ type: 'email_taken' })])
  })
})
