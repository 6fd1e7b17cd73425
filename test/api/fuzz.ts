import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { openApi } from '../../shared/api/openapi.ts'
import type { Reply, Sending } from './setup.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is plain JSON
type Schema = any
type Operation = { method: string; path: string; operation: Schema }
type Document = { paths: Record<string, Record<string, Schema>>; components: { schemas: Record<string, Schema> } }

const document = openApi() as unknown as Document

/** Every operation of the OpenAPI document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

const resolve = (schema: Schema): Schema =>
  schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema

const oddities = fc.constantFrom<unknown>(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '𝒳'.repeat(50),
  'a'.repeat(5000),
  '../..',
  "' OR 1=1 --",
  '{{x}}',
  '<b>',
  '__proto__',
  -1,
  0,
  1e308,
  0.5,
  2 ** 53,
  null,
  true,
  [],
  {},
  [[]],
  { a: {} },
)

/** Values that a schema allows, more or less: formats and patterns are not always met, which is as well. */
function fitting(schema: Schema, known: readonly string[], depth = 0): fc.Arbitrary<unknown> {
  const s = resolve(schema) ?? {}
  if ('const' in s) return fc.constant(s.const)
  if (Array.isArray(s.type)) return fc.oneof(...s.type.map((type: string) => fitting({ ...s, type }, known, depth + 1)))
  if (s.enum) return fc.constantFrom(...s.enum)
  const forms = s.anyOf ?? s.oneOf
  if (forms) return fc.oneof(...forms.map((form: Schema) => fitting(form, known, depth + 1)))
  if (s.type === 'object' || s.properties) {
    const entries = Object.entries(s.properties ?? {}).map(([name, inner]) => [name, fitting(inner, known, depth + 1)])
    return fc.record(Object.fromEntries(entries), { requiredKeys: s.required ?? [] })
  }
  if (s.type === 'array')
    return fc.array(fitting(s.items ?? {}, known, depth + 1), { minLength: s.minItems ?? 0, maxLength: 3 })
  if (s.type === 'integer')
    return fc.integer({ min: Math.max(s.minimum ?? 0, -1000), max: Math.min(s.maximum ?? 1000, 1000) })
  if (s.type === 'number') return fc.double({ min: s.minimum ?? 0, max: s.maximum ?? 1, noNaN: true })
  if (s.type === 'boolean') return fc.boolean()
  if (s.type === 'null') return fc.constant(null)
  if (s.type !== 'string') return fc.jsonValue({ maxDepth: 3 })
  if (/^\^\[0-9a-f\]\{8\}/.test(s.pattern ?? '')) return fc.constantFrom(...known, randomUUID())
  if (s.format === 'email') return fc.emailAddress()
  if (s.pattern) return fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_-]{0,10}$/), fc.string({ maxLength: 10 }))
  return fc.string({
    unit: 'grapheme',
    minLength: Math.min(s.minLength ?? 0, 50),
    maxLength: Math.min(s.maxLength ?? 50, 50),
  })
}

/** A value in which one place or another was replaced by something odd. */
const spoilt = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(value, fc.nat(), oddities).map(([whole, at, odd]) => {
    const places: { holder: Record<string, unknown>; key: string }[] = []
    const visit = (holder: unknown) => {
      if (typeof holder !== 'object' || holder === null) return
      for (const key of Object.keys(holder)) {
        places.push({ holder: holder as Record<string, unknown>, key })
        visit((holder as Record<string, unknown>)[key])
      }
    }
    const copy = structuredClone(whole)
    visit(copy)
    if (places.length === 0) return odd
    const { holder, key } = places[at % places.length]!
    holder[key] = odd
    return copy
  })

/** Requests of an operation: most as the document wants them, some spoilt. `known` are ids of records that exist. */
export function requestsOf(
  { path, operation }: Operation,
  known: readonly string[],
): fc.Arbitrary<{ path: string; sending: Sending }> {
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(randomUUID(), 'x', '%00', '%2e%2e') },
  )
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const query = (operation.parameters ?? []).filter((parameter: Schema) => parameter.in === 'query')
  const queries = fc.record(
    Object.fromEntries(query.map((p: Schema) => [p.name, fc.oneof(fitting(p.schema, known), oddities)])),
    { requiredKeys: [] },
  )
  const schema = operation.requestBody?.content['application/json']?.schema
  const bodies = schema
    ? fc.oneof(
        { weight: 3, arbitrary: fitting(schema, known) },
        { weight: 2, arbitrary: spoilt(fitting(schema, known)) },
        { weight: 1, arbitrary: fc.jsonValue() },
      )
    : fc.constant(undefined)
  return fc.tuple(fc.tuple(...names.map(() => id)), queries, bodies).map(([ids, parameters, body]) => {
    const filled = names.reduce((text, name, at) => text.replace(`{${name}}`, encodeURIComponent(ids[at]!)), path)
    const text = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return { path: text.size > 0 ? `${filled}?${text}` : filled, sending: { body, headers: { connection: 'close' } } }
  })
}

/** What is wrong with an answer by the document; undefined when nothing is. */
export function breach({ operation }: Operation, reply: Reply): string | undefined {
  if (reply.status >= 500) return `answered ${reply.status}`
  const declared = operation.responses[String(reply.status)]
  if (!declared) return `answered ${reply.status}, which it does not declare`
  if (!reply.headers.get('x-request-id')) return 'has no X-Request-Id'
  const schema = declared.content?.['application/json']?.schema
  if (!schema || !reply.headers.get('content-type')?.startsWith('application/json')) return undefined
  return mismatch(schema, reply.body, '')
}

/** Where a value does not fit a schema. */
function mismatch(schema: Schema, value: unknown, at: string): string | undefined {
  const s = resolve(schema) ?? {}
  const forms = s.anyOf ?? s.oneOf
  if (forms) return forms.some((form: Schema) => !mismatch(form, value, at)) ? undefined : `${at} fits no form`
  if ('const' in s) return value === s.const ? undefined : `${at} is not ${s.const}`
  if (s.enum) return s.enum.includes(value) ? undefined : `${at} is none of ${s.enum}`
  if (s.type && ![s.type].flat().some((type: string) => types[type]!(value))) return `${at} is not of type ${s.type}`
  if (Array.isArray(value)) {
    for (const [n, entry] of (value as unknown[]).entries()) {
      const found = mismatch(s.items ?? {}, entry, `${at}/${n}`)
      if (found) return found
    }
  }
  if (s.properties && value !== null) {
    const object = value as Record<string, unknown>
    const missing = (s.required ?? []).find((name: string) => !(name in object))
    if (missing) return `${at}/${missing} is missing`
    for (const [name, entry] of Object.entries(object)) {
      if (!(name in s.properties)) {
        if (s.additionalProperties === false) return `${at}/${name} is not declared`
        continue
      }
      const found = mismatch(s.properties[name], entry, `${at}/${name}`)
      if (found) return found
    }
  }
  return undefined
}

const types: Record<string, (value: unknown) => boolean> = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: value => typeof value === 'string',
  integer: Number.isInteger,
  number: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}
