import { openApi } from '../shared/api/openapi.ts'

type Json = Record<string, unknown>
type Schema = Json & {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  enum?: string[]
  const?: string
  $ref?: string
}
type Operation = {
  operationId: string
  summary: string
  tags: [string]
  security?: unknown[]
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: { 200: { content: Record<string, { schema: Schema }> } }
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
type Call = { resource: string; name: string; method: string; path: string; operation: Operation }

/** Whether anybody may call an operation; where only keys may not, it names the other scheme. */
const isPublic = ({ security }: Operation): boolean => security?.length === 0

const folder = 'clients/python/src/anonymisation_client'
const made = '# Made from the interface by `npm run docs`.'

/** Types and calls of the Python client, as the interface declares them, by their path. */
export function pythonClient(): Record<string, string> {
  const { paths, components } = openApi() as unknown as Document
  const models = new Models()
  for (const [name, schema] of Object.entries(components.schemas)) models.define(name, schema)
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Call[] => {
      const [resource, name] = operation.operationId.split('_') as [string, string]
      const json = operation.responses[200]?.content['application/json'] && !formOf(operation)
      return json ? [{ resource, name: snake(name), method: method.toUpperCase(), path, operation }] : []
    }),
  )
  const operations = operationsModule(calls, models)
  return { [`${folder}/models.py`]: models.module(), [`${folder}/operations.py`]: operations }
}

const formOf = ({ requestBody }: Operation) => requestBody?.content['multipart/form-data']
/** Words that can't be names of fields in Python. */
const reserved = new Set([
  'from',
  'import',
  'class',
  'def',
  'in',
  'is',
  'not',
  'and',
  'or',
  'for',
  'as',
  'with',
  'pass',
])
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const snake = (text: string) => text.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const quoted = (text: string) => JSON.stringify(text)

/** Types of Python, defined one after the other. */
class Models {
  readonly #definitions: string[] = []

  /** Defines a named type: a dictionary with known keys, or another name for what it is. */
  define(name: string, schema: Schema): void {
    if (!schema.properties) {
      this.#definitions.push(`${name}: TypeAlias = ${quoted(this.type(schema, name))}`)
      return
    }
    const fields = Object.entries(schema.properties).map(([field, inner]) => {
      const type = this.type(inner, name + capital(field))
      return [field, schema.required?.includes(field) ? type : `NotRequired[${type}]`] as const
    })
    if (fields.some(([field]) => !/^[A-Za-z_]\w*$/.test(field) || reserved.has(field))) {
      const pairs = fields.map(([field, type]) => `${quoted(field)}: ${quoted(type)}`)
      this.#definitions.push(`${name} = TypedDict(${quoted(name)}, {${pairs.join(', ')}})`)
      return
    }
    const lines = fields.map(([field, type]) => `    ${field}: ${type}`)
    this.#definitions.push(`class ${name}(TypedDict):\n${lines.join('\n') || '    pass'}`)
  }

  /** The type that a schema stands for; what has no name there gets one from where it stands. */
  type(schema: Schema, place: string): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1)!
    if (schema.const !== undefined) return `Literal[${quoted(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(quoted).join(', ')}]`
    const members = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
    if (members) return [...new Set(members.map((member, n) => this.type(member, `${place}${n || ''}`)))].join(' | ')
    if (Array.isArray(schema.type)) return schema.type.map(type => this.type({ type }, place)).join(' | ')
    if (schema.type === 'array') return `list[${this.type(schema.items ?? {}, `${place}Item`)}]`
    if (schema.type === 'object') return this.#object(schema, place)
    const simple = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
    return simple[schema.type as keyof typeof simple] ?? 'Any'
  }

  #object(schema: Schema, place: string): string {
    const { additionalProperties: values } = schema
    if (!schema.properties)
      return `dict[str, ${typeof values === 'object' ? this.type(values, `${place}Value`) : 'Any'}]`
    this.define(place, schema)
    return place
  }

  module(): string {
    return `${made}
"""Bodies of requests and answers of the interface."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

${this.#definitions.join('\n\n')}
`
  }
}

function operationsModule(calls: readonly Call[], models: Models): string {
  const resources = [...new Set(calls.map(({ resource }) => resource))].filter(name => name !== 'service')
  const classes = ['', 'Async'].map(kind => {
    const each = resources.map(resource => {
      const own = calls.filter(call => call.resource === resource).map(call => method(call, models, kind !== ''))
      return `class ${kind}${capital(resource)}:\n    def __init__(self, call: ${kind}Call) -> None:\n        self._call = call\n\n${own.join('\n\n')}`
    })
    const members = resources.map(name => `        self.${snake(name)} = ${kind}${capital(name)}(call)`)
    const all = `class ${kind}Operations:\n    """Every call of the interface by resource and name."""\n\n    def __init__(self, call: ${kind}Call) -> None:\n${members.join('\n')}`
    return [...each, all].join('\n\n\n')
  })
  return `${made}
"""Calls of the interface."""

from __future__ import annotations

from typing import Any, Literal, Protocol, cast

from . import models


class Call(Protocol):
    def __call__(self, method: str, path: str, **given: Any) -> Any: ...


class AsyncCall(Protocol):
    async def __call__(self, method: str, path: str, **given: Any) -> Any: ...


${classes.join('\n\n\n')}
`
}

/** One call as a method: parameters of the path by place, then the body; those of the query by name. */
function method({ name, method, path, operation }: Call, models: Models, asynchronous: boolean): string {
  const place = operation.operationId.split('_').map(capital).join('')
  const within = operation.parameters.filter(parameter => parameter.in === 'path')
  // What is typed here is JSON, so no other format can be asked for.
  const query = operation.parameters.filter(parameter => parameter.in === 'query' && parameter.name !== 'format')
  const body = operation.requestBody
  const repeatable = method !== 'GET' && method !== 'DELETE' && !isPublic(operation)
  const named = (schema: Schema, suffix: string) => {
    if (schema.$ref) return `models.${models.type(schema, place)}`
    if (!asynchronous) models.define(place + suffix, schema)
    return `models.${place}${suffix}`
  }
  const bodyType = body && named(body.content['application/json']!.schema, 'Body')
  const reply = named(operation.responses[200].content['application/json']!.schema, 'Reply')
  const byName = [
    ...query.map(({ name, schema }) => `${name}: ${models.type(schema, place)} | None = None`),
    ...(repeatable ? ['idempotency_key: str | None = None'] : []),
  ]
  const parameters = [
    'self',
    ...within.map(({ name }) => `${name}: str`),
    ...(body ? [body.required ? `body: ${bodyType}` : `body: ${bodyType} | None = None`] : []),
    ...(byName.length > 0 ? ['*', ...byName] : []),
  ]
  const pairs = (names: readonly { name: string }[]) => `{${names.map(({ name }) => `"${name}": ${name}`).join(', ')}}`
  const given = [
    quoted(method),
    quoted(path),
    ...(within.length > 0 ? [`parameters=${pairs(within)}`] : []),
    ...(query.length > 0 ? [`query=${pairs(query)}`] : []),
    ...(body ? ['body=body'] : []),
    ...(repeatable ? ['idempotency_key=idempotency_key'] : []),
    ...(isPublic(operation) ? ['authorised=False'] : []),
  ]
  const wait = asynchronous ? 'await ' : ''
  return `    ${asynchronous ? 'async ' : ''}def ${name}(${parameters.join(', ')}) -> ${reply}:
        """${operation.summary}."""
        return cast(${quoted(reply)}, ${wait}self._call(${given.join(', ')}))`
}
