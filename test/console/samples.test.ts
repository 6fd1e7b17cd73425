import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { contractOf } from '../../console/reference/document.ts'
import { bodyOf, samplesOf } from '../../console/reference/samples.ts'
import { endpoints } from '../../shared/api/index.ts'
import { openApi } from '../../shared/api/openapi.ts'

const { operations, schemas } = contractOf(openApi() as unknown as Parameters<typeof contractOf>[0])
const declared = new Map(endpoints.map(({ resource, operation, endpoint }) => [`${resource}_${operation}`, endpoint]))

test.each(operations)('the example of a body is one that $operationId takes', operation => {
  const body = bodyOf(operation, schemas)
  const schema = declared.get(operation.operationId)!.body
  expect(body === undefined).toBe(schema === undefined)
  expect(schema?.safeParse(body).error).toBeUndefined()
})

test('every operation has a sample for curl, and for each client that has a call for it', () => {
  const calls = readFileSync(
    new URL('../../clients/python/src/anonymisation_client/operations.py', import.meta.url),
    'utf8',
  )
  for (const operation of operations) {
    const { curl, typescript, python } = samplesOf(operation, bodyOf(operation, schemas))
    expect(curl).toContain(` ${operation.method} "$api/`)
    if (typescript) transformSync(typescript, { loader: 'ts', format: 'esm' })
    const [, resource, call] = /client\.(\w+)\.(\w+)\(/.exec(python ?? '') ?? []
    if (!resource) continue
    const name = /self\.RESOURCE = (\w+)\(/.source.replace('RESOURCE', resource)
    const [, client] = new RegExp(name).exec(calls) ?? []
    expect(calls.split(`class ${client}:`)[1]?.split('\nclass ')[0], operation.operationId).toContain(`def ${call}(`)
  }
})
