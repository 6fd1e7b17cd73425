import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { portion, runs } from '../runs.ts'
import { problemsOf } from './http.ts'
import { bodies, make, type Parameter } from './requests.ts'
import { useService } from './setup.ts'

/** Bodies that no endpoint takes; a quick run sends some of them. */
const wrongBodies = ['{', '[]', '"text"', '1', 'null', 'true'].slice(0, runs(6))

const service = await useService()
const prepared = bodies(service.files)
const { admin } = service
describe('every endpoint', () => {
  const nameOf = ({ resource, operation }: DeclaredEndpoint) => `${resource}.${operation}`

  const requests = new Map<string, ReturnType<typeof prepare>>()

  /** A good request of an endpoint, about records that are made once: what the tests make of it is refused, and changes none. */
  function request(declared: DeclaredEndpoint) {
    const name = nameOf(declared)
    if (!requests.has(name)) requests.set(name, prepare(declared))
    return requests.get(name)!
  }

  async function prepare(declared: DeclaredEndpoint) {
    const ready = (await prepared[nameOf(declared)]?.(service, admin)) ?? {}
    let path = declared.path
    for (const name of declared.parameters)
      path = path.replace(`{${name}}`, ready.path?.[name] ?? (await make(service, admin, name as Parameter)))
    return { path, body: ready.body }
  }
  const from = { token: '' }
  beforeAll(() => {
    from.token = admin.token
  })

  const plain = endpoints.filter(({ endpoint }) => !endpoint.multipart)
  // A quick run calls every endpoint in one way and a part of them in each other.
  test.each(portion(plain))('$endpoint.route refuses fields and parameters that it does not know', async declared => {
    const { path, body } = await request(declared)
    const unknown = { ...(body as object), surprise: 1 }
    const reply = await service.send(declared.method, `${path}?surprise=1`, {
      ...from,
      ...(declared.method !== 'GET' && { body: unknown }),
    })
    const places = declared.method === 'GET' ? ['query'] : ['query', 'body']
    expect(reply.status).toBe(422)
    for (const place of places)
      expect(problemsOf(reply)).toContainEqual(
        expect.objectContaining({ loc: [place, 'surprise'], type: 'unknown_field' }),
      )
  })

  const writing = plain.filter(({ method }) => method !== 'GET')
  test.each(portion(writing, 1))('$endpoint.route refuses values of the wrong type', async declared => {
    const { path, body } = await request(declared)
    for (const wrong of wrongBodies) {
      const reply = await service.send(declared.method, path, {
        ...from,
        body: wrong,
        headers: { 'content-type': 'application/json' },
      })
      expect([wrong, reply.status]).toEqual([wrong, 422])
    }
    for (const field of Object.keys((body ?? {}) as object)) {
      const reply = await service.send(declared.method, path, {
        ...from,
        body: { ...(body as object), [field]: { wrong: [null] } },
      })
      expect([field, reply.status]).toEqual([field, 422])
      expect(
        problemsOf(reply).every(
          ({ loc }) => (loc[0] === 'body' && loc[1] === field) || loc[1] === 'kind' || loc[1] === 'config',
        ),
      ).toBe(true)
    }
  })

  const addressed = endpoints.filter(({ parameters }) => parameters.length > 0)
  test.each(portion(addressed, 2))('$endpoint.route answers 404 to an unknown id and 422 to none', async declared => {
    const body = declared.endpoint.multipart ? undefined : (await request(declared)).body
    const at = (value: string) =>
      service.send(declared.method, declared.path.replace(/\{\w+\}/, value).replaceAll(/\{\w+\}/g, randomUUID()), {
        ...from,
        body,
      })
    expect((await at(randomUUID())).status).toBe(404)
    const reply = await at('Not_An_Id')
    expect([reply.status, problemsOf(reply)[0]!.loc]).toEqual([422, ['path', declared.parameters[0]]])
  })

  test.each(endpoints)('$endpoint.route is the same with a slash at the end and without', async declared => {
    for (const path of new Set([declared.path.replace(/\/$/, '') || '/', declared.path.replace(/\/?$/, '/')])) {
      const named = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'file' ? 'app.js' : randomUUID()))
      const reply = await service.send(declared.method, named)
      // The log of a service that has done nothing yet has no checkpoint, and no provider is configured.
      const none = /^No such (checkpoint|identity provider)$/
      const empty = reply.status === 404 && none.test(problemsOf(reply)[0]!.msg)
      if (!empty) expect([path, reply.status]).not.toEqual([path, 404])
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(reply.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/)
    }
  })

  test.each([
    ['GET', '/nothing'],
    ['GET', '/rules/a/b/c'],
    ['DELETE', '/rules/'],
    ['PATCH', '/rules/'],
    ['GET', '/rules/list/more'],
  ])('%s %s is not there', async (method, path) => {
    for (const token of [undefined, admin.token]) {
      const reply = await service.send(method, path, { token })
      expect([reply.status, problemsOf(reply)[0]!.type]).toEqual([404, 'not_found'])
    }
  })
})

test('GET /, GET /openapi.json and GET /docs need no token', async () => {
  const root = await service.send('GET', '/')
  expect(root.body).toMatchObject({
    name: expect.any(String),
    version: '0.1.0',
    docs: `${service.apiUrl}/docs`,
    limits: { listLimit: 1000, uploadFiles: 20, announcedFiles: 1000 },
  })
  expect((await service.send('GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
  const docs = await service.send('GET', '/docs')
  expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})
