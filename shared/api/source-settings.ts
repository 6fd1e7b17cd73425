import * as z from 'zod'
import { sourceExamples } from './source-examples.ts'
import { sourceKinds } from './source-kinds.ts'

type Schema = {
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  writeOnly?: boolean
}
type Body = (typeof sourceExamples)[number]['body']

/** One setting of a source: its name in the config, with dots where it stands in another, and what it means. */
type Setting = { name: string; isRequired: boolean; meaning: string }

/** Each way to configure a source, with its settings and a body of `POST /sources/`. */
export const sourceSettings = (): { title: string; body: Body; settings: Setting[] }[] =>
  sourceExamples.map(({ title, body }) => ({ title, body, settings: settingsOf(jsonOf(formOf(body))) }))

/** The schema of the config of an example: of its kind, and of its provider or protocol where a kind has several. */
function formOf({ kind, config }: Body): z.ZodType {
  const schema: z.ZodType = sourceKinds[kind].config
  return schema instanceof z.ZodDiscriminatedUnion
    ? (schema.options.find(form => z.safeParse(form as z.ZodType, config).success) as z.ZodType)
    : schema
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

const settingsOf = ({ properties = {}, required = [] }: Schema, within = ''): Setting[] =>
  Object.entries(properties).flatMap(([name, field]) =>
    field.properties
      ? settingsOf(field, `${within}${name}.`)
      : { name: `${within}${name}`, isRequired: required.includes(name), meaning: meaningOf(field) },
  )

function meaningOf(field: Schema): string {
  const values = field.enum ?? (field.const === undefined ? [] : [field.const])
  const notes = [
    field.description,
    !(field.enum && field.description) && values.length > 0 && values.map(value => `\`${value}\``).join(' or '),
    typeof field.default === 'string' && `\`${field.default}\` by default`,
    field.writeOnly && 'secret',
  ]
  return notes.filter(Boolean).join('; ')
}
