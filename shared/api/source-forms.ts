import * as z from 'zod'
import { sourceKinds } from './source-kinds.ts'

/** What a program needs to ask for one setting of a source. */
export type SourceField = {
  /** Its name in the config; of one that stands in another, both with a dot between. */
  name: string
  /** `block` is a text of several lines, `list` has a value on each of them, `consent` must be given. */
  type: 'text' | 'number' | 'block' | 'list' | 'choice' | 'consent'
  isSecret: boolean
  isRequired: boolean
  /** Of a choice, the default first. */
  options: string[]
}

/** The settings of a kind, or of one variant of it: the value of its discriminating field, and the others. */
export type SourceForm = { fixed: Record<string, string>; fields: SourceField[] }

type Schema = {
  type?: string
  const?: unknown
  enum?: string[]
  default?: string
  maxLength?: number
  writeOnly?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  oneOf?: Schema[]
}

/** Texts that may be longer are of several lines. */
const LINE = 10_000

/** The forms of every kind of source, as its declaration has them. */
export const sourceForms = (): Record<string, SourceForm[]> =>
  Object.fromEntries(
    Object.entries(sourceKinds).map(([kind, { config }]) => {
      const schema = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' }) as Schema
      return [kind, (schema.oneOf ?? [schema]).flatMap(variant => formsOf(variant))]
    }),
  )

/** A form for each value that the discriminating field may have; one where there is no such field. */
function formsOf(schema: Schema): SourceForm[] {
  const [name, by] = Object.entries(schema.properties!).find(([name]) => discriminators.has(name)) ?? []
  const fields = fieldsOf(schema).filter(field => field.name !== name)
  if (name === undefined) return [{ fixed: {}, fields }]
  return (by!.enum ?? [by!.const as string]).map(value => ({ fixed: { [name]: value }, fields }))
}

const discriminators = new Set(['provider', 'protocol'])

const fieldsOf = (schema: Schema, before = ''): SourceField[] =>
  Object.entries(schema.properties!).flatMap(([name, field]) => {
    if (field.properties) return fieldsOf(field, `${name}.`)
    const { default: fallback, enum: options = [] } = field
    return {
      name: before + name,
      type: typeOf(field),
      isSecret: Boolean(field.writeOnly),
      isRequired: Boolean(schema.required?.includes(name)) && fallback === undefined,
      options: fallback === undefined ? options : [fallback, ...options.filter(option => option !== fallback)],
    }
  })

function typeOf({ type, const: only, enum: options, maxLength = 0 }: Schema): SourceField['type'] {
  if (only === true) return 'consent'
  if (options) return 'choice'
  if (type === 'array') return 'list'
  if (type === 'integer') return 'number'
  return maxLength > LINE ? 'block' : 'text'
}
