import { randomUUID } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { beforeAll, describe, expect, test } from 'vitest'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { deployed } from './deployed.ts'
import { bodies, make, makeJob, makeRule, makeWorkflow, type Parameter } from './requests.ts'
import { type Reply, useOwnService } from './setup.ts'

const service = await useOwnService()
const ada = await service.person()
const eve = await service.person()

const problemsOf = ({ body }: Reply) => (body as { detail: { loc: string[]; type: string }[] }).detail
const typeOf = (reply: Reply) => problemsOf(reply)[0]!.type
const me = (token: string) => service.send('GET', '/auth/me', { token })

describe('ids of others', () => {
  let rule: string
  let workflow: string
  let source: string
  beforeAll(async () => {
    rule = await makeRule(ada.client)
    workflow = await makeWorkflow(ada.client)
    source = await make(service, ada, 'source_id')
  })

  test('in bodies answer as if there were no such record', async () => {
    const job = await makeJob(eve.client)
    const theirs = (await makeJob(ada.client)).Assets[0]!.id
    const config = { rules: [{ ruleId: rule, replacement: { text: '#' } }] }
    const cases: [string, string, unknown, number, string][] = [
      [
        'POST',
        '/workflows/',
        { name: 'W', description: '', supportedAssetType: 'DOCUMENT', config },
        400,
        'rule_not_found',
      ],
      ['PUT', `/jobs/${job.id}`, { workflowId: workflow }, 400, 'workflow_not_found'],
      ['POST', '/sources/test', { sourceId: source }, 400, 'source_unknown'],
      [
        'POST',
        '/jobs/load',
        { sourceId: source, sourceType: 'LOCAL_ASSET', files_load_config: { filenames: ['a'] } },
        400,
        'source_unknown',
      ],
      ['DELETE', `/jobs/${job.id}/assets`, { assetIds: [theirs] }, 404, 'not_found'],
    ]
    for (const [method, path, body, status, type] of cases) {
      const reply = await service.send(method, path, { token: eve.token, body })
      expect([path, reply.status, typeOf(reply)]).toEqual([path, status, type])
    }
  })

  test('in a workflow read nothing of theirs, whoever runs it', async () => {
    const files = [{ name: 'levels.csv', content: '12345;of Ada\n' }]
    const assetId = (await ada.client.jobs.upload({ body: { name: 'Levels' }, files })).Assets[0]!.id
    const replacement = { generalise: { hierarchy: { level: 1, assetId } } }
    const workflowOf = async ({ client }: typeof eve) => {
      const config = { regexRuleConfig: { pattern: '[0-9]{5}' } }
      const { id: ruleId } = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
      const body = { name: 'W', supportedAssetType: 'DOCUMENT' as const, config: { rules: [{ ruleId, replacement }] } }
      return (await client.workflows.create({ body })).id
    }
    const run = async ({ token }: typeof eve, workflowId: string) => {
      const reply = await service.send('POST', '/texts', { token, body: { texts: ['12345'], workflowId } })
      return [reply.status, reply.text.includes('of Ada')]
    }
    const [hers, own] = [await workflowOf(eve), await workflowOf(ada)]
    expect(await run(eve, hers)).toEqual([404, false])
    expect(await run(service.admin, hers)).toEqual([404, false])
    expect(await run(ada, own)).toEqual([200, true])
    expect(await run(service.admin, own)).toEqual([200, true])
    const letters = [{ name: 'a.txt', content: '12345' }]
    const { id: job_id } = await eve.client.jobs.upload({ body: { name: 'Letters' }, files: letters })
    await eve.client.jobs.update({ job_id, body: { workflowId: hers } })
    await expect(service.admin.client.jobs.execute({ job_id })).rejects.toMatchObject({ status: 404 })
  })

  test('never show in lists, searches and filters', async () => {
    for (const list of ['/rules/list', '/workflows/list', '/jobs/list', '/sources/list', '/notifications/list']) {
      for (const body of [{}, { search: 'e' }, { sort: [{ field: 'createdAt', order: 'asc' }] }]) {
        const reply = await service.send('POST', list, { token: eve.token, body })
        expect(reply.text).not.toContain(rule)
        expect(reply.text).not.toContain(workflow)
        expect(reply.text).not.toContain(source)
      }
    }
  })
})

describe('mass assignment', () => {
  const prepared = bodies('/nonexistent')
  const forbidden = {
    id: '00000000-0000-4000-8000-000000000000',
    ownerId: '00000000-0000-4000-8000-000000000000',
    role: 'admin',
    blocked: false,
    builtIn: true,
    status: 'SUCCEEDED',
    createdAt: '2000-01-01T00:00:00.000Z',
    pk: 'USER#1',
    listOwner: 'x',
    passwordHash: 'x',
    sessionEpoch: 0,
    sealed: {},
  }
  const taking = endpoints.filter(
    ({ resource, operation, endpoint }) =>
      endpoint.body && !endpoint.multipart && prepared[`${resource}.${operation}`] && operation !== 'load',
  )

  test.each(taking)('$endpoint.route writes no field that it does not name', async (declared: DeclaredEndpoint) => {
    const ready = await prepared[`${declared.resource}.${declared.operation}`]!(service, service.admin)
    let path = declared.path
    for (const name of declared.parameters)
      path = path.replace(`{${name}}`, ready.path?.[name] ?? (await make(service, service.admin, name as Parameter)))
    const named = new Set(Object.keys((ready.body ?? {}) as object))
    const allowed =
      declared.operation === 'update' && declared.resource === 'users'
        ? ['role']
        : declared.operation === 'block'
          ? ['blocked']
          : []
    const extra = Object.entries(forbidden).filter(([name]) => !named.has(name) && !allowed.includes(name))
    const body = { ...(ready.body as object), ...Object.fromEntries(extra) }
    const reply = await service.send(declared.method, path, { token: service.admin.token, body })
    expect(reply.status).toBe(422)
  })

  test('registration makes a user, whatever it says', async () => {
    const body = { name: 'Eve', email: `${randomUUID()}@example.org`, password: 'correct horse battery', role: 'admin' }
    const reply = await service.send('POST', '/auth/register', { body })
    expect([reply.status, typeOf(reply), problemsOf(reply)[0]!.loc]).toEqual([422, 'unknown_field', ['body', 'role']])
  })
})

describe('hostile bodies', () => {
  const post = (body: string, headers = {}) =>
    service.send('POST', '/rules/list', {
      token: ada.token,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('nested deeply', async () => {
    for (const text of [
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    ]) {
      const reply = await post(text)
      expect([reply.status, ['too_deep', 'json_invalid'].includes(typeOf(reply))]).toEqual([422, true])
    }
  })

  test.each(['"\\ud800"', '"a\\uDFFF"', '"\\udc00\\ud800"'])('with half of a surrogate pair: %s', async half => {
    for (const text of [`{"search":${half}}`, `{"filters":{${half}:"x"}}`]) {
      const reply = await post(text)
      expect([reply.status, typeOf(reply)]).toEqual([422, 'json_invalid'])
    }
  })

  test('with whole pairs', async () => {
    expect((await post('{"search":"\\ud83d\\ude00 \\\\ud800"}')).status).toBe(200)
  })

  test('that are no UTF-8', async () => {
    const body = Buffer.from('{"search":"J\xf6rg"}', 'latin1')
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
    const reply = await fetch(`${service.apiUrl}/rules/list`, { method: 'POST', headers, body })
    expect([reply.status, ((await reply.json()) as { detail: { type: string }[] }).detail[0]!.type]).toEqual([
      422,
      'json_invalid',
    ])
    const sent = new FormData()
    sent.append('name', 'Letters')
    sent.append('files', new Blob(['Call 112']), 'J\ufffdrg.txt')
    const upload = await service.send('POST', '/jobs/upload', { token: ada.token, body: sent })
    expect([upload.status, typeOf(upload)]).toEqual([422, 'multipart_invalid'])
  })

  test('with a content type that no header can hold', async () => {
    for (const contentType of ['text/plain\r\nx-evil: 1', 'text/plain\u0000', 'text/ö']) {
      const body = { name: 'L', files: [{ filename: 'a.txt', size: 5, contentType }] }
      const reply = await service.send('POST', '/jobs/uploads', { token: ada.token, body })
      expect([reply.status, problemsOf(reply)[0]!.loc.at(-1)]).toEqual([422, 'contentType'])
    }
  })

  test('of a hundred thousand unknown keys get a short answer', async () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n]))
    const reply = await service.send('POST', '/rules/list', { token: ada.token, body })
    expect([reply.status, typeOf(reply), reply.text.length < 1000]).toEqual([422, 'too_big', true])
  })

  test.each(['[{{type}}]', '{{}}', '{{ label }}', '{{constructor}}'])('with a replacement text of %s', async text => {
    const rules = [{ ruleId: await makeRule(ada.client), replacement: { text } }]
    const body = { name: 'W', supportedAssetType: 'DOCUMENT', config: { rules } }
    const reply = await service.send('POST', '/workflows/', { token: ada.token, body })
    const place = ['body', 'config', 'rules', '0', 'replacement', 'text']
    expect([reply.status, problemsOf(reply)[0]!.loc]).toEqual([422, place])
  })

  test('huge', async () => {
    expect((await post(`{"search":"${'a'.repeat(3_000_000)}"}`)).status).toBe(422)
    expect((await post(`{"search":"${'a'.repeat(8_000_000)}"}`)).status).toBe(413)
    const many = JSON.stringify({ filters: { name: Array.from({ length: 100_000 }, String) } })
    expect((await post(many)).status).toBe(422)
  })

  test.each([
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
    '{"filters":{"__proto__":"x"}}',
    '{"filters":{"constructor":"x"}}',
  ])('with prototype keys: %s', async text => {
    expect((await post(text)).status).toBe(422)
    expect((await me(eve.token)).body).toMatchObject({ role: 'user' })
  })

  test.each(['', ' ', '{}', 'null', '[]', '"text"', '1', 'true', '{', '\u0000', '{"a":1}{"b":2}', 'NaN', "{'a':1}"])(
    'that are %j',
    async text => {
      const reply = await post(text)
      expect([200, 422]).toContain(reply.status)
      if (reply.status === 422) expect(problemsOf(reply)[0]!.loc[0]).toBe('body')
    },
  )

  test('of another media type', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]) {
      const reply = await post('{}', { 'content-type': type })
      expect([reply.status, typeOf(reply)]).toEqual([415, 'unsupported_media_type'])
    }
  })
})

describe('hostile headers, paths and names', () => {
  /** Sends a request that `fetch` would put right first. */
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
      const { protocol, hostname, port, pathname } = new URL(service.baseUrl)
      const { request } = protocol === 'https:' ? https : http
      const at = { hostname, port, path: pathname.replace(/\/$/, '') + path, method, headers }
      const sent = request(at, response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      })
      sent.on('error', reject).end()
    })

  test.each([
    '/api/rules/..%2f..%2fusers',
    '/api/rules/%00',
    '/api/rules/%0d%0aX-Evil:%201',
    '/api/rules/%E0%A4%A',
    '/api/rules/__proto__',
    '/api/rules/../users/',
    '/api//users/',
    '/api/users/?role=admin&role=user',
    '/api/users/?skip=1e9',
    '/api/users/?limit=%00',
    '/users/',
    '/API/users/',
  ])('GET %s neither fails nor lets through', async path => {
    const reply = await raw(path, { authorization: `Bearer ${eve.token}` })
    expect([403, 404, 422]).toContain(reply.status)
    // What lies outside of the stage a deployed API Gateway answers without asking it.
    if (!deployed || path.startsWith('/api/')) expect(JSON.parse(reply.text).detail).toBeInstanceOf(Array)
    expect(reply.headers['x-evil']).toBeUndefined()
    expect(reply.headers['x-request-id'] ?? reply.headers['x-amzn-requestid']).toBeTruthy()
  })

  test('nothing that was sent comes back in a header', async () => {
    const reply = await raw('/api/', {
      'x-request-id': 'mine',
      origin: 'https://evil.example.org',
      'x-forwarded-host': 'evil.example.org',
      'idempotency-key': 'evil',
    })
    expect(reply.headers['x-request-id']).not.toBe('mine')
    expect(JSON.stringify(reply.headers)).not.toContain('evil')
  })

  test('names cannot hold control characters', async () => {
    const body = { name: 'a\r\nX-Evil: 1', type: 'REGEX', config: { regexRuleConfig: { pattern: 'a' } } }
    expect((await service.send('POST', '/rules/', { token: ada.token, body })).status).toBe(422)
    const job = await makeJob(ada.client)
    const asset = job.Assets[0]!.id
    expect((await service.send('PUT', `/assets/${asset}`, { token: ada.token, body: { name: 'a\nb' } })).status).toBe(
      422,
    )
    const renamed = await service.send('PUT', `/assets/${asset}`, {
      token: ada.token,
      body: { name: 'a"; filename="b.exe' },
    })
    expect(renamed.status).toBe(200)
    const { url } = await ada.client.assets.url({ asset_id: asset })
    const disposition = (await fetch(url)).headers.get('content-disposition')!
    expect(disposition).toMatch(/^attachment; filename="a_; filename=_b\.exe"; filename\*=UTF-8''/)
  })

  test.each(['../../etc/passwd', '/etc/passwd', 'a/../../b', 'a\\..\\b', '..', './a', 'a//b', '\u0000'])(
    'a local file called %j is not there',
    async name => {
      const source = await make(service, ada, 'source_id')
      const body = { sourceId: source, sourceType: 'LOCAL_ASSET', files_load_config: { filenames: [name] } }
      const load = await service.send('POST', '/jobs/load', { token: ada.token, body })
      expect([load.status, typeOf(load)]).toEqual([400, 'file_not_found'])
      const preview = await service.send('POST', `/sources/${source}/preview`, { token: ada.token, body: { name } })
      expect([400, 422]).toContain(preview.status)
    },
  )
})
