import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useService } from './setup.ts'
import { id, problemsOf, stamps } from './talk.ts'

const service = await useService()
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
    expect((await service.send('GET', '/auth/me', { token: tokens.access_token })).body).toEqual(user)
    const ended = await service.send('POST', '/auth/logout', { token: tokens.access_token })
    expect(ended.body).toEqual({ ok: true })
  })

  test.each([
    ['short', 'too_small'],
    ['a'.repeat(257), 'too_big'],
    ['aaaaaaaaaaaaaa', 'password_too_common'],
    ['123412341234', 'password_too_common'],
    ['ada lovelace the first', undefined],
  ])('the password %j', async (password, type) => {
    const body = { name: 'Ada Lovelace', email: `${randomUUID()}@example.org`, password }
    const reply = await service.send('POST', '/auth/register', { body })
    if (!type) expect(reply.status).toBe(200)
    else expect(problemsOf(reply)).toEqual([expect.objectContaining({ type, loc: ['body', 'password'] })])
  })

  test('an address that is taken, in another case', async () => {
    const body = { name: 'Ada', email: ada.user.email.toUpperCase(), password: 'correct horse battery' }
    const reply = await service.send('POST', '/auth/register', { body })
    expect([reply.status, problemsOf(reply)[0]]).toEqual([400, expect.objectContaining({ type: 'email_taken' })])
  })
})
