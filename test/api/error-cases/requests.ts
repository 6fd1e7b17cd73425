import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { form, makeRule } from '../requests.ts'
import type { Reply } from '../setup.ts'
import type { Provocation, Stage } from './stage.ts'

const rule = (config: object, rest: object = {}) => ({ name: 'Numbers', type: 'REGEX', config, ...rest })
const pattern =
  (regexRuleConfig: object): Provocation =>
  ({ send }) =>
    send('POST', '/rules/', rule({ regexRuleConfig }))
const model =
  (config: object): Provocation =>
  ({ send }) => {
    const aiModelRuleConfig = { modelId: 'pii-ner', modelVersion: '1.0.0', ...config }
    return send('POST', '/rules/', { name: 'Names', type: 'AIMODEL', config: { aiModelRuleConfig } })
  }
const numbers = { regexRuleConfig: { pattern: '[0-9]+' } }
const post =
  (path: string, body: unknown): Provocation =>
  ({ send }) =>
    send('POST', path, body)

const withKey = ({ service, user }: Stage, key: string, name: string) => {
  const headers = { 'Idempotency-Key': key }
  return service.send('POST', '/rules/', { token: user.token, headers, body: rule(numbers, { name }) })
}

/** A request for each fault in the shape of a request, and for each limit. */
export const ofRequests = {
  json_invalid: post('/rules/', '{'),
  missing: post('/rules/', rule(numbers, { name: undefined })),
  unknown_field: post('/rules/', rule(numbers, { owner: 'me' })),
  invalid_type: post('/rules/', rule(numbers, { name: 1 })),
  invalid_value: post('/rules/', rule(numbers, { type: 'MAGIC' })),
  invalid_format: post('/auth/register', { name: 'Ada', email: 'ada', password: 'correct horse battery' }),
  invalid_union: post('/sources/test', { sourceId: randomUUID(), kind: 'LOCAL_ASSET', config: {} }),
  too_small: post('/rules/', rule(numbers, { name: '' })),
  too_big: post('/rules/', rule(numbers, { name: 'n'.repeat(1001) })),
  too_deep: post('/rules/', `${'['.repeat(200)}${']'.repeat(200)}`),
  conflicting_values: post('/rules/list?limit=1', { limit: 2 }),
  multipart_invalid: ({ service, user }) =>
    service.send('POST', '/jobs/upload', {
      token: user.token,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ncut off',
    }),
  config_mismatch: async ({ user, send }) => send('PUT', `/rules/${await makeRule(user.client)}`, { type: 'AIMODEL' }),
  regex_syntax: pattern({ pattern: '(' }),
  regex_too_long: pattern({ pattern: 'a'.repeat(1001) }),
  regex_empty_match: pattern({ pattern: 'a*' }),
  regex_too_complex: pattern({ pattern: `${'('.repeat(100)}a${')'.repeat(100)}` }),
  validator_unknown: pattern({ pattern: 'a', validator: 'astrology' }),
  model_not_found: model({ modelVersion: '9.9.9' }),
  label_unknown: model({ modelParameters: { entities: ['DRAGON'] } }),
  payload_too_large: ({ service, user }) => {
    const body = form({ name: 'Large' }, { 'a.txt': 'x'.repeat(7_000_000) })
    return service.send('POST', '/jobs/upload', { token: user.token, body })
  },
  method_not_allowed: ({ service, user }) => service.send('GET', '/mcp', { token: user.token }),
  unsupported_media_type: ({ service, user }) =>
    service.send('POST', '/rules/', { token: user.token, headers: { 'content-type': 'text/plain' }, body: 'name' }),
  idempotency_mismatch: async stage => {
    const key = randomUUID()
    await withKey(stage, key, 'One')
    return withKey(stage, key, 'Another')
  },
  idempotency_in_progress: async stage => {
    const key = randomUUID()
    const calm = stage.disturb({ table: 'Rules', delayMs: 3000 })
    const replies = await Promise.all([withKey(stage, key, 'One'), withKey(stage, key, 'One')])
    calm()
    return replies.find(({ status }) => status !== 200)!
  },
  quota_exceeded: async ({ service }) => {
    const name = `small-${randomUUID()}`
    await service.admin.client.roles.create({
      body: { name, permissions: ['jobs:write'], quota: { bytesPerDay: 1 } },
    })
    const { token } = await service.person(name)
    const body = form({ name: 'Large' }, { 'a.txt': 'xx' })
    return service.send('POST', '/jobs/upload', { token, body })
  },
  too_many_running: async ({ strict }) => {
    const { client, token } = strict.admin
    const { id } = await client.jobs.upload({
      body: { name: 'One' },
      files: [{ name: 'a.txt', content: 'Dear Grace,' }],
    })
    return strict.send('POST', `/jobs/${id}/execute`, { token })
  },
  rate_limited: async ({ strict }) => {
    const ask = () => strict.send('POST', '/auth/refresh', { body: { refresh_token: 'x'.repeat(43) } })
    let reply = await ask()
    // The window may end in between.
    for (let n = 0; n < 12 && reply.status !== 429; n++) reply = await ask()
    return reply
  },
} satisfies Record<string, Provocation>

/** Asks under a name that the address has elsewhere; `fetch` always gives its own. */
function underName(baseUrl: string, Host: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const asked = request(`${baseUrl}/api/auth/me`, { headers: { Host } }, async answer => {
    const body = JSON.parse(await text(answer))
    const headers = new Headers(answer.headers as Record<string, string>)
    resolve({ status: answer.statusCode!, headers, text: JSON.stringify(body), body })
  })
  asked.on('error', reject).end()
  return promise
}

/** A request for each way in which the service itself can fail. */
export const ofFailures = {
  internal: async ({ disturb, send }) => {
    const calm = disturb({ table: 'Workflows', error: { name: 'InternalServerError', status: 500 } })
    return send('POST', '/workflows/list', {}).finally(calm)
  },
  unavailable: async ({ disturb, send }) => {
    const calm = disturb({ table: 'Rules', caller: 'rules-list', error: { name: 'ThrottlingException', status: 400 } })
    return send('POST', '/rules/list', {}).finally(calm)
  },
  bad_gateway: async ({ disturb, send, service }) => {
    const calm = disturb({ table: 'Sources', delayMs: 3000 })
    const reply = send('POST', '/sources/list', {}).finally(calm)
    await new Promise(resolve => setTimeout(resolve, 1000))
    service.cloud.crash('sources-list')
    return reply
  },
  host_not_allowed: ({ service }) => underName(service.baseUrl, 'rebound.example'),
  gateway_timeout: async ({ disturb, send }) => {
    const calm = disturb({ table: 'Notifications', caller: 'notifications-list', delayMs: 40_000 })
    return send('POST', '/notifications/list', {}).finally(calm)
  },
} satisfies Record<string, Provocation>
