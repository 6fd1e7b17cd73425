import type { Fault } from 'aws-emulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problems } from '../../shared/api/problems.ts'
import { deployed } from './deployed.ts'
import { type Service, startService, useService } from './setup.ts'

describe.skipIf(deployed)('a service of its own', () => {
  let service: Service
  let fault: Fault | undefined
  beforeAll(async () => {
    service = await startService({
      faults: (name, action, request) =>
        name === 'dynamodb' && action === 'Query' && String(request.TableName).includes('Rules') ? fault : undefined,
    })
  })
  afterAll(() => service?.stop())

  describe('a store that fails', () => {
    test.each([
      ['unavailable', 503, { error: { name: 'ThrottlingException', status: 400 } }],
      ['internal', 500, { error: { name: 'InternalServerError', status: 500, message: 'secret words' } }],
    ] as const)('answers %s with %i, and nothing of why', async (type, status, what) => {
      fault = what
      const reply = await service.send('POST', '/rules/list', { token: service.admin.token, body: {} })
      fault = undefined
      expect(reply.status).toBe(status)
      expect(reply.body).toEqual({ detail: [{ loc: [], msg: problems[type][1], type }] })
    })
  })

  // Counts what a fresh service holds.
  describe('lists without a body', () => {
    beforeAll(async () => {
      for (const name of ['ada', 'grace', 'edsger']) {
        const body = { name, email: `${name}@example.net`, password: 'a long enough password' }
        expect((await service.send('POST', '/auth/register', { body })).status).toBe(200)
      }
    })
    const list = async (path: string) => {
      const { status, body, headers } = await service.send('GET', path, { token: service.admin.token })
      return { status, names: (body as { name: string }[]).map?.(({ name }) => name), headers }
    }

    test('are searched, filtered and sorted by the query', async () => {
      expect((await list('/users/?search=EXAMPLE.NET&sort=name')).names).toEqual(['ada', 'edsger', 'grace'])
      expect((await list('/users/?search=example.net&sort=-name&limit=2')).names).toEqual(['grace', 'edsger'])
      expect((await list('/users/?role=admin')).names).toHaveLength(1)
      expect((await list('/users/?role=admin,user&blocked=false')).names).toHaveLength(4)
      expect((await list('/users/?blocked=true')).names).toEqual([])
      expect((await list('/roles/?sort=name')).names).toEqual(['admin', 'user'])
      expect((await list('/roles/?search=adm')).names).toEqual(['admin'])
    })

    test('name the next page of the same query', async () => {
      const { headers } = await list('/users/?search=example.net&sort=name&limit=2')
      const next = new URL(/<(.+)>; rel="next"/.exec(headers.get('link') ?? '')![1]!)
      expect(headers.get('x-total-count')).toBe('3')
      expect((await list(`/users/${next.search}`)).names).toEqual(['grace'])
    })

    test.each(['sort=password', 'sort=', 'nickname=x', 'limit=1001', 'skip=-1'])('refuse %s', async query => {
      expect((await list(`/users/?${query}`)).status).toBe(422)
    })
  })
})

describe('a rule for a model that ships', async () => {
  const service = await useService()
  const create = (modelParameters: object, modelVersion = '1.0.0') => {
    const config = { aiModelRuleConfig: { modelId: 'pii-ner', modelVersion, modelParameters } }
    return service.send('POST', '/rules/', {
      token: service.admin.token,
      body: { name: 'Names', type: 'AIMODEL', config },
    })
  }

  test('is created', async () => {
    expect((await create({ confidence_threshold: 0.6, entities: ['PERSON'] })).status).toBe(200)
  })

  test('is refused with a label that the model never gives, and for a version that is not there', async () => {
    const label = await create({ entities: ['PERSON', 'DRAGON'] })
    expect(label).toMatchObject({ status: 422, body: { detail: [{ type: 'label_unknown' }] } })
    expect((label.body as { detail: { loc: string[] }[] }).detail[0]!.loc.slice(-2)).toEqual(['entities', '1'])
    expect(await create({}, '9.9.9')).toMatchObject({ status: 422, body: { detail: [{ type: 'model_not_found' }] } })
  })
})
