import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createClient } from '../../shared/api/client.ts'
import type { ScheduleRun } from '../../shared/api/schedules.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { type Reply, useOwnService } from './setup.ts'
import { type Begun, browserOf } from './sign-on.ts'
import { json, makeKeys, startProviders, type Tenant } from './test-provider.ts'

const { tenants, stop } = await startProviders([
  'acme',
  'other',
  'staff',
  'mapped',
  'guarded',
  'secret',
  'liar',
  'turning',
  'strict',
])
afterAll(stop)
const { acme, other, staff, mapped, guarded, secret, liar, turning, strict } = tenants
other.metadata.authorization_response_iss_parameter_supported = true
liar.metadata.issuer = acme.issuer

const configured = (name: keyof typeof tenants, more: object = {}) => ({
  ...{ name, title: name, issuer: tenants[name].issuer, clientId: 'service' },
  ...{ domains: [`${name}.example`], provision: 'create', ...more },
})
const service = await useOwnService({
  environment: {
    SECOND_FACTOR_ROLES: 'auditor,keeper',
    SECOND_FACTOR_FRESH_SECONDS: '120',
    IDENTITY_PROVIDERS: JSON.stringify([
      configured('acme'),
      configured('other'),
      configured('staff', { provision: 'existing' }),
      configured('mapped', {
        roles: ['admin', 'user', 'ghost'].map(role => ({ group: `${role}s`, role })),
      }),
      configured('guarded', { role: 'auditor', multiFactor: ['gold'] }),
      configured('strict', { role: 'keeper' }),
      configured('secret'),
      configured('liar'),
      configured('turning'),
      { ...configured('acme'), name: 'gone', issuer: 'http://127.0.0.1:9' },
      { ...configured('acme'), name: 'inner', issuer: 'https://169.254.169.254' },
    ]),
  },
})
const { begin, comeBack, signOn, tokenOf } = browserOf(service)

const answerOf = (reply: Reply) => [reply.status, reply.status === 302 ? '' : problemsOf(reply)[0]!.type]
const refused = [401, 'sign_on_refused']
const expired = [400, 'sign_on_expired']
const notAllowed = [403, 'sign_on_not_allowed']
const unavailable = [503, 'provider_unavailable']

let people = 0
/** Claims of somebody who has never logged in before. */
const somebody = (domain = 'acme.example') => {
  const name = `person-${++people}`
  return { sub: name, name, email: `${name}@${domain}`, email_verified: true }
}

const me = async (reply: Reply) =>
  (await service.send('GET', '/auth/me', { token: await tokenOf(reply) })).body as {
    id: string
    email: string
    role: string
  }

describe.skipIf(deployed)('a log-in by a provider', () => {
  test('begins at the provider, by a code bound to the browser and this log-in', async () => {
    const { asked, cookie } = await begin('acme')
    expect(asked).toEqual({
      client_id: 'service',
      response_type: 'code',
      redirect_uri: `${service.apiUrl}/identity/providers/acme/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(cookie).toMatch(/^sign_on=[\w-]{43}$/)
    const again = await begin('acme')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(again.asked[name]).not.toBe(asked[name])
    expect(again.cookie).not.toBe(cookie)
    const reply = await service.send('GET', '/identity/providers/acme/start')
    expect(reply.headers.get('set-cookie')).toMatch(/; Path=\/api\/identity; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })

  test('has a cookie that no other host can set, where there is TLS', async () => {
    const headers = { 'x-forwarded-proto': 'https' }
    const reply = await service.send('GET', '/identity/providers/acme/start', { headers })
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-sign_on=[\w-]{43}; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  test('creates a user at first, and is the same one ever after, whatever their address becomes', async () => {
    const claims = somebody()
    const first = await signOn('acme', acme, claims)
    expect(first.status).toBe(302)
    expect(first.headers.get('location')).toBe(`${service.apiUrl}/console/#/signed-on`)
    expect(first.headers.get('set-cookie')).toMatch(
      /^refresh_token=[^;]+; Path=\/api\/auth; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
    const user = await me(first)
    expect(user).toMatchObject({ name: claims.name, email: claims.email, role: 'user', blocked: false })
    const later = await signOn('acme', acme, { ...claims, email: 'renamed@acme.example' })
    expect((await me(later)).id).toBe(user.id)
    // The same subject of another provider is somebody else.
    const elsewhere = { ...claims, email: `${claims.sub}@mapped.example`, groups: ['users'] }
    expect((await me(await signOn('mapped', mapped, elsewhere))).id).not.toBe(user.id)
    for (const password of ['', 'correct horse battery']) {
      const reply = await service.send('POST', '/auth/login', { body: { email: claims.email, password } })
      expect(answerOf(reply)).toEqual([401, 'invalid_credentials'])
    }
  })

  test('stands in the audit trail, which can be read afterwards', async () => {
    const { id } = await me(await signOn('acme', acme, somebody()))
    const body = { filters: { userId: id } }
    const { status, body: entries } = await service.send('POST', '/audit/list', { token: service.admin.token, body })
    expect(status).toBe(200)
    const operation = 'GET /identity/providers/{provider}/callback'
    expect(entries).toContainEqual(expect.objectContaining({ operation, recordId: id, outcome: 'done' }))
  })

  test('links a user whose address the provider has verified; the password is gone, and all sessions', async () => {
    const person = await service.person()
    const { sub, ...claims } = somebody('staff.example')
    await service.admin.client.users.update({ user_id: person.user.id, body: { email: claims.email } })
    expect(answerOf(await signOn('staff', staff, { sub, ...claims, email_verified: false }))).toEqual(notAllowed)
    expect((await me(await signOn('staff', staff, { sub, ...claims }))).id).toBe(person.user.id)
    expect((await service.send('GET', '/auth/me', { token: person.token })).status).toBe(401)
    const body = { email: claims.email, password: person.password }
    expect(answerOf(await service.send('POST', '/auth/login', { body }))).toEqual([401, 'invalid_credentials'])
    expect(answerOf(await signOn('staff', staff, { sub: `${sub}-2`, ...claims }))).toEqual(notAllowed)
  })

  test('that is refused for the role that it would give leaves a user as they are', async () => {
    const { user, password } = await service.person()
    const email = `${user.id}@mapped.example`
    await service.admin.client.users.update({ user_id: user.id, body: { email } })
    const claims = { ...somebody('mapped.example'), email, groups: ['ghosts'] }
    expect(answerOf(await signOn('mapped', mapped, claims))).toEqual(notAllowed)
    expect((await service.logIn(email, password)).token).toEqual(expect.any(String))
    expect((await me(await signOn('mapped', mapped, { ...claims, groups: ['admins'] }))).role).toBe('admin')
    await expect(service.logIn(email, password)).rejects.toMatchObject({ status: 401 })
  })

  test('asks for more about the user where the token does not say enough', async () => {
    const { sub, ...claims } = somebody()
    acme.userinfo = { sub, ...claims }
    expect(await me(await signOn('acme', acme, { sub }))).toMatchObject({ email: claims.email })
    acme.userinfo = { ...claims, sub: 'somebody-else' }
    expect(answerOf(await signOn('acme', acme, { sub }))).toEqual(refused)
    acme.userinfo = undefined
  })

  test('gives the role of the first group that fits, at each log-in', async () => {
    const claims = somebody('mapped.example')
    const roleWith = async (groups: unknown) => (await me(await signOn('mapped', mapped, { ...claims, groups }))).role
    expect(await roleWith(['readers', 'users'])).toBe('user')
    expect(await roleWith(['users', 'admins'])).toBe('admin')
    expect(await roleWith('users')).toBe('user')
    for (const groups of [undefined, [], ['readers'], 'readers', { users: true }, ['ghosts']])
      expect([groups, ...answerOf(await signOn('mapped', mapped, { ...claims, groups }))]).toEqual([
        groups,
        ...notAllowed,
      ])
  })

  test('lets nobody in who is blocked, and keeps out who was deleted only where users are not created', async () => {
    const claims = somebody()
    const { id: user_id } = await me(await signOn('acme', acme, claims))
    const { users } = service.admin.client
    await users.block({ user_id })
    expect(answerOf(await signOn('acme', acme, claims))).toEqual(notAllowed)
    await users.delete({ user_id })
    expect((await me(await signOn('acme', acme, claims))).id).not.toBe(user_id)
  })

  test('in a role that needs a second factor counts only with several factors, as the provider says', async () => {
    const permissions = ['rules:read']
    await service.admin.client.roles.create({ body: { name: 'auditor', permissions } })
    const claims = somebody('guarded.example')
    for (const weak of [{}, { amr: ['pwd'] }, { amr: 'mfa' }, { acr: 'silver' }]) {
      const reply = await signOn('guarded', guarded, { ...claims, ...weak })
      expect([weak, ...answerOf(reply)]).toEqual([weak, 403, 'second_factor_missing'])
    }
    for (const strong of [{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }]) {
      const token = await tokenOf(await signOn('guarded', guarded, { ...claims, ...strong }))
      expect((await service.send('POST', '/rules/list', { token })).status).toBe(200)
    }
  })

  test('lets schedules of its users run, whose second factor and password are not here', {
    timeout: 120_000,
  }, async () => {
    const permissions = [
      ...(['sources:read', 'sources:write', 'schedules:read', 'schedules:write', 'jobs:write'] as const),
      'jobs:execute' as const,
    ]
    await service.admin.client.roles.create({ body: { name: 'keeper', permissions } })
    const reply = await signOn('strict', strict, { ...somebody('strict.example'), amr: ['mfa'] })
    const { id: user_id } = await me(reply)
    const client = createClient({ baseUrl: service.baseUrl, token: await tokenOf(reply) })
    const { id: sourceId } = await client.sources.create({ body: { name: 'F', kind: 'LOCAL_ASSET', config: {} } })
    const body = { name: 'Nightly', rate: '365 days', sourceId, presetId: 'default' }
    const { id: schedule_id } = await client.schedules.create({ body })
    const path = `/schedules/${schedule_id}`
    const run = async (token: string) => {
      expect((await service.send('POST', `${path}/run`, { token })).status).toBe(200)
      const latest = async () => (await service.send('GET', `${path}/runs`, { token })).body as ScheduleRun[]
      await expect.poll(async () => (await latest())[0]!.finishedAt, { timeout: 50_000 }).not.toBeNull()
      return (await latest())[0]
    }
    const { token } = service.admin
    expect(await run(token)).toMatchObject({ status: 'SUCCEEDED', errors: [] })
    await service.admin.client.users.resetPassword({ user_id, body: {} })
    expect(await run(token)).toMatchObject({ status: 'SUCCEEDED', errors: [] })
  })

  test('is recent for as long as the provider has asked the person, not the browser come back', async () => {
    const claims = { ...somebody('mapped.example'), groups: ['admins'] }
    const { user } = await service.person()
    const rename = async (reply: Reply) =>
      answerOf(await service.send('PUT', `/users/${user.id}`, { token: await tokenOf(reply), body: { name: 'Grace' } }))
    const past = Math.floor(Date.now() / 1000) - 3600
    for (const auth_time of [past, undefined])
      expect(await rename(await signOn('mapped', mapped, { ...claims, auth_time }))).toEqual([
        403,
        'fresh_login_required',
      ])
    const { asked } = await begin('mapped', '?fresh=true')
    expect(asked.max_age).toBe('0')
    for (const auth_time of [past, undefined])
      expect(answerOf(await signOn('mapped', mapped, { ...claims, auth_time }, '?fresh=true'))).toEqual(refused)
    const fresh = await signOn('mapped', mapped, claims, '?fresh=true')
    const reply = await service.send('PUT', `/users/${user.id}`, {
      token: await tokenOf(fresh),
      body: { name: 'Grace' },
    })
    expect(reply.status).toBe(200)
  })

  test('shows the provider a secret that is kept sealed, and can be replaced and removed', async () => {
    secret.secret = 'quite-secret'
    const keep = (value: string | null) =>
      service.send('PUT', '/identity/providers/secret/secret', {
        token: service.admin.token,
        body: { secret: value },
      })
    const claims = somebody('secret.example')
    expect(answerOf(await signOn('secret', secret, claims))).toEqual(refused)
    expect((await keep('another')).body).toEqual({ ok: true })
    expect(answerOf(await signOn('secret', secret, claims))).toEqual(refused)
    await keep('quite-secret')
    expect((await signOn('secret', secret, claims)).status).toBe(302)
    await keep(null)
    expect(answerOf(await signOn('secret', secret, claims))).toEqual(refused)
  })

  test('goes on when the provider changes its keys, and takes no token of a key that it no longer shows', async () => {
    const claims = somebody('turning.example')
    expect((await signOn('turning', turning, claims)).status).toBe(302)
    const old = turning.keys[0]!
    turning.keys = [await makeKeys()]
    expect((await signOn('turning', turning, claims)).status).toBe(302)
    const { asked, cookie } = await begin('turning')
    const code = turning.code(asked, () => turning.sign(turning.claims(asked.nonce, claims), {}, old))
    expect(answerOf(await comeBack('turning', { code, state: asked.state }, cookie))).toEqual(refused)
  })
})

/** A flow or token that is wrong: what the browser or the provider does instead, after a good beginning. */
type Wrong = { asked: Begun['asked']; cookie: string; good: () => string; back: Back }
type Back = (query?: Record<string, string | undefined>, cookie?: string | undefined) => Promise<Reply>

const flows: Record<string, [expected: (string | number)[], (wrong: Wrong) => Promise<Reply>]> = {
  'no cookie': [expired, ({ back, good }) => back({ code: good() }, '')],
  'a made-up cookie': [expired, ({ back, good }) => back({ code: good() }, `sign_on=${'x'.repeat(43)}`)],
  'the cookie of another browser': [
    refused,
    async ({ back, good }) => back({ code: good() }, (await begin('acme')).cookie),
  ],
  'another state': [refused, ({ back, good }) => back({ code: good(), state: 'x'.repeat(43) })],
  'no state': [refused, ({ back, good }) => back({ code: good(), state: undefined })],
  'the state of another log-in': [
    refused,
    async ({ back, good }) => back({ code: good(), state: (await begin('acme')).asked.state }),
  ],
  'the same answer a second time': [
    expired,
    async ({ back, good }) => {
      const code = good()
      expect((await back({ code })).status).toBe(302)
      return back({ code })
    },
  ],
  'a wrong answer first': [
    expired,
    async ({ back, good }) => {
      expect(answerOf(await back({ code: good(), state: 'wrong' }))).toEqual(refused)
      return back({ code: good() })
    },
  ],
  'a code that was used before': [
    refused,
    async ({ back, good }) => {
      const code = good()
      expect((await back({ code })).status).toBe(302)
      const next = await begin('acme')
      return comeBack('acme', { code, state: next.asked.state }, next.cookie)
    },
  ],
  'a code of another log-in (PKCE)': [
    refused,
    async ({ good }) => {
      const next = await begin('acme')
      return comeBack('acme', { code: good(), state: next.asked.state }, next.cookie)
    },
  ],
  'a made-up code': [refused, ({ back }) => back({ code: 'made-up' })],
  'no code': [refused, ({ back }) => back({})],
  'a refusal of the provider': [refused, ({ back }) => back({ error: 'access_denied' })],
  'a refusal and a code': [refused, ({ back, good }) => back({ code: good(), error: 'access_denied' })],
  'the callback of another provider': [
    expired,
    ({ asked, cookie, good }) => comeBack('other', { code: good(), state: asked.state }, cookie),
  ],
  'the issuer of another provider': [refused, ({ back, good }) => back({ code: good(), iss: other.issuer })],
  'the issuer with a slash more': [refused, ({ back, good }) => back({ code: good(), iss: `${acme.issuer}/` })],
  'no issuer from a provider that always says it': [
    refused,
    async () => {
      const { asked, cookie } = await begin('other')
      const code = other.code(asked, () => other.sign(other.claims(asked.nonce, somebody('other.example'))))
      return comeBack('other', { code, state: asked.state }, cookie)
    },
  ],
  'a code that another provider gave out': [
    refused,
    ({ asked, back }) => back({ code: other.code(asked, () => other.sign(other.claims(asked.nonce, somebody()))) }),
  ],
}

/** Wrong answers of the endpoint for tokens. */
const tokenAnswers: Record<string, Tenant['token']> = {
  'an error of the server': (_, response) => json(response, 500, { error: 'server_error' }),
  'a page': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
  'a redirect': (_, response) => void response.writeHead(307, { location: `${other.issuer}/token` }).end(),
  'no ID token': (_, response) => json(response, 200, { access_token: 'a', token_type: 'Bearer' }),
  'no access token': (_, response) => json(response, 200, { token_type: 'Bearer', id_token: 'a.b.c' }),
  'an ID token that is none': (_, response) =>
    json(response, 200, { access_token: 'a', token_type: 'Bearer', id_token: 'a.b.c' }),
  'more than is read': (_, response) => json(response, 200, { access_token: 'a'.repeat(2 ** 20) }),
}

const [unknown, rsa] = [await makeKeys(), await makeKeys('RS512')]
acme.keys.push(rsa)
const now = () => Math.floor(Date.now() / 1000)
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const key = () => acme.keys[0]!
type Claims = Record<string, unknown>

/** Wrong ID tokens, made from good claims. */
const idTokens: Record<string, (claims: Claims) => Promise<string> | string> = {
  'no signature': claims => `${encode({ alg: 'none' })}.${encode(claims)}.`,
  'no signature, in capitals': claims => `${encode({ alg: 'NONE' })}.${encode(claims)}.`,
  'no signature of a good header': claims => `${encode({ alg: 'ES256', kid: key().kid })}.${encode(claims)}.`,
  'the public key as a shared secret': claims => {
    const signed = `${encode({ alg: 'HS256', kid: key().kid })}.${encode(claims)}`
    return `${signed}.${createHmac('sha256', JSON.stringify(key().jwk)).update(signed).digest('base64url')}`
  },
  'the client’s name as a shared secret': claims => {
    const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`
    return `${signed}.${createHmac('sha256', 'service').update(signed).digest('base64url')}`
  },
  'an algorithm that is not taken': claims => acme.sign(claims, { alg: 'RS512' }, rsa),
  'an altered signature': async claims => {
    const [head, body, signature] = (await acme.sign(claims)).split('.') as [string, string, string]
    return `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  },
  'altered claims': async claims => {
    const [head, , signature] = (await acme.sign(claims)).split('.')
    return `${head}.${encode({ ...claims, sub: 'root' })}.${signature}`
  },
  'a key that is not the provider’s, under the name of one that is': claims =>
    acme.sign(claims, { kid: key().kid }, unknown),
  'an unknown key': claims => acme.sign(claims, {}, unknown),
  'a key of its own in the header': claims => acme.sign(claims, { jwk: unknown.jwk }, unknown),
  'an address of keys in the header': claims => acme.sign(claims, { jku: `${other.issuer}/jwks` }, other.keys[0]),
  'the key of another provider': claims => acme.sign(claims, {}, other.keys[0]),
  'a token of another provider': claims => other.sign({ ...claims, iss: other.issuer }),
  'something critical that is not known': claims => acme.sign(claims, { crit: ['b64'], b64: true }),
  'another issuer': claims => acme.sign({ ...claims, iss: other.issuer }),
  'no issuer': claims => acme.sign({ ...claims, iss: undefined }),
  'another audience': claims => acme.sign({ ...claims, aud: 'another' }),
  'no audience': claims => acme.sign({ ...claims, aud: undefined }),
  'an empty audience': claims => acme.sign({ ...claims, aud: [] } as Claims),
  'several audiences': claims => acme.sign({ ...claims, aud: ['service', 'another'] } as Claims),
  'several audiences, given to this client': claims =>
    acme.sign({ ...claims, aud: ['service', 'another'], azp: 'service' } as Claims),
  'given to another client': claims => acme.sign({ ...claims, azp: 'another' }),
  'no nonce': claims => acme.sign({ ...claims, nonce: undefined }),
  'another nonce': claims => acme.sign({ ...claims, nonce: 'x'.repeat(43) }),
  'the nonce of another log-in': async claims => acme.sign({ ...claims, nonce: (await begin('acme')).asked.nonce }),
  expired: claims => acme.sign({ ...claims, exp: now() - 3600 }),
  'no end': claims => acme.sign({ ...claims, exp: undefined }),
  'an end in words': claims => acme.sign({ ...claims, exp: 'tomorrow' } as Claims),
  'not yet good': claims => acme.sign({ ...claims, nbf: now() + 3600 }),
  'no time of its making': claims => acme.sign({ ...claims, iat: undefined }),
  'made in the future': claims => acme.sign({ ...claims, iat: now() + 3600, exp: now() + 7200 }),
  'made long ago': claims => acme.sign({ ...claims, iat: now() - 3600 }),
  'no subject': claims => acme.sign({ ...claims, sub: undefined }),
  'a subject that is a number': claims => acme.sign({ ...claims, sub: 1 } as Claims),
  'an empty subject': claims => acme.sign({ ...claims, sub: '' }),
  'a time of log-in in words': claims => acme.sign({ ...claims, auth_time: 'now' }),
}

/** Good tokens of people who may not use the service. */
const strangers: Record<string, Claims> = {
  'an address that is not verified': { email_verified: false },
  'an address of which nobody says whether it is': { email_verified: undefined },
  'an address verified in other words': { email_verified: 'yes' },
  'no address': { email: undefined },
  'an address of another domain': { email: 'ada@other.example' },
  'an address of a domain that ends alike': { email: 'ada@evil-acme.example' },
  'an address of a domain below': { email: 'ada@sub.acme.example' },
  'an address of a domain that begins alike': { email: 'ada@acme.example.org' },
  'an address with two domains': { email: 'ada@evil.example@acme.example' },
  'a list of addresses': { email: ['ada@acme.example'] },
}

describe.skipIf(deployed)('refused is', () => {
  const prepare = async (): Promise<Wrong> => {
    const { asked, cookie } = await begin('acme')
    const good = () => acme.code(asked, () => acme.sign(acme.claims(asked.nonce, somebody())))
    const back: Back = (query = {}, sent = cookie) => {
      const all = Object.entries({ state: asked.state, ...query }).filter(([, value]) => value !== undefined)
      return comeBack('acme', Object.fromEntries(all) as Record<string, string>, sent || undefined)
    }
    return { asked, cookie, good, back }
  }

  test('nothing, where all is good', async () => {
    const { back, good } = await prepare()
    expect((await back({ code: good(), iss: acme.issuer, session_state: 'x' })).status).toBe(302)
  })

  test.each(Object.entries(flows))('%s', async (_, [expected, run]) => {
    const reply = await run(await prepare())
    expect(answerOf(reply)).toEqual(expected)
    expect(reply.headers.get('set-cookie')).toBe(null)
    expect(reply.headers.get('refresh')).toBe(
      `0; url=${service.apiUrl}/console/#/not-signed-on/${problemsOf(reply)[0]!.type}`,
    )
  })

  test.each(Object.entries(tokenAnswers))('from the endpoint for tokens %s', async (_, answer) => {
    const { back, good } = await prepare()
    acme.token = answer
    const reply = await back({ code: good() }).finally(() => {
      acme.token = undefined
    })
    expect(answerOf(reply)).toEqual(refused)
  })

  test.each(Object.entries(idTokens))('an ID token with %s', async (_, make) => {
    const { asked, back } = await prepare()
    const code = acme.code(asked, () => make(acme.claims(asked.nonce, somebody())))
    const reply = await back({ code })
    expect(answerOf(reply)).toEqual(refused)
    expect(reply.headers.get('set-cookie')).toBe(null)
  })

  test.each(Object.entries(strangers))('somebody with %s', async (_, wrong) => {
    expect(answerOf(await signOn('acme', acme, { ...somebody(), ...wrong } as Claims))).toEqual(notAllowed)
  })

  test('somebody without a user, where none are created, and the address of who has another identity', async () => {
    expect(answerOf(await signOn('staff', staff, somebody('staff.example')))).toEqual(notAllowed)
    const claims = somebody()
    await signOn('acme', acme, claims)
    expect(answerOf(await signOn('acme', acme, { ...claims, sub: 'somebody-else' }))).toEqual(notAllowed)
  })

  test.each(['liar', 'gone', 'inner'])('a provider that is %s', async name => {
    const reply = await service.send('GET', `/identity/providers/${name}/start`)
    expect(answerOf(reply)).toEqual(unavailable)
    expect(reply.headers.get('set-cookie')).toBe(null)
  })

  test('a provider that does not show its keys', async () => {
    const wrong: Tenant['jwks'][] = [
      (_, response) => json(response, 500, {}),
      (_, response) => json(response, 200, {}),
      (_, response) => void response.writeHead(302, { location: `${acme.issuer}/jwks` }).end(),
    ]
    for (const answer of wrong) {
      const { back, good } = await prepare()
      acme.jwks = answer
      const reply = await back({ code: good() }).finally(() => {
        acme.jwks = undefined
      })
      expect(answerOf(reply)).toEqual(refused)
    }
  })

  test('a place to go to afterwards', async () => {
    for (const name of ['return', 'redirect_uri', 'url', 'next']) {
      const reply = await service.send('GET', `/identity/providers/acme/start?${name}=https://evil.example`)
      expect(answerOf(reply)).toEqual([422, 'unknown_field'])
    }
  })
})

test.skipIf(deployed)('the list of providers says nothing but what a button needs', async () => {
  const { body } = await service.send('GET', '/identity/providers/')
  expect(body).toHaveLength(11)
  expect((body as object[])[0]).toEqual({ name: 'acme', title: 'acme' })
})
