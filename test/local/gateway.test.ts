import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readDefinition } from '../../local/gateway/definition.ts'
import { type Gateway, startGateway } from '../../local/gateway/server.ts'
import type { Outcome } from '../../local/runner/pool.ts'
import type { Template } from '../../local/template.ts'
import { synthesise } from '../infra/synth.ts'

// biome-ignore lint/suspicious/noExplicitAny: an event is plain JSON
type Event = Record<string, any>

const ok = (body: unknown): Outcome => ({ payload: JSON.stringify({ statusCode: 200, headers: {}, body }) })

let gateway: Gateway
let url: string
let events: Event[]
let calls: string[]
let answer: (event: Event) => Promise<Outcome> | Outcome
const errors: unknown[] = []

beforeAll(async () => {
  const template = synthesise({ corsOrigins: '*' }).toJSON() as Template
  // So that a late answer is seen soon.
  for (const { put } of Object.values(readDefinition(template).paths)) {
    if (put) put['x-amazon-apigateway-integration'].timeoutInMillis = 100
  }
  gateway = await startGateway({
    template,
    port: 0,
    hosts: ['my-laptop'],
    largestEvent: 6 * 1024 * 1024,
    invoke: async (id, event) => {
      calls.push(id.replace(/[A-F0-9]{8}$/, ''))
      events.push(event as Event)
      return answer(event as Event)
    },
    onError: error => errors.push(error),
  })
  url = `http://127.0.0.1:${gateway.port}`
})
beforeEach(() => {
  events = []
  calls = []
  answer = () => ok('{}')
})
afterAll(() => gateway.close(0))

const problem = async (response: Response) => {
  const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string; type: string }[] }
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(detail).toHaveLength(1)
  return [response.status, detail[0]!.type]
}

/** Asks under a name, as a client does that has its address from there. */
const asked = (Host: string) =>
  new Promise<number>((resolve, reject) => {
    const options = { port: gateway.port, host: '127.0.0.1', path: '/api/auth/me', headers: { Host } }
    httpRequest(options, response => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end()
  })

describe('names of this machine', () => {
  test.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', 'LOCALHOST', '[::1]:3000', 'a.localhost', 'my-laptop'])(
    'serves %s',
    async name => expect(await asked(name)).toBe(200),
  )

  test.each([
    'rebound.example',
    'localhost.example',
    '127.0.0.1.example:3000',
    'example:127.0.0.1',
    '[::2]',
    'my-laptop.example',
  ])('refuses %s', async name => {
    expect(await asked(name)).toBe(403)
    expect(calls).toEqual([])
  })
})

test('shows the documentation to a browser at the base URL', async () => {
  const get = (accept: string) => fetch(url, { headers: { accept }, redirect: 'manual' })
  const page = await get('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([page.status, page.headers.get('location')]).toEqual([302, '/api/console/'])
  expect(await problem(await get('application/json'))).toEqual([404, 'not_found'])
})

describe('routes', () => {
  test.each([
    ['GET', '/api', 'ServiceRoot', '/', null],
    ['GET', '/api/', 'ServiceRoot', '/', null],
    ['POST', '/api/rules', 'RulesCreate', '/rules', null],
    ['POST', '/api/rules/', 'RulesCreate', '/rules', null],
    ['POST', '/api/rules/list', 'RulesList', '/rules/list', null],
    ['POST', '/api/jobs/upload', 'JobsUpload', '/jobs/upload', null],
    ['GET', '/api/rules/lists', 'RulesGet', '/rules/{rule_id}', { rule_id: 'lists' }],
    ['GET', '/api/jobs/a%2Fb/status/', 'JobsStatus', '/jobs/{job_id}/status', { job_id: 'a%2Fb' }],
  ])('%s %s reaches %s', async (method, path, name, resource, pathParameters) => {
    const response = await fetch(url + path, { method })
    expect(response.status).toBe(200)
    expect(calls).toEqual([name])
    expect(events[0]).toMatchObject({ httpMethod: method, path: path.slice('/api'.length) || '/', resource })
    expect(events[0]!.pathParameters).toEqual(pathParameters)
  })

  test.each([
    ['GET', '/api/nothing'],
    ['GET', '/api/rules/1/2'],
    ['GET', '/api/rules//'],
    // Text beats a parameter, whatever the method.
    ['GET', '/api/rules/list'],
    ['PATCH', '/api/rules/'],
    ['GET', '/'],
    ['GET', '/other/rules'],
  ])('%s %s is 404, with a token and without', async (method, path) => {
    expect(await problem(await fetch(url + path, { method }))).toEqual([404, 'not_found'])
    const headers = { Authorization: 'Bearer x' }
    expect(await problem(await fetch(url + path, { method, headers }))).toEqual([404, 'not_found'])
    expect(calls).toEqual([])
  })
})

describe('the event', () => {
  test('holds headers and query once and in full', async () => {
    await new Promise<void>(resolve => {
      const options = { method: 'POST', headers: { 'X-One': ['a', 'b'], 'Content-Type': 'application/json' } }
      httpRequest(`${url}/api/rules/list?skip=1&q=a%20b&q=%C3%A4`, options, response =>
        response.resume().on('end', resolve),
      ).end('{}')
    })
    expect(events[0]).toMatchObject({
      body: '{}',
      isBase64Encoded: false,
      headers: { 'X-One': 'b', 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '127.0.0.1' },
      multiValueHeaders: { 'X-One': ['a', 'b'] },
      queryStringParameters: { skip: '1', q: 'ä' },
      multiValueQueryStringParameters: { skip: ['1'], q: ['a b', 'ä'] },
      requestContext: {
        stage: 'api',
        path: '/api/rules/list',
        resourcePath: '/rules/list',
        identity: { sourceIp: '127.0.0.1' },
      },
    })
  })

  test('has null for what is absent', async () => {
    await fetch(`${url}/api/auth/me`)
    expect(events[0]).toMatchObject({
      body: null,
      isBase64Encoded: false,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    })
  })

  test('carries a form as base64, byte for byte, and text as text', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const headers = { 'Content-Type': 'Multipart/Form-Data; boundary="x y"' }
    await fetch(`${url}/api/jobs/upload`, { method: 'POST', headers, body: bytes })
    expect(events[0]!.isBase64Encoded).toBe(true)
    expect(Buffer.from(events[0]!.body, 'base64').equals(bytes)).toBe(true)
    await fetch(`${url}/api/rules/`, { method: 'POST', body: '{"name":"ä€😀"}' })
    expect(events[1]).toMatchObject({ isBase64Encoded: false, body: '{"name":"ä€😀"}' })
  })
})

describe('the answer', () => {
  test('is the function’s own: status, headers, body', async () => {
    answer = () => ({
      payload: JSON.stringify({
        statusCode: 422,
        headers: { 'Content-Type': 'text/plain', 'X-A': 'b' },
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
        body: 'nein, ä',
      }),
    })
    const response = await fetch(`${url}/api/auth/me`)
    expect([response.status, await response.text()]).toEqual([422, 'nein, ä'])
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(response.headers.get('x-a')).toBe('b')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test.each([
    ['null', 'null'],
    ['a string', '"x"'],
    ['no status', '{"body":"x"}'],
    ['a status that is none', '{"statusCode":"abc"}'],
    ['a body that is an object', '{"statusCode":200,"body":{}}'],
  ])('is 502 for %s', async (_, payload) => {
    answer = () => ({ payload })
    const response = await fetch(`${url}/api/auth/me`)
    expect(await problem(response)).toEqual([502, 'bad_gateway'])
  })

  test('is 502 when the function fails, and says nothing of why', async () => {
    answer = () => ({ failure: { errorType: 'Error', errorMessage: 'secret', trace: ['secret'] } })
    const response = await fetch(`${url}/api/auth/me`)
    expect(await response.clone().text()).not.toContain('secret')
    expect(await problem(response)).toEqual([502, 'bad_gateway'])
  })

  test('is 504 when the function is late', async () => {
    answer = () => new Promise(resolve => setTimeout(resolve, 300, ok('{}')))
    const response = await fetch(`${url}/api/rules/1`, { method: 'PUT', body: '{}' })
    expect(await problem(response)).toEqual([504, 'gateway_timeout'])
  })

  test('is 502 when the runner itself breaks, and the next request is served', async () => {
    answer = () => Promise.reject(new Error('broken'))
    expect(await problem(await fetch(`${url}/api/auth/me`))).toEqual([502, 'bad_gateway'])
    expect(errors).toHaveLength(1)
    answer = () => ok('{}')
    expect((await fetch(`${url}/api/auth/me`)).status).toBe(200)
  })
})

describe('limits', () => {
  test.each([
    ['a body beyond 10 MB', 'text/plain', 10 * 1024 * 1024 + 1],
    ['an event beyond 6 MB', 'text/plain', 6 * 1024 * 1024],
    ['a form whose base64 makes the event larger than 6 MB', 'multipart/form-data; boundary=x', 4.6 * 1024 * 1024],
  ])('%s is 413 and names the way out', async (_, contentType, size) => {
    const body = Buffer.alloc(Math.ceil(size), 'x')
    const response = await fetch(`${url}/api/jobs/upload`, {
      method: 'POST',
      headers: { 'Content-Type': contentType },
      body,
    })
    expect(await response.clone().text()).toContain('POST /jobs/uploads')
    expect(await problem(response)).toEqual([413, 'payload_too_large'])
    expect(calls).toEqual([])
  })

  test('4 MB of files pass', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const response = await fetch(`${url}/api/jobs/upload`, { method: 'POST', headers, body: Buffer.alloc(4_000_000) })
    expect(response.status).toBe(200)
  })

  test('a client that goes away in the middle of a body reaches no function', async () => {
    await new Promise<void>(resolve => {
      const socket = connect(gateway.port, '127.0.0.1', () => {
        socket.write('POST /api/rules/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc', () => socket.destroy())
      }).on('close', () => setTimeout(resolve, 50))
    })
    expect(calls).toEqual([])
    expect((await fetch(`${url}/api/auth/me`)).status).toBe(200)
  })
})

describe('pages in a browser', () => {
  test('of this machine may ask', async () => {
    const headers = { Origin: 'http://localhost:5173' }
    const response = await fetch(`${url}/api/rules/`, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(response.headers.get('access-control-allow-headers')?.split(',')).toEqual(
      expect.arrayContaining(['Authorization', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id']),
    )
    const unknown = await fetch(`${url}/api/nothing`, { headers })
    expect(unknown.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  })

  test.each(['https://evil.example', 'http://localhost.evil.example', 'null'])('of %s may not', async origin => {
    const headers = { Origin: origin }
    const response = await fetch(`${url}/api/rules/`, { method: 'OPTIONS', headers })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    await fetch(`${url}/api/auth/me`, { headers })
    expect(Object.keys(events[0]!.headers).map(name => name.toLowerCase())).not.toContain('origin')
  })
})
