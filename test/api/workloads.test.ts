import { createHmac, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../shared/api/client.ts'
import { anonymise, download } from '../../shared/api/flow.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { type Reply, useOwnService } from './setup.ts'
import { json, makeKeys, startProviders } from './test-provider.ts'
import { EXCHANGE, exchangeBody, tokenType } from './workload.ts'

const { tenants, stop } = await startProviders(['builds', 'other', 'turning', 'liar', 'plain', 'broken', 'moved'])
afterAll(stop)
const { builds, other, turning, liar, plain, broken, moved } = tenants
// What GitHub's description has, and no more.
for (const { metadata } of Object.values(tenants))
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint']) delete metadata[name]
liar.metadata.issuer = builds.issuer
moved.metadata.jwks_uri = 'http://169.254.169.254/jwks'

const service = await useOwnService()
const { admin, baseUrl } = service
const { serviceAccounts, audit, roles } = admin.client

const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']
plain.keys = await Promise.all(algorithms.map(alg => makeKeys(alg)))

const repository = 'acme/reports'
const trusted = { issuer: builds.issuer, audience: 'service', claims: { repository, ref: 'refs/heads/main' } }
const subject = `repo:${repository}:ref:refs/heads/main`
type Claims = Record<string, unknown>

/** Claims like those of GitHub's tokens. */
const claimsOf = (tenant = builds, more: Claims = {}): JWTPayload => {
  const { nonce: _, auth_time: __, ...claims } = tenant.claims('', { sub: subject })
  const said = { jti: randomUUID(), repository, ref: 'refs/heads/main', repository_owner: 'acme', run_id: '7' }
  return { ...claims, ...said, ...more } as JWTPayload
}
const good = (more: Claims = {}) => builds.sign(claimsOf(builds, more))

async function newAccount(more: object = {}) {
  const permissions = ['rules:read', 'rules:write', 'workflows:write', 'workflows:read']
  const body = { name: 'Build', role: 'user', permissions, workloads: [trusted], ...more }
  return (await serviceAccounts.create({ body })).id
}

/** Sends a form, as OAuth's clients do. */
const sendForm = (fields: Record<string, string> | [string, string][]) =>
  service.send('POST', '/auth/token', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const exchange = (id: string, token: string, more: Record<string, string> = {}) =>
  sendForm(exchangeBody(id, token, more))
const answerOf = ({ status, body }: Reply) => {
  const { detail, error } = body as { detail?: { type: string }[]; error?: string }
  return [status, detail?.[0]?.type, error]
}
const refused = [400, 'exchange_refused', 'invalid_grant']

async function tokenFor(id: string, more: Record<string, string> = {}, claims: Claims = {}): Promise<string> {
  const reply = await exchange(id, await good(claims), more)
  expect([reply.status, reply.text]).toEqual([200, expect.anything()])
  return (reply.body as { access_token: string }).access_token
}
const use = (token: string, path = '/rules/list') => service.send('POST', path, { token })

describe.skipIf(deployed)('a token of a trusted workload', () => {
  test('is exchanged for an access token of the account, by form and by JSON', async () => {
    const id = await newAccount()
    const byForm = await exchange(id, await good())
    expect([byForm.status, byForm.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(byForm.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      issued_token_type: tokenType('access_token'),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: expect.stringMatching(/^[\w:]+( [\w:]+){3}$/),
    })
    const asked = { subject_token_type: tokenType('id_token'), requested_token_type: tokenType('access_token') }
    const byJson = await service.send('POST', '/auth/token', { body: exchangeBody(id, await good(), asked) })
    expect(byJson.status).toBe(200)
    // A parameter without a value is as good as none (RFC 6749, 3.2).
    expect((await exchange(id, await good(), { scope: '' })).status).toBe(200)
  })

  test('lets a program anonymise, as the account', async () => {
    const id = await newAccount({ permissions: ['assets:read', 'jobs:read', 'jobs:write', 'jobs:execute'] })
    const client = createClient({ baseUrl, token: await tokenFor(id) })
    const files = [{ name: 'note.txt', content: 'Write to ada@example.org.' }]
    const job = await anonymise(client, { name: 'Report', presetId: 'default' }, files)
    const output = await download(client, job.result!.assets[0]!.outputAssetId!)
    expect(await new Response(output.body).text()).toBe('Write to [EMAIL].')
  }, 120_000)

  test('is recorded in the audit trail, as is what is done by it, and a token that is refused', async () => {
    const id = await newAccount()
    const config = { regexRuleConfig: { pattern: '[0-9]+' } }
    const client = createClient({ baseUrl, token: await tokenFor(id) })
    await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
    await exchange(id, await good({ repository: 'acme/other' }))
    const entries = await audit.list({ body: { filters: { userId: id } } })
    expect(entries.map(({ operation, outcome, problem }) => [operation, outcome, problem])).toEqual([
      ['POST /auth/token', 'refused', 'exchange_refused'],
      ['POST /rules/', 'done', null],
      ['POST /auth/token', 'done', null],
    ])
  })

  test('is taken once, unless it is said otherwise', async () => {
    const [once, often] = [await newAccount(), await newAccount({ workloads: [{ ...trusted, singleUse: false }] })]
    const [token, another] = [await good(), await good()]
    for (let n = 0; n < 3; n++) expect((await exchange(often, token)).status).toBe(200)
    const all = await Promise.all(Array.from({ length: 4 }, () => exchange(once, another)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const [head, body] = another.split('.')
    for (const again of [another, `${head}.${body}.${(await good()).split('.')[2]}`])
      expect(answerOf(await exchange(once, again))).toEqual(refused)
    expect(answerOf(await exchange(await newAccount(), another))).toEqual(refused)
  })

  test('may be one of several workloads of an account', async () => {
    const tags = { ...trusted, claims: { repository, ref_type: 'tag' } }
    const whole = { issuer: other.issuer, audience: 'elsewhere', subject: 'system:serviceaccount:acme:reports' }
    const id = await newAccount({ workloads: [trusted, tags, whole] })
    expect((await exchange(id, await good({ ref: 'refs/tags/v1', ref_type: 'tag' }))).status).toBe(200)
    const pod = (more: Claims) =>
      other.sign({ ...other.claims('', { sub: whole.subject }), aud: ['elsewhere'], ...more } as JWTPayload)
    expect((await exchange(id, await pod({}))).status).toBe(200)
    expect(answerOf(await exchange(id, await pod({ aud: 'service' })))).toEqual(refused)
    expect(answerOf(await exchange(id, await pod({ sub: 'system:serviceaccount:acme:report' })))).toEqual(refused)
  })

  test('may have truths among its claims, in no other form', async () => {
    const id = await newAccount({ workloads: [{ ...trusted, claims: { repository, verified: true } }] })
    expect((await exchange(id, await good({ verified: true }))).status).toBe(200)
    for (const verified of ['true', 1, [true]])
      expect(answerOf(await exchange(id, await good({ verified })))).toEqual(refused)
  })

  test.each(algorithms)('may be signed by %s, where that is trusted', async alg => {
    const at = { ...trusted, issuer: plain.issuer }
    const [any, others] = [
      await newAccount({ workloads: [at] }),
      await newAccount({ workloads: [{ ...at, algorithms: algorithms.filter(name => name !== alg) }] }),
    ]
    const key = plain.keys[algorithms.indexOf(alg)]!
    const sign = () => plain.sign(claimsOf(plain), { alg, kid: key.kid }, key)
    expect((await exchange(any, await sign())).status).toBe(200)
    expect(answerOf(await exchange(others, await sign()))).toEqual(refused)
  })
})

describe.skipIf(deployed)('an access token of a workload', () => {
  test('has fewer permissions if it is asked for, and never more than the account', async () => {
    const id = await newAccount()
    const token = await tokenFor(id, { scope: 'rules:read workflows:read' })
    expect((await use(token)).status).toBe(200)
    const config = { regexRuleConfig: { pattern: '[0-9]+' } }
    const body = { name: 'Numbers', type: 'REGEX', config }
    expect((await service.send('POST', '/rules/', { token, body })).status).toBe(403)
    await serviceAccounts.update({ account_id: id, body: { permissions: ['rules:write'] } })
    expect((await use(token)).status).toBe(403)
    for (const scope of ['rules:read', 'audit:read', 'rules:write audit:read', 'users:manage', 'nothing:at-all'])
      expect(answerOf(await exchange(id, await good(), { scope }))).toEqual([400, 'scope_not_allowed', 'invalid_scope'])
    for (const scope of [' ', 'rules:write  rules:write', 'rules:write ', '"rules:write"'])
      expect(answerOf(await exchange(id, await good(), { scope }))).toEqual([400, 'invalid_format', 'invalid_scope'])
  })

  test('is refused where it is about a session or for people, whatever its account may do', async () => {
    const id = await newAccount({ role: 'admin' })
    const token = await tokenFor(id)
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['PUT', '/auth/password'],
      ['GET', '/users/'],
      ['GET', '/service-accounts/'],
      ['GET', '/roles/'],
      ['POST', `/jobs/${id}/decisions`],
      ['POST', `/jobs/${id}/review/release`],
      ['POST', `/reidentifications/${id}/approve`],
    ] as const)
      expect([path, (await service.send(method, path, { token })).status]).toEqual([path, 403])
    // There is no session to end.
    expect((await service.send('POST', '/auth/logout', { token })).status).toBe(200)
    expect((await use(token)).status).toBe(200)
  })

  test.each<[string, object, number]>([
    ['the account is blocked', { blocked: true }, 401],
    ['the workload is no longer trusted', { workloads: [] }, 401],
    ['another branch is trusted in its place', { workloads: [{ ...trusted, claims: { repository, ref: 'x' } }] }, 401],
    ['it may not be used from here', { networks: ['192.0.2.0/24'] }, 403],
    ['its permission is gone', { permissions: ['workflows:read'] }, 403],
  ])('is worth nothing on the very next request once %s', async (_, change, status) => {
    const id = await newAccount()
    const token = await tokenFor(id)
    expect((await use(token)).status).toBe(200)
    await serviceAccounts.update({ account_id: id, body: change })
    expect((await use(token)).status).toBe(status)
    if (!('permissions' in change)) expect(answerOf(await exchange(id, await good()))).toEqual(refused)
  })

  test('goes on where nothing changes that it depends on, and ends with its account', async () => {
    const role = `narrow-${randomUUID().slice(0, 8)}`
    const { id: role_id } = await roles.create({ body: { name: role, permissions: ['rules:read', 'rules:write'] } })
    const id = await newAccount({ role })
    const token = await tokenFor(id)
    const workloads = [{ ...trusted, claims: { ref: 'refs/heads/main', repository } }]
    await serviceAccounts.update({ account_id: id, body: { name: 'Renamed', workloads } })
    expect((await use(token)).status).toBe(200)
    await roles.update({ role_id, body: { permissions: ['rules:write'] } })
    expect((await use(token)).status).toBe(403)
    await serviceAccounts.delete({ account_id: id })
    expect((await use(token)).status).toBe(401)
    expect(answerOf(await exchange(id, await good()))).toEqual(refused)
  })
})

const [unknown, rsa] = [await makeKeys(), await makeKeys('RS512')]
builds.keys.push(rsa)
const now = () => Math.floor(Date.now() / 1000)
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const key = () => builds.keys[0]!
const hmac = (signed: string, secret: string) =>
  `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`

/** Wrong tokens, made from good claims. */
const wrong: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
  'no signature': claims => `${encode({ alg: 'none' })}.${encode(claims)}.`,
  'no signature, in capitals': claims => `${encode({ alg: 'NONE', kid: key().kid })}.${encode(claims)}.`,
  'no signature of a good header': claims => `${encode({ alg: 'ES256', kid: key().kid })}.${encode(claims)}.`,
  'the public key as a shared secret': claims =>
    hmac(`${encode({ alg: 'HS256', kid: key().kid })}.${encode(claims)}`, JSON.stringify(key().jwk)),
  'the audience as a shared secret': claims => hmac(`${encode({ alg: 'HS256' })}.${encode(claims)}`, 'service'),
  'an algorithm that is not taken': claims => builds.sign(claims, { alg: 'RS512', kid: rsa.kid }, rsa),
  'an algorithm that is not that of the key': claims => builds.sign(claims, { alg: 'ES256', kid: rsa.kid }),
  'an altered signature': async claims => {
    const [head, body, signature] = (await builds.sign(claims)).split('.') as [string, string, string]
    return `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  },
  'altered claims': async claims => {
    const [head, , signature] = (await builds.sign({ ...claims, repository: 'acme/fork' })).split('.')
    return `${head}.${encode(claims)}.${signature}`
  },
  'a key that is not the issuer’s, under the name of one that is': claims =>
    builds.sign(claims, { kid: key().kid }, unknown),
  'an unknown key': claims => builds.sign(claims, {}, unknown),
  'a key of its own in the header': claims => builds.sign(claims, { jwk: unknown.jwk }, unknown),
  'an address of keys in the header': claims => builds.sign(claims, { jku: `${other.issuer}/jwks` }, other.keys[0]),
  'an address of certificates in the header': claims =>
    builds.sign(claims, { x5u: `${other.issuer}/certificate` }, other.keys[0]),
  'the key of another issuer': claims => builds.sign(claims, {}, other.keys[0]),
  'a token of another issuer': claims => other.sign({ ...claims, iss: other.issuer }),
  'something critical that is not known': claims => builds.sign(claims, { crit: ['exotic'], exotic: 1 }),
  'another type of token': claims => builds.sign(claims, { typ: 'logout+jwt' }),
  'no issuer': claims => builds.sign({ ...claims, iss: undefined }),
  'the issuer with a slash more': claims => builds.sign({ ...claims, iss: `${builds.issuer}/` }),
  'a list of issuers': claims => builds.sign({ ...claims, iss: [builds.issuer] } as unknown as JWTPayload),
  'another audience': claims => builds.sign({ ...claims, aud: 'https://github.com/acme' }),
  'an audience in other letters': claims => builds.sign({ ...claims, aud: 'Service' }),
  'no audience': claims => builds.sign({ ...claims, aud: undefined }),
  'an empty audience': claims => builds.sign({ ...claims, aud: [] }),
  'several audiences': claims => builds.sign({ ...claims, aud: ['service', 'another'] }),
  'several audiences, given to this one': claims =>
    builds.sign({ ...claims, aud: ['another', 'service'], azp: 'service' }),
  'a nested audience': claims => builds.sign({ ...claims, aud: [['service']] } as unknown as JWTPayload),
  expired: claims => builds.sign({ ...claims, exp: now() - 61 }),
  'no end': claims => builds.sign({ ...claims, exp: undefined }),
  'an end in words': claims => builds.sign({ ...claims, exp: 'tomorrow' } as unknown as JWTPayload),
  'not yet good': claims => builds.sign({ ...claims, nbf: now() + 120 }),
  'no time of its making': claims => builds.sign({ ...claims, iat: undefined }),
  'made in the future': claims => builds.sign({ ...claims, iat: now() + 120 }),
  'made too long ago': claims => builds.sign({ ...claims, iat: now() - 3700 }),
  'no subject': claims => builds.sign({ ...claims, sub: undefined }),
  'an empty subject': claims => builds.sign({ ...claims, sub: '' }),
  'a subject that is a number': claims => builds.sign({ ...claims, sub: 1 } as unknown as JWTPayload),
  'another repository': claims => builds.sign({ ...claims, repository: 'evil/reports' }),
  'a repository that begins alike': claims => builds.sign({ ...claims, repository: `${repository}-fork` }),
  'a repository that ends alike': claims => builds.sign({ ...claims, repository: `evil-${repository}` }),
  'a repository in other letters': claims => builds.sign({ ...claims, repository: 'Acme/Reports' }),
  'a repository with a space': claims => builds.sign({ ...claims, repository: `${repository} ` }),
  'a repository with an end of line': claims => builds.sign({ ...claims, repository: `${repository}\n` }),
  'a repository in a list': claims => builds.sign({ ...claims, repository: [repository] }),
  'no repository': claims => builds.sign({ ...claims, repository: undefined }),
  'another branch': claims => builds.sign({ ...claims, ref: 'refs/pull/1/merge' }),
  'a branch that begins alike': claims => builds.sign({ ...claims, ref: 'refs/heads/main2' }),
  'nothing that is a token': () => 'a.b.c',
  'a token in five parts': async claims => `${await builds.sign(claims)}.a.b`,
  'a key of a service account': () => `anon_${'0'.repeat(32)}_${'a'.repeat(43)}_000000`,
}

describe.skipIf(deployed)('refused is', () => {
  // Each has an account of its own: nobody may guess for long.
  let id: string
  beforeEach(async () => {
    id = await newAccount()
  })

  test('nothing, where all is good', async () => {
    expect((await exchange(id, await good({ azp: 'another', nonce: 'x' }))).status).toBe(200)
    expect((await exchange(id, await good({ exp: now() - 30, nbf: now() + 30, iat: now() - 3000 }))).status).toBe(200)
  })

  test.each(Object.entries(wrong))('%s', async (_, make) => {
    const reply = await exchange(id, await make(claimsOf()))
    expect(answerOf(reply)).toEqual(refused)
    expect(reply.body).toEqual({
      detail: [{ type: 'exchange_refused', loc: [], msg: expect.any(String) }],
      error: 'invalid_grant',
      error_description: expect.any(String),
    })
    expect((await exchange(id, await good())).status).toBe(200)
  })

  test('a token in place of an access token, and an access token in place of a token', async () => {
    expect((await use(await good())).status).toBe(401)
    expect(answerOf(await exchange(id, admin.token))).toEqual(refused)
    expect(answerOf(await exchange(id, await tokenFor(id)))).toEqual(refused)
  })

  test('a token for another account, for a user, and for nobody', async () => {
    const stranger = await newAccount({ workloads: [{ ...trusted, claims: { repository: 'acme/other' } }] })
    for (const whose of [stranger, admin.user.id, randomUUID()])
      expect(answerOf(await exchange(whose, await good()))).toEqual(refused)
  })

  test('what is no such request, in the words of OAuth', async () => {
    const fields = exchangeBody(id, await good())
    const without = (name: string) => Object.entries(fields).filter(([other]) => other !== name)
    const invalid = (type: string) => [400, type, 'invalid_request']
    expect(answerOf(await sendForm(without('grant_type') as [string, string][]))).toEqual(invalid('missing'))
    expect(answerOf(await sendForm(without('client_id') as [string, string][]))).toEqual(invalid('missing'))
    expect(answerOf(await sendForm(without('subject_token') as [string, string][]))).toEqual(invalid('missing'))
    expect(answerOf(await sendForm({ ...fields, grant_type: 'password' }))).toEqual([
      ...[400, 'invalid_value', 'unsupported_grant_type'],
    ])
    for (const [name, value] of [
      ['subject_token_type', tokenType('saml2')],
      ['subject_token_type', EXCHANGE],
      ['requested_token_type', tokenType('refresh_token')],
    ] as const)
      expect(answerOf(await sendForm({ ...fields, [name]: value }))).toEqual(invalid('invalid_value'))
    for (const name of ['actor_token', 'audience', 'resource', '__proto__'])
      expect(answerOf(await sendForm([...Object.entries(fields), [name, 'x']]))).toEqual(invalid('unknown_field'))
    for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
      const twice = await sendForm([...Object.entries(fields), [name, fields[name]]])
      expect(answerOf(twice)).toEqual(invalid('conflicting_values'))
    }
    const long = await sendForm({ ...fields, subject_token: 'a'.repeat(16_385) })
    expect(answerOf(long)).toEqual(invalid('too_big'))
    const asJson = await service.send('POST', '/auth/token', { body: { ...fields, surprise: 1 } })
    expect(answerOf(asJson)).toEqual([422, 'unknown_field', 'invalid_request'])
    const asText = await service.send('POST', '/auth/token', { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(answerOf(asText)).toEqual([415, 'unsupported_media_type', 'invalid_request'])
    // Nothing of it has used the token up.
    expect((await sendForm(fields)).status).toBe(200)
  })

  test('everything, after ten wrong tokens for an account', async () => {
    const [window, late] = [900_000, 60_000]
    const left = window - (Date.now() % window)
    if (left < late) await new Promise(resolve => setTimeout(resolve, left + 50))
    for (const whose of [id, randomUUID()]) {
      for (let n = 0; n < 10; n++) expect(answerOf(await exchange(whose, await good({ ref: 'x' })))).toEqual(refused)
      const reply = await exchange(whose, await good())
      expect(answerOf(reply)).toEqual([429, 'too_many_attempts', 'temporarily_unavailable'])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // Its keys are another matter.
    const { key: ownKey } = await serviceAccounts.createKey({ account_id: id })
    expect((await use(ownKey)).status).toBe(200)
    expect((await exchange(await newAccount(), await good())).status).toBe(200)
  }, 180_000)
})

describe.skipIf(deployed)('an issuer', () => {
  const unavailable = [503, 'provider_unavailable', 'temporarily_unavailable']
  const at = (issuer: string) => newAccount({ workloads: [{ ...trusted, issuer }] })
  const send = async (issuer: string) =>
    exchange(await at(issuer), await builds.sign(claimsOf(builds, { iss: issuer })))

  test.each([
    ['that says that it is another one', () => liar.issuer],
    ['that cannot be reached', () => 'http://127.0.0.1:9'],
    ['whose keys are where nobody may connect to', () => moved.issuer],
    ['where nobody may connect to', () => 'https://169.254.169.254'],
    ['that is not there', () => builds.issuer.replace(/builds$/, 'nobody')],
  ])('%s makes nothing good', async (_, issuer) => {
    expect(answerOf(await send(issuer()))).toEqual(unavailable)
  })

  test('that fails is left alone for a while', async () => {
    let asked = 0
    broken.jwks = (_, response) => {
      asked++
      json(response, 500, {})
    }
    const id = await at(broken.issuer)
    for (let n = 0; n < 12; n++)
      expect(answerOf(await exchange(id, await broken.sign(claimsOf(broken))))).toEqual(unavailable)
    // One for each instance of the function.
    expect(asked).toBeLessThan(5)
  })

  test('is asked for its keys again where one is unknown, and not for every wrong token', async () => {
    let asked = 0
    turning.jwks = (_, response) => {
      asked++
      json(response, 200, { keys: turning.keys.map(({ jwk }) => jwk) })
    }
    for (let n = 0; n < 10; n++) {
      const id = await at(turning.issuer)
      expect(answerOf(await exchange(id, await turning.sign(claimsOf(turning), {}, unknown)))).toEqual(refused)
    }
    expect(asked).toBeLessThan(5)
    expect((await exchange(await at(turning.issuer), await turning.sign(claimsOf(turning)))).status).toBe(200)
  })
})

describe('a workload', () => {
  const github = 'https://token.actions.githubusercontent.com'
  const sendWith = (workload: object) =>
    service.send('POST', '/service-accounts/', {
      token: admin.token,
      body: { name: 'Build', role: 'user', permissions: ['rules:read'], workloads: [workload] },
    })

  test('is shown as it was described, with what was left out', async () => {
    const id = await newAccount()
    const stored = { ...trusted, maxAgeSeconds: 3600, singleUse: true, algorithms: expect.arrayContaining(['ES256']) }
    expect((await serviceAccounts.get({ account_id: id })).workloads).toEqual([stored])
    expect((await serviceAccounts.get({ account_id: await newAccount({ workloads: [] }) })).workloads).toEqual([])
  })

  test.each<[string, object]>([
    ['of an issuer without TLS', { issuer: 'http://builds.example' }],
    ['of an issuer with a query', { issuer: `${github}?a=b` }],
    ['of an issuer that is no address', { issuer: 'github' }],
    ['without an audience', { audience: '' }],
    ['of which nothing is said', { claims: {} }],
    ['of anybody at GitHub', { issuer: github, claims: { ref: 'refs/heads/main' } }],
    ['of anybody in an enterprise at GitHub', { issuer: `${github}/acme`, claims: { ref: 'refs/heads/main' } }],
    ['of anybody at GitLab', { issuer: 'https://gitlab.com', claims: { ref: 'main' } }],
    ['of anybody at Google', { issuer: 'https://accounts.google.com', claims: { email_verified: true } }],
    ['with a claim that is a list', { claims: { repository: ['a', 'b'] } }],
    ['with an empty claim', { claims: { repository: '' } }],
    ['with shared secrets', { algorithms: ['HS256'] }],
    ['without signatures', { algorithms: ['none'] }],
    ['with no algorithm', { algorithms: [] }],
    ['with tokens of any age', { maxAgeSeconds: 86_401 }],
    ['with a pattern', { subjectPattern: 'repo:acme/*' }],
  ])('%s is refused', async (_, more) => {
    const reply = await sendWith({ ...trusted, issuer: 'https://builds.example', ...more })
    expect([reply.status, problemsOf(reply)[0]!.loc.slice(0, 3)]).toEqual([422, ['body', 'workloads', '0']])
  })

  test.each<[string, object]>([
    ['a repository at GitHub', { issuer: github, claims: { repository: 'acme/reports' } }],
    ['a subject at GitHub', { issuer: github, claims: undefined, subject }],
    ['a project at GitLab', { issuer: 'https://gitlab.com', claims: { project_path: 'acme/reports' } }],
    ['any claim at an issuer of one’s own', { issuer: 'https://builds.example', claims: { ref: 'main' } }],
  ])('may be described by %s', async (_, more) => {
    expect((await sendWith({ ...trusted, ...more })).status).toBe(200)
  })

  test('is trusted by nobody who may not do what the account may do', async () => {
    const name = `keeper-${randomUUID().slice(0, 8)}`
    await roles.create({ body: { name, permissions: ['service-accounts:manage', 'rules:read'] } })
    const keeper = (await service.person(name)).client.serviceAccounts
    const id = await newAccount()
    await expect(keeper.update({ account_id: id, body: { workloads: [trusted] } })).rejects.toThrow('permission_denied')
    const { token } = await service.person()
    const body = { workloads: [trusted] }
    expect((await service.send('PUT', `/service-accounts/${id}`, { token, body })).status).toBe(403)
  })
})
