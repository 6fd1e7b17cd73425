import { nameOf, type Schema } from './document.ts'

/** How many references an example follows into each other: some lead back to themselves. */
const DEEPEST = 12

const texts: Record<string, string> = {
  uuid: '3f2b8c1e-5a4d-4c7b-9e0f-1a2b3c4d5e6f',
  email: 'ada@example.org',
  'date-time': '2026-11-23T09:30:00.000Z',
  date: '2026-11-23',
  password: 'correct horse battery',
  uri: 'https://files.example.org/a',
  ipv4: '192.0.2.7',
}

/**
 * A value that a schema allows: its own example where it has one. What is sent has only the fields that it must have and those
 * with an example that is no id; what is answered has all of them.
 */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>, isSent: boolean, depth = 0): unknown {
  const next = (inner: Schema) => exampleOf(inner, schemas, isSent, depth)
  if (schema.examples?.length) return schema.examples[0]
  if (schema.$ref) {
    const named = schemas[nameOf(schema.$ref)] ?? {}
    return depth > DEEPEST ? null : exampleOf(named, schemas, isSent, depth + 1)
  }
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const forms = schema.oneOf ?? schema.anyOf
  if (forms) return next(forms.find(({ type }) => type !== 'null') ?? forms[0]!)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(next))
  if (schema.properties) return fieldsOf(schema, isSent, next)
  return plain(schema, next)
}

const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)

function fieldsOf({ properties, required = [] }: Schema, isSent: boolean, next: (schema: Schema) => unknown) {
  const shown = Object.entries(properties!).filter(
    ([name, { examples }]) => !isSent || required.includes(name) || (examples?.length && !isId(examples[0])),
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, next(field)]))
}

function plain(schema: Schema, next: (schema: Schema) => unknown): unknown {
  const [type] = [schema.type ?? []].flat()
  const { items = {}, minItems = 1, minimum = 1, maximum = minimum } = schema
  if (type === 'array') return Array.from({ length: Math.max(1, minItems) }, () => next(items))
  if (type === 'integer' || type === 'number') return Math.min(Math.max(1, minimum), Math.max(1, maximum))
  if (type === 'boolean') return true
  if (type === 'object')
    return typeof schema.additionalProperties === 'object' ? { name: next(schema.additionalProperties) } : {}
  if (type === 'null') return null
  return type === 'string' ? textOf(schema) : null
}

function textOf({ format = '', minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  const text = texts[format] ?? 'text'
  return text.padEnd(Math.min(minLength, 100), '.').slice(0, maxLength)
}
