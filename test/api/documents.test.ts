import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { generated } from '../../docs/generate.ts'
import { endpoints } from '../../shared/api/index.ts'
import { lists } from '../../shared/api/list-fields.ts'
import { openApi, problemsOf } from '../../shared/api/openapi.ts'
import { problems } from '../../shared/api/problems.ts'
import { version } from '../../shared/api/version.ts'

const root = resolve(import.meta.dirname, '../..')

test.each(Object.entries(generated()))('%s is what npm run docs writes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})

test.each(endpoints)('$endpoint.route has its function, and nothing is left undeclared', ({ resource, operation }) => {
  expect(existsSync(join(root, `functions/${resource}/${operation}.ts`))).toBe(true)
})

test('every type of error is answered by somebody', () => {
  const gateway = ['bad_gateway', 'gateway_timeout', 'host_not_allowed']
  const answered = new Set([...endpoints.flatMap(({ endpoint }) => problemsOf(endpoint)), ...gateway])
  expect(Object.keys(problems).filter(type => !answered.has(type as never))).toEqual([])
})

test('every endpoint of the published interface is there, under its path', () => {
  const own = new Set(endpoints.filter(({ endpoint }) => !endpoint.extension).map(({ endpoint }) => endpoint.route))
  expect([...own].toSorted()).toEqual(published.toSorted())
})

/** The endpoints of the interface as published, by method and path; the root endpoint has no path there. */
const published = [
  'GET /',
  'POST /auth/register',
  'POST /auth/login',
  'GET /auth/me',
  'POST /auth/logout',
  'POST /sources/list',
  'POST /sources/',
  'POST /sources/test',
  'GET /sources/{source_id}',
  'PUT /sources/{source_id}',
  'DELETE /sources/{source_id}',
  'POST /sources/{source_id}/preview',
  'GET /assets/{asset_id}',
  'PUT /assets/{asset_id}',
  'DELETE /assets/{asset_id}',
  'GET /assets/{asset_id}/url',
  'POST /workflows/list',
  'POST /workflows/',
  'GET /workflows/{workflow_id}',
  'PUT /workflows/{workflow_id}',
  'DELETE /workflows/{workflow_id}',
  'POST /rules/list',
  'POST /rules/',
  'GET /rules/{rule_id}',
  'PUT /rules/{rule_id}',
  'DELETE /rules/{rule_id}',
  'POST /jobs/list',
  'POST /jobs/upload',
  'GET /jobs/{job_id}',
  'PUT /jobs/{job_id}',
  'POST /jobs/{job_id}/execute',
  'GET /jobs/{job_id}/status',
  'PUT /jobs/{job_id}/cancel',
  'POST /jobs/{job_id}/assets',
  'DELETE /jobs/{job_id}/assets',
  'POST /jobs/load',
  'GET /users/',
  'GET /users/{user_id}',
  'PUT /users/{user_id}',
  'DELETE /users/{user_id}',
  'PUT /users/{user_id}/block',
  'PUT /users/{user_id}/password/reset',
  'GET /roles/',
  'POST /roles/',
  'GET /roles/{role_id}',
  'PUT /roles/{role_id}',
  'DELETE /roles/{role_id}',
  'GET /permissions/',
  'POST /permissions/',
  'POST /permissions/default',
  'POST /notifications/list',
  'POST /notifications/{notification_id}/read',
]

test('the OpenAPI document is valid', async () => {
  const { errors, valid } = await new Validator().validate(structuredClone(openApi()))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('generators of clients find nothing in the OpenAPI document that they can not write down', () => {
  const stumbles: string[] = []
  JSON.stringify(openApi(), (key, value) => {
    const members = (value?.oneOf ?? value?.anyOf ?? []) as { type?: unknown; oneOf?: unknown; $ref?: string }[]
    if (members.filter(({ type }) => type !== 'null').length > 1)
      stumbles.push(...members.filter(({ type, oneOf }) => type === 'object' || oneOf).map(() => `${key}: no name`))
    if (/\\[pu]|\(\?[!=<]|\\[1-9]/.test(value?.pattern)) stumbles.push(`${key}: ${value.pattern}`)
    if (typeof value?.const === 'boolean') stumbles.push(`${key}: a constant that is no text`)
    if (value?.default && JSON.stringify(value.default) === '{}') stumbles.push(`${key}: an object as default`)
    return value
  })
  expect(stumbles).toEqual([])
})

test('what tells the objects of a union apart leads to the one that has it', () => {
  const { schemas } = openApi().components as { schemas: Record<string, unknown> }
  const unions = Object.values(schemas).filter(schema => JSON.stringify(schema).includes('"mapping":')) as Union[]
  expect(unions.length).toBeGreaterThan(8)
  for (const { oneOf, discriminator } of unions.filter(({ discriminator }) => discriminator)) {
    const targets = Object.entries(discriminator.mapping)
    expect(new Set(targets.map(([, target]) => target))).toEqual(new Set(oneOf.map(({ $ref }) => $ref)))
    for (const [value, target] of targets) {
      const { properties, required } = schemas[target.split('/').at(-1)!] as Json
      const field = (properties as Record<string, Json>)[discriminator.propertyName]!
      expect([field.const, ...((field.enum as unknown[]) ?? [])]).toContain(value)
      expect(required).toContain(discriminator.propertyName)
    }
  }
})

type Json = Record<string, unknown>
type Union = {
  oneOf: { $ref: string }[]
  discriminator: { propertyName: string; mapping: Record<string, string> }
}

test('every reference in the OpenAPI document leads somewhere', () => {
  const document = openApi() as { components: { schemas: object } }
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)
  expect(names.filter(name => !(name in document.components.schemas))).toEqual([])
})

test('the guide names every list that can be sorted', () => {
  const sortable = endpoints.filter(({ endpoint: { query, body } }) =>
    [query, body].some(schema => schema && 'shape' in schema && 'sort' in (schema.shape as object)),
  )
  expect(lists().map(({ route }) => route)).toEqual(sortable.map(({ endpoint }) => endpoint.route))
  expect(lists().length).toBeGreaterThan(9)
})

test('the package and the contract have the same version', () => {
  const { version: packaged } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(packaged).toBe(version)
})
