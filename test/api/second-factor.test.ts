import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { addressOf, codeOf, inBase32, stepAt, stepOf } from '../../shared/auth/totp.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { addSecondFactor, codeFor, fromBase32 } from './second-factor.ts'
import { type Person, useOwnService } from './setup.ts'

const service = await useOwnService({
  environment: { SECOND_FACTOR_ROLES: 'guarded, auditor', SECOND_FACTOR_FRESH_SECONDS: '10' },
})
const { admin } = service

const logIn = ({ user, password }: Person, code?: string) =>
  service.send('POST', '/auth/login', { body: { email: user.email, password, ...(code !== undefined && { code }) } })
const asked = async (reply: ReturnType<typeof logIn>) => {
  const { status, body } = await reply
  return [status, (body as { detail?: { type: string }[] }).detail?.[0]?.type]
}

describe('codes', () => {
  const secret = Buffer.from('12345678901234567890')

  // RFC 6238, appendix B.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('of the RFC at %d seconds', (seconds, code) => {
    expect(codeOf(secret, stepAt(seconds * 1000), 8)).toBe(code)
    expect(codeOf(secret, stepAt(seconds * 1000))).toBe(code.slice(2))
  })

  // RFC 4648, section 10.
  test.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('have secrets in base 32: %s', (text, expected) => {
    expect(inBase32(Buffer.from(text))).toBe(expected)
    expect(fromBase32(expected).toString()).toBe(text)
  })

  test('are good one step before and after theirs, and no longer', () => {
    const now = 1_111_111_109_000
    const offsets = [-2, -1, 0, 1, 2].map(by => stepOf(secret, codeOf(secret, stepAt(now) + by), now))
    expect(offsets).toEqual([undefined, ...[-1, 0, 1].map(by => stepAt(now) + by), undefined])
    for (const wrong of ['', '1', '07081804', 'abcdef', '0081 804']) expect(stepOf(secret, wrong, now)).toBe(undefined)
  })

  test('have an address for apps', () => {
    expect(addressOf(secret, 'ada+x@example.org')).toBe(
      `otpauth://totp/Anonymisation%20service:ada%2Bx%40example.org?secret=${inBase32(secret)}&issuer=Anonymisation%20service`,
    )
  })

  const oathtool = '/usr/bin/oathtool'
  test.skipIf(!existsSync(oathtool))('are those of oathtool', () => {
    for (let n = 0; n < 20; n++) {
      const seconds = n * 123_456_789
      const options = ['--totp', '--base32', `--now=@${seconds}`, inBase32(secret)]
      expect(codeOf(secret, stepAt(seconds * 1000))).toBe(execFileSync(oathtool, options, { encoding: 'utf8' }).trim())
    }
  })
})

// Wrong codes count against the network, which all files of tests share where the service is deployed.
describe.skipIf(deployed)('a second factor', () => {
  test('is asked for from its first code on, and each code works once', async () => {
    const person = await service.person()
    const other = await service.logIn(person.user.email, person.password)
    const { secret } = await person.client.auth.setUpSecondFactor({ body: { currentPassword: person.password } })
    expect((await logIn(person)).status).toBe(200)
    const first = codeFor(secret)
    const { recoveryCodes } = await person.client.auth.enableSecondFactor({ body: { code: first } })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await asked(logIn(person))).toEqual([401, 'second_factor_required'])
    expect(await asked(logIn(person, first))).toEqual([401, 'invalid_code'])
    expect(await asked(logIn({ ...person, password: 'wrong password' }))).toEqual([401, 'invalid_credentials'])
    expect((await person.client.auth.me()).secondFactor).toBe(true)
    await expect(other.client.auth.me()).rejects.toThrow('token_expired')
    const replies = await Promise.all([1, 2, 3].map(() => asked(logIn(person, codeFor(secret, 1)))))
    expect(replies.map(([status]) => status).sort()).toEqual([200, 401, 401])
    // A code from before the one that was used last.
    expect(await asked(logIn(person, codeFor(secret)))).toEqual([401, 'invalid_code'])
    expect(await person.client.notifications.list()).toMatchObject([{ kind: 'user.second_factor_changed' }])
  })

  test('has recovery codes, each for once, in whatever case and with or without hyphens', async () => {
    const person = await service.person()
    const { recoveryCodes } = await addSecondFactor(person)
    const [one = '', two = ''] = recoveryCodes
    expect((await logIn(person, one)).status).toBe(200)
    expect(await asked(logIn(person, one))).toEqual([401, 'invalid_code'])
    expect((await logIn(person, two.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const stranger = await service.person()
    const others = await addSecondFactor(stranger)
    expect(await asked(logIn(person, others.recoveryCodes[0]))).toEqual([401, 'invalid_code'])
  })

  test('is begun with the password only, and not turned on by anything but its own code', async () => {
    const person = await service.person()
    const begin = (currentPassword: string) =>
      service.send('POST', '/auth/second-factor', { token: person.token, body: { currentPassword } })
    const turnOn = (code: string) => service.send('PUT', '/auth/second-factor', { token: person.token, body: { code } })
    expect(problemsOf(await turnOn('123456'))[0]).toMatchObject({ type: 'wrong_code', loc: ['body', 'code'] })
    expect(problemsOf(await begin('wrong password'))[0]!.type).toBe('wrong_password')
    const replaced = ((await begin(person.password)).body as { secret: string }).secret
    const { secret } = (await begin(person.password)).body as { secret: string }
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(secret).not.toBe(replaced)
    for (const wrong of [codeFor(replaced), codeFor(secret, 5), 'not a code'])
      expect(problemsOf(await turnOn(wrong))[0]!.type).toBe('wrong_code')
    expect((await turnOn(codeFor(secret))).status).toBe(200)
    expect(problemsOf(await begin(person.password))[0]!.type).toBe('second_factor_on')
  })

  test('is turned off by a code, or by an administrator, which ends the sessions', async () => {
    const person = await service.person()
    const { recoveryCodes } = await addSecondFactor(person)
    const off = (code: string) => service.send('DELETE', '/auth/second-factor', { token: person.token, body: { code } })
    expect(problemsOf(await off('123456'))[0]!.type).toBe('wrong_code')
    expect((await off(recoveryCodes[0]!)).body).toEqual({ ok: true })
    expect(await person.client.auth.me()).not.toHaveProperty('secondFactor')
    expect((await logIn(person)).status).toBe(200)
    await addSecondFactor(person)
    const user = await admin.client.users.resetSecondFactor({ user_id: person.user.id })
    expect(user).toMatchObject({ id: person.user.id, email: person.user.email })
    await expect(person.client.auth.me()).rejects.toThrow('token_expired')
    expect((await logIn(person)).status).toBe(200)
  })

  test('leaves tries for whoever only forgets the code', async () => {
    const person = await service.person()
    const { recoveryCodes } = await addSecondFactor(person)
    for (let n = 0; n < 15; n++) expect(await asked(logIn(person))).toEqual([401, 'second_factor_required'])
    expect((await logIn(person, recoveryCodes[0])).status).toBe(200)
  })
})

describe.skipIf(deployed)('a role that needs a second factor', () => {
  test('lets nobody do anything else until there is one', async () => {
    await admin.client.roles.create({ body: { name: 'auditor', permissions: ['rules:read', 'notifications:read'] } })
    const person = await service.person('auditor')
    const reply = await logIn(person)
    expect(reply.body).toMatchObject({ second_factor_setup_required: true })
    const { refresh_token } = reply.body as { refresh_token: string }
    const renewed = await service.send('POST', '/auth/refresh', { body: { refresh_token } })
    expect(renewed.body).toMatchObject({ second_factor_setup_required: true })
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['POST', '/rules/list'],
      ['POST', '/notifications/list'],
    ] as const) {
      const { status, ...refused } = await service.send(method, path, { token: person.token })
      expect([status, problemsOf({ status, ...refused })[0]!.type]).toEqual([403, 'second_factor_setup_required'])
    }
    const { recoveryCodes } = await addSecondFactor(person)
    expect(await person.client.rules.list()).toEqual([])
    const again = await logIn(person, recoveryCodes[0])
    expect(again.body).not.toHaveProperty('second_factor_setup_required')
    await admin.client.users.resetSecondFactor({ user_id: person.user.id })
    expect((await logIn(person)).body).toMatchObject({ second_factor_setup_required: true })
  })
})

describe.skipIf(deployed)('what needs a recent log-in', () => {
  test('is refused to a session from before, but not to one without a second factor, until the next log-in', async () => {
    const plain = await service.person('admin')
    const holder = await service.person('admin')
    const { user } = await service.person()
    const { recoveryCodes } = await addSecondFactor(holder)
    const account = { name: 'Nightly', role: 'user', permissions: ['rules:read'] }
    const rename = (token: string) =>
      service.send('PUT', `/users/${user.id}`, { token, body: { name: 'Grace Hopper' } })
    await expect.poll(async () => (await rename(holder.token)).status, { timeout: 40_000 }).toBe(403)
    expect(problemsOf(await rename(holder.token))[0]!.type).toBe('fresh_login_required')
    expect((await rename(plain.token)).status).toBe(200)
    // Keys and trusted workloads outlast the session.
    const { id } = await plain.client.serviceAccounts.create({ body: account })
    for (const [method, path, body] of [
      ['POST', '/service-accounts/', account],
      ['PUT', `/service-accounts/${id}`, { role: 'admin' }],
      ['POST', `/service-accounts/${id}/keys`, {}],
      // What cannot be undone, and who is let in.
      ['DELETE', `/service-accounts/${id}?purge=true`, undefined],
      ['DELETE', `/users/${user.id}?purge=true`, undefined],
      ['PUT', `/users/${user.id}/block`, {}],
      ['POST', `/token-keys/${randomUUID()}/destroy`, {}],
    ] as const)
      expect(problemsOf(await service.send(method, path, { token: holder.token, body }))[0]?.type).toBe(
        'fresh_login_required',
      )
    expect((await service.send('GET', '/users/', { token: holder.token })).status).toBe(200)
    const body = { email: holder.user.email, password: holder.password, code: recoveryCodes[0] }
    const { access_token } = await service.admin.client.auth.login({ body })
    expect((await rename(access_token)).status).toBe(200)
  })
})

// The last, since it locks the network that all of them log in from.
test.skipIf(deployed)('a code is guessed at no faster than a password', async () => {
  const person = await service.person()
  await addSecondFactor(person)
  const replies = await Promise.all(Array.from({ length: 20 }, () => asked(logIn(person, '12345'))))
  expect(new Set(replies.map(([, type]) => type))).toEqual(new Set(['invalid_code', 'too_many_attempts']))
  expect(replies.filter(([status]) => status === 401).length).toBeLessThanOrEqual(11)
})
