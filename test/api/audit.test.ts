import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { DeleteItemCommand, DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import { readChains } from '../../local/audit/trail.ts'
import { operator } from '../../local/cloud.ts'
import { verifyService } from '../../local/verify-audit.ts'
import type { AuditEntry } from '../../shared/api/audit.ts'
import { isAudited } from '../../shared/api/endpoint.ts'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { MAX_WEBHOOKS } from '../../shared/api/webhooks.ts'
import { deployed } from './deployed.ts'
import { bodies, make, makeFinishedJob, makeJob, makeReidentification, type Parameter } from './requests.ts'
import { addSecondFactor, codeFor } from './second-factor.ts'
import { type Reply, useOwnService } from './setup.ts'
import { browserOf } from './sign-on.ts'
import { startProviders } from './test-provider.ts'
import { exchangeBody } from './workload.ts'

/** Whether the table of the trail is out of order. */
let isBroken = false

/** What functions write to tables while the trail is out of order, by their names. */
const written = new Map<string, string[]>()

/**
 * What is written before a change and is none: counts of calls and attempts, places that somebody logs in from, log-ins and codes
 * that are used up, notes for the sweeper and of uses, and numbers that keys may get.
 */
const beside = /Table(Rates|Replies)"|"(ATTEMPTS|PLACES|SECOND-FACTOR|WATCH|NUMBERS)"|"(SIGN_ON|USE)#|"ADD #uses :one"/

const { tenants, stop } = await startProviders(['acme'])
afterAll(stop)
const { acme } = tenants
const provider = { name: 'acme', title: 'acme', issuer: acme.issuer, clientId: 'service', domains: ['acme.example'] }

const service = await useOwnService({
  environment: { IDENTITY_PROVIDERS: JSON.stringify([{ ...provider, provision: 'create' }]) },
  faults: (store, action, asked, caller) => {
    if (!isBroken || store !== 'dynamodb' || !/Put|Update|Delete|Write/.test(action)) return undefined
    const writes = ((asked.TransactItems ?? [asked]) as object[]).map(write => JSON.stringify(write))
    if (writes.some(write => write.includes('"TableAudit"')))
      return { error: { name: 'ValidationException', status: 400 } }
    const changes = writes.filter(write => !beside.test(write))
    written.set(caller, [...(written.get(caller) ?? []), ...changes])
    return undefined
  },
})

const today = () => new Date().toISOString().slice(0, 10)
const check = async () => (await verifyService(service.admin.client)).findings

describe('POST /audit/list', () => {
  test('tells who did what to which record, when, from where, and how it ended', async () => {
    const ada = await service.person()
    const config = { regexRuleConfig: { pattern: 'secret-[0-9]+' } }
    const { body: rule, headers } = await ada.client.rules.create.full({
      body: { name: 'Confidential', type: 'REGEX', config },
    })
    await ada.client.rules.delete({ rule_id: rule.id })
    await service.send('DELETE', `/rules/${rule.id}`, { token: ada.token })
    await service.send('PUT', `/users/${ada.user.id}`, { token: ada.token, body: { role: 'admin' } })
    const { body, headers: page } = await service.admin.client.audit.list.full({
      body: { filters: { userId: ada.user.id } },
    })
    expect(
      body.map(({ operation, recordId, outcome, status, problem }) => [operation, recordId, outcome, status, problem]),
    ).toEqual([
      ['PUT /users/{user_id}', ada.user.id, 'refused', 403, 'permission_denied'],
      ['DELETE /rules/{rule_id}', rule.id, 'refused', 404, 'not_found'],
      ['DELETE /rules/{rule_id}', rule.id, 'done', 200, null],
      ['POST /rules/', rule.id, 'done', 200, null],
      ['POST /auth/login', null, 'done', 200, null],
      ['POST /auth/register', ada.user.id, 'done', 200, null],
    ])
    expect(page.get('x-total-count')).toBe('6')
    const created = body.find(({ operation }) => operation === 'POST /rules/')!
    expect(created.requestId).toBe(headers.get('x-request-id'))
    expect(created.address).toMatch(deployed ? /^[0-9a-f.:]+$/ : /^127\.0\.0\.1$/)
    expect(Math.abs(Date.now() - Date.parse(created.at))).toBeLessThan(60_000)
    const text = JSON.stringify(body)
    for (const content of ['Confidential', 'secret-', ada.user.email, ada.user.name, ada.password, ada.token]) {
      expect(text).not.toContain(content)
    }
  })

  test('does not record what only reads', async () => {
    const ada = await service.person()
    await ada.client.rules.list()
    await ada.client.auth.me()
    const entries = await service.admin.client.audit.list({ body: { filters: { userId: ada.user.id } } })
    expect(entries.map(({ operation }) => operation)).toEqual(['POST /auth/login', 'POST /auth/register'])
  })

  test('records who gets results to see, once an hour for a session and a job, however often it is asked', async () => {
    const ada = await service.person()
    const jobId = await makeFinishedJob(ada.client)
    for (let n = 0; n < 3; n++) await ada.client.jobs.get({ job_id: jobId })
    const job = await ada.client.jobs.get({ job_id: jobId })
    for (let n = 0; n < 2; n++) await ada.client.assets.report({ asset_id: job.result!.assets[0]!.assetId })
    const again = await service.logIn(ada.user.email, ada.password)
    await again.client.jobs.get({ job_id: jobId })
    const entries = await service.admin.client.audit.list({ body: { filters: { userId: ada.user.id } } })
    const looks = entries.filter(({ operation }) => operation.startsWith('GET '))
    expect(looks.map(({ operation, recordId, outcome }) => [operation, recordId, outcome])).toEqual([
      ['GET /jobs/{job_id}', jobId, 'done'],
      ['GET /assets/{asset_id}/report', job.Assets[0]!.id, 'done'],
      ['GET /jobs/{job_id}', jobId, 'done'],
    ])
  })

  test('records looks at a job before it has results no more than looks into nothing', async () => {
    const ada = await service.person()
    const { id } = await makeJob(ada.client)
    await ada.client.jobs.get({ job_id: id })
    const entries = await service.admin.client.audit.list({ body: { filters: { userId: ada.user.id } } })
    expect(entries.filter(({ operation }) => operation.startsWith('GET '))).toEqual([])
  })

  test('records how a call that gives a download ended, though its entry is signed before that is known', async () => {
    const [ada, grace] = [await service.person(), await service.person()]
    const { Assets } = await makeJob(ada.client)
    const path = `/assets/${Assets[0]!.id}/url`
    for (const { token } of [ada, grace]) await service.send('GET', path, { token })
    await service.send('GET', `${path}?page=1`, { token: ada.token })
    const entries = await service.admin.client.audit.list({
      body: { filters: { operation: 'GET /assets/{asset_id}/url' } },
    })
    const mine = entries.filter(({ userId }) => [ada.user.id, grace.user.id].includes(userId!))
    expect(mine.map(({ userId, outcome, problem }) => [userId, outcome, problem])).toEqual([
      [ada.user.id, 'refused', expect.any(String)],
      [grace.user.id, 'refused', 'not_found'],
      [ada.user.id, 'done', null],
    ])
    if (!deployed) expect(await check()).toEqual([])
  })

  test('records how a call that changes a record ended, though its entry is signed before that is known', async () => {
    const [ada, grace] = [await service.person(), await service.person()]
    const config = { regexRuleConfig: { pattern: 'a' } }
    const rule = await ada.client.rules.create({ body: { name: 'A', type: 'REGEX', config } })
    const rules = [{ ruleId: rule.id, replacement: { text: 'B' } }]
    const body = { name: 'A', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
    const workflow = await ada.client.workflows.create({ body })
    for (const { token } of [ada, grace]) await service.send('DELETE', `/rules/${rule.id}`, { token })
    await ada.client.workflows.delete({ workflow_id: workflow.id })
    await ada.client.rules.delete({ rule_id: rule.id })
    const entries = await service.admin.client.audit.list({
      body: { filters: { operation: 'DELETE /rules/{rule_id}' } },
    })
    const mine = entries.filter(({ recordId }) => recordId === rule.id)
    expect(mine.map(({ userId, outcome, problem }) => [userId, outcome, problem])).toEqual([
      [ada.user.id, 'done', null],
      [grace.user.id, 'refused', 'not_found'],
      [ada.user.id, 'refused', 'in_use'],
    ])
    if (!deployed) expect(await check()).toEqual([])
  })

  test('tells which record a call has made, and none where it was refused in the end', async () => {
    const ada = await service.person()
    const body = { name: 'A', url: 'https://example.org/', events: ['job.succeeded' as const] }
    const { id } = await ada.client.webhooks.create({ body })
    for (let n = 1; n < MAX_WEBHOOKS; n++) await ada.client.webhooks.create({ body })
    expect((await service.send('POST', '/webhooks/', { token: ada.token, body })).status).toBe(400)
    const filters = { userId: ada.user.id, operation: 'POST /webhooks/' }
    const entries = await service.admin.client.audit.list({ body: { filters, limit: 100 } })
    expect(entries.map(({ outcome }) => outcome)).toEqual(['refused', ...Array(MAX_WEBHOOKS).fill('done')])
    expect([entries[0]!.recordId, entries.at(-1)!.recordId]).toEqual([null, id])
  })

  test('records each look into a source', async () => {
    const ada = await service.person()
    const source = await ada.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    await ada.client.sources.preview({ source_id: source.id, body: {} })
    const filters = { userId: ada.user.id, operation: 'POST /sources/{source_id}/preview' }
    const [entry, ...others] = await service.admin.client.audit.list({ body: { filters } })
    expect([entry, others]).toEqual([expect.objectContaining({ recordId: source.id, outcome: 'done' }), []])
  })

  test.skipIf(deployed)('gives pages, newest first, with the total', async () => {
    const { body: all, headers } = await service.admin.client.audit.list.full({ query: { limit: 1000 } })
    expect(headers.get('x-total-count')).toBe(String(all.length))
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    const page = await service.admin.client.audit.list({ body: { skip: 2, limit: 3 } })
    expect(page).toEqual(all.slice(2, 5))
  })

  test('is for those who may read it', async () => {
    const ada = await service.person()
    expect((await service.send('POST', '/audit/list', { token: ada.token })).status).toBe(403)
    expect((await service.send('GET', '/audit/heads', { token: ada.token })).status).toBe(403)
  })
})

describe.skipIf(deployed)('a trail that cannot be written to', () => {
  test('leaves what was to be changed as it was', async () => {
    const person = await service.person()
    const { client, token, user } = person
    const { admin } = service
    const schedule = await make(service, person, 'schedule_id')
    const regex = { name: 'B', type: 'REGEX' as const, config: { regexRuleConfig: { pattern: 'a' } } }
    const rule = await client.rules.create({ body: regex })
    const spare = await client.rules.create({ body: regex })
    const config = { rules: [{ ruleId: rule.id, replacement: { text: 'B' } }] }
    const letters = { name: 'B', supportedAssetType: 'DOCUMENT' as const, config }
    const workflow = await client.workflows.create({ body: letters })
    const job = await client.jobs.upload({ body: { name: 'A' }, files: [{ name: 'a.txt', content: 'a' }] })
    await client.jobs.update({ job_id: job.id, body: { workflowId: workflow.id } })
    const finished = await makeFinishedJob(client)
    const list = await client.lists.create({ body: { name: 'A' } })
    const hook = { name: 'B', url: 'https://example.org/', events: ['job.succeeded' as const] }
    const webhook = await client.webhooks.create({ body: hook })
    const source = await client.sources.create({ body: { name: 'A', kind: 'LOCAL_ASSET', config: {} } })
    const role = await admin.client.roles.create({ body: { name: `role-${user.id}`, permissions: [] } })
    const robot = { name: 'B', role: 'user', permissions: ['rules:read'] }
    const account = await admin.client.serviceAccounts.create({ body: robot })
    const calls = [
      ['POST', '/rules/', regex],
      ['PUT', `/rules/${rule.id}`, { name: 'C' }],
      ['DELETE', `/rules/${spare.id}`],
      ['POST', '/workflows/', letters],
      ['PUT', `/workflows/${workflow.id}`, { name: 'C' }],
      ['PUT', `/jobs/${job.id}`, { name: 'C' }],
      ['POST', `/jobs/${job.id}/execute`],
      ['PUT', `/jobs/${job.id}/cancel`],
      ['POST', `/jobs/${finished}/copy`],
      ['DELETE', `/jobs/${finished}`],
      ['POST', '/jobs/uploads', { name: 'C', files: [{ filename: 'b.txt', size: 1 }] }],
      ['POST', '/lists/', { name: 'C' }],
      ['PUT', `/lists/${list.id}`, { name: 'C' }],
      ['DELETE', `/lists/${list.id}`],
      ['POST', '/webhooks/', hook],
      ['PUT', `/webhooks/${webhook.id}`, { name: 'C' }],
      ['POST', `/webhooks/${webhook.id}/secret`, {}],
      ['DELETE', `/webhooks/${webhook.id}`],
      ['POST', '/sources/', { name: 'C', kind: 'LOCAL_ASSET', config: {} }],
      ['PUT', `/sources/${source.id}`, { name: 'C' }],
      ['DELETE', `/sources/${source.id}`],
      ['PUT', `/schedules/${schedule}`, { enabled: false }],
      ['DELETE', `/schedules/${schedule}`],
      ['POST', '/permissions/', { name: `things:p${user.id.slice(0, 8)}`, description: '' }],
      ['POST', '/roles/', { name: `other-${user.id}`, permissions: [] }],
      ['PUT', `/roles/${role.id}`, { description: 'C' }],
      ['DELETE', `/roles/${role.id}`],
      ['POST', '/service-accounts/', robot],
      ['PUT', `/service-accounts/${account.id}`, { name: 'C' }],
      ['POST', `/service-accounts/${account.id}/keys`, {}],
      ['DELETE', `/service-accounts/${account.id}`],
      ['PUT', `/users/${user.id}`, { name: 'C' }],
      ['PUT', `/users/${user.id}/block`, { blocked: true }],
      ['DELETE', `/users/${user.id}`],
    ] as const
    const mine = ['rules', 'workflows', 'jobs', 'lists', 'sources', 'schedules']
    const all = async () => ({
      mine: await Promise.all(
        mine.map(async name => (await service.send('POST', `/${name}/list`, { token, body: {} })).body),
      ),
      job: await client.jobs.get({ job_id: job.id }),
      webhooks: await client.webhooks.list({}),
      roles: await admin.client.roles.list({}),
      accounts: await admin.client.serviceAccounts.list({}),
      user: await admin.client.users.get({ user_id: user.id }),
    })
    const before = await all()
    const byWhom = (path: string) => (/^\/(roles|permissions|service|users)/.test(path) ? admin.token : token)
    const answers: string[] = []
    isBroken = true
    for (const [method, path, body] of calls) {
      answers.push(`${method} ${path} ${(await service.send(method, path, { token: byWhom(path), body })).status}`)
    }
    isBroken = false
    expect(answers).toEqual(calls.map(([method, path]) => `${method} ${path} 500`))
    expect(await all()).toEqual(before)
    expect(await check()).toEqual([])
    // Of each that is done there is one entry.
    const made = new Map<string | null, string>()
    for (const [method, path, body] of calls) {
      const { status, headers } = await service.send(method, path, { token: byWhom(path), body })
      made.set(headers.get('x-request-id'), `${method} ${path} ${status}`)
    }
    expect([...made.values()]).toEqual(calls.map(([method, path]) => `${method} ${path} 200`))
    const entries = await admin.client.audit.list({ body: { limit: 1000 } })
    const told = entries.flatMap(({ requestId, outcome }) =>
      made.has(requestId) ? `${made.get(requestId)} ${outcome}` : [],
    )
    expect(told.toSorted()).toEqual([...made.values()].map(call => `${call} done`).toSorted())
  })
})

describe.skipIf(deployed)('a call whose entry cannot be written', () => {
  const { admin, send } = service
  const prepared = bodies(service.files)
  const { begin, comeBack, signOn, tokenOf } = browserOf(service)
  type Call = () => Promise<Reply>

  const ordinary = async ({ resource, operation, path, parameters, method }: DeclaredEndpoint): Promise<Call> => {
    const ready = (await prepared[`${resource}.${operation}`]?.(service, admin)) ?? {}
    let filled = path
    for (const name of parameters)
      filled = filled.replace(`{${name}}`, ready.path?.[name] ?? (await make(service, admin, name as Parameter)))
    return () => send(method, filled, { token: admin.token, body: ready.body })
  }

  const somebody = () => ({ email: `${randomUUID()}@acme.example`, email_verified: true, name: 'Ada' })
  const atProvider = (claims: object): Call => {
    const sub = randomUUID()
    return async () => {
      const { asked, cookie } = await begin('acme')
      const code = acme.code(asked, () => acme.sign(acme.claims(asked.nonce, { ...claims, sub })))
      return comeBack('acme', { code, state: asked.state }, cookie)
    }
  }
  const requested = async (status?: 'APPROVED') => {
    const { client, token } = await service.person()
    const reidentification_id = await makeReidentification(client)
    if (status) await admin.client.reidentifications.approve({ reidentification_id, body: {} })
    return { token, path: `/reidentifications/${reidentification_id}` }
  }
  const gone = async (path: string) => {
    await send('DELETE', path, { token: admin.token })
    return () => send('DELETE', `${path}?purge=true`, { token: admin.token })
  }

  /** Calls that need more than a record and a body, by what they do besides. */
  const special: Record<string, () => Promise<Call>> = {
    'auth-login with a second factor': async () => {
      const person = await service.person()
      const { recoveryCodes } = await addSecondFactor(person)
      const { email } = person.user
      return () =>
        send('POST', '/auth/login', { body: { email, password: person.password, code: recoveryCodes.pop() } })
    },
    'auth-logout': async () => {
      const { token } = await service.person()
      return () => send('POST', '/auth/logout', { token })
    },
    'auth-changePassword': async () => {
      const { token, password: currentPassword } = await service.person()
      const body = { currentPassword, newPassword: 'quite another battery' }
      return () => send('PUT', '/auth/password', { token, body })
    },
    'auth-setUpSecondFactor': async () => {
      const { token, password: currentPassword } = await service.person()
      return () => send('POST', '/auth/second-factor', { token, body: { currentPassword } })
    },
    'auth-enableSecondFactor': async () => {
      const { token, client, password: currentPassword } = await service.person()
      const { secret } = await client.auth.setUpSecondFactor({ body: { currentPassword } })
      return () => send('PUT', '/auth/second-factor', { token, body: { code: codeFor(secret) } })
    },
    'auth-disableSecondFactor': async () => {
      const person = await service.person()
      const { recoveryCodes } = await addSecondFactor(person)
      return () => send('DELETE', '/auth/second-factor', { token: person.token, body: { code: recoveryCodes.pop() } })
    },
    'auth-exchange': async () => {
      const workloads = [{ issuer: acme.issuer, audience: 'service', subject: 'ada' }]
      const body = { name: 'Build', role: 'user', permissions: ['rules:read'], workloads }
      const { id } = await admin.client.serviceAccounts.create({ body })
      const { nonce: _, auth_time: __, ...claims } = acme.claims('', { jti: randomUUID() })
      const token = await acme.sign(claims)
      return () => send('POST', '/auth/token', { body: exchangeBody(id, token) })
    },
    'identity-callback of somebody new': async () => atProvider(somebody()),
    'identity-callback of somebody who had a password': async () => {
      const claims = somebody()
      const body = { name: 'Ada', email: claims.email, password: 'correct horse battery' }
      await send('POST', '/auth/register', { body })
      return atProvider(claims)
    },
    'identity-logout': async () => {
      const claims = { ...somebody(), sub: randomUUID() }
      await signOn('acme', acme, claims)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const { nonce: _, ...said } = acme.claims('', { sub: claims.sub, jti: randomUUID(), events })
      const logout_token = await acme.sign(said)
      return () => send('POST', '/identity/providers/acme/logout', { body: { logout_token } })
    },
    'identity-setSecret': async () => () =>
      send('PUT', '/identity/providers/acme/secret', { token: admin.token, body: { secret: null } }),
    'reidentifications-approve': async () => {
      const { path } = await requested()
      return () => send('POST', `${path}/approve`, { token: admin.token, body: {} })
    },
    'reidentifications-reject': async () => {
      const { path } = await requested()
      return () => send('POST', `${path}/reject`, { token: admin.token })
    },
    'reidentifications-open': async () => {
      const { path, token } = await requested('APPROVED')
      return () => send('POST', `${path}/open`, { token })
    },
    'users-resetSecondFactor': async () => {
      const person = await service.person()
      await addSecondFactor(person)
      return () => send('DELETE', `/users/${person.user.id}/second-factor`, { token: admin.token })
    },
    'users-delete that purges': async () => gone(`/users/${await make(service, admin, 'user_id')}`),
    'serviceAccounts-delete that purges': async () =>
      gone(`/service-accounts/${await make(service, admin, 'account_id')}`),
  }

  const changes = endpoints
    .filter(({ endpoint, method }) => isAudited(endpoint) && method !== 'GET')
    .map(declared => [`${declared.resource}-${declared.operation}`, () => ordinary(declared)] as const)
    .filter(([name]) => special[name] === undefined)

  test.each([...changes, ...Object.entries(special)])('changes nothing: %s', async (title, prepare) => {
    const [name = ''] = title.split(' ')
    const call = await prepare()
    written.clear()
    isBroken = true
    const broken = await call().finally(() => {
      isBroken = false
    })
    expect([broken.status, written.get(name) ?? []]).toEqual([500, []])
    const { status, headers } = await call()
    expect(status).toBe(name === 'identity-callback' ? 302 : 200)
    // What was done has one entry.
    const requestId = headers.get('x-request-id')
    const entries = await admin.client.audit.list({ body: { limit: 20 } })
    expect(entries.filter(entry => entry.requestId === requestId).map(({ outcome }) => outcome)).toEqual(['done'])
  })

  test('leaves a session whose refresh token is exchanged, and one that is ended, as they were', async () => {
    const { refreshToken, token } = await service.person()
    const me = async () => (await send('GET', '/auth/me', { token })).status
    isBroken = true
    const refused = [
      await send('POST', '/auth/refresh', { body: { refresh_token: refreshToken } }),
      await send('POST', '/auth/logout', { token }),
    ].map(({ status }) => status)
    isBroken = false
    expect([refused, await me()]).toEqual([[500, 500], 200])
    expect((await send('POST', '/auth/refresh', { body: { refresh_token: refreshToken } })).status).toBe(200)
    await send('POST', '/auth/logout', { token })
    expect(await me()).toBe(401)
  })

  test('tells who has come by a provider, and of nobody who could not be made', async () => {
    const first = await atProvider(somebody())()
    const { id } = (await send('GET', '/auth/me', { token: await tokenOf(first) })).body as { id: string }
    const { user } = await service.person()
    const taken = await send('POST', '/auth/register', {
      body: { name: 'Ada', email: user.email, password: 'correct horse battery' },
    })
    const told = async ({ headers }: Reply) => {
      const entries = await admin.client.audit.list({ body: { limit: 20 } })
      const { userId, recordId, outcome } = entries.find(entry => entry.requestId === headers.get('x-request-id'))!
      return { userId, recordId, outcome }
    }
    expect(await told(first)).toEqual({ userId: id, recordId: id, outcome: 'done' })
    expect(await told(taken)).toEqual({ userId: null, recordId: null, outcome: 'refused' })
  })
})

describe('the chains', () => {
  test('hold together under many calls at the same moment, and none is missing', async () => {
    const ada = await service.person()
    const config = { regexRuleConfig: { pattern: 'a' } }
    const body = { name: 'A', type: 'REGEX' as const, config }
    // A new account runs ten functions at once.
    const calls = Array.from({ length: deployed ? 10 : 60 }, () => ada.client.rules.create({ body }))
    const rules = await Promise.all(calls)
    expect(await check()).toEqual([])
    const entries: AuditEntry[] = []
    for await (const [, chain] of readChains(service.admin.client, today(), today())) entries.push(...chain)
    const recorded = entries.filter(({ operation }) => operation === 'POST /rules/').map(({ recordId }) => recordId)
    expect(rules.filter(({ id }) => !recorded.includes(id))).toEqual([])
  })

  test.skipIf(deployed)('show that an entry was changed or removed', async () => {
    const dynamodb = new DynamoDBClient({
      endpoint: service.cloud.endpoints.dynamodb,
      region: 'eu-central-1',
      credentials: operator,
    })
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'TableAudit' }))
    const [first, second] = Items.filter(({ pk, seq }) => pk?.S?.startsWith('DAY#') && Number(seq?.N) > 1)
    const keyOf = ({ pk, sk }: NonNullable<typeof first>) => ({ pk: pk!, sk: sk! })
    const place = (item: NonNullable<typeof first>) => ({ shard: Number(item.shard?.N), seq: Number(item.seq?.N) })
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: 'TableAudit',
        Key: keyOf(first!),
        UpdateExpression: 'SET userId = :other',
        ExpressionAttributeValues: { ':other': { S: service.admin.user.id } },
      }),
    )
    expect(await check()).toContainEqual({ ...place(first!), msg: 'was changed' })
    await dynamodb.send(new DeleteItemCommand({ TableName: 'TableAudit', Key: keyOf(second!) }))
    expect(await check()).toContainEqual({ ...place(second!), msg: 'was removed' })
    dynamodb.destroy()
    const { code, stdout, stderr } = await verify()
    expect(code).toBe(1)
    expect(stdout).toMatch(/entries checked, [1-9]\d* faults found/)
    expect(stderr).toContain(`Entry ${place(second!).seq} of chain ${place(second!).shard} was removed`)
  })
})

/** Runs the command as an operator would. */
const verify = (): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const args = ['local/verify-audit.ts', '--url', service.baseUrl, '--from', today()]
    const env = { ...process.env, AUDIT_TOKEN: service.admin.token }
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
