import * as z from 'zod'
import { sourceKinds } from '../shared/api/source-kinds.ts'
import { sourceExamples } from './source-examples.ts'

type Schema = {
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  writeOnly?: boolean
}
type Example = (typeof sourceExamples)[number]

/** Every kind of source with its settings and a body of `POST /sources/`, as Markdown. */
export const sourceSettingsPage = (): string => `# Settings of sources

Made from code by \`npm run docs\`. Each example is a body of \`POST /sources/\`; without \`name\` it is one of \`POST /sources/test\`, which
tries to connect, encrypt, log in and read, and keeps nothing. \`{"sourceId": "…"}\` tests a stored source. Secrets are
encrypted and never shown again; a change that leaves them out keeps them, unless it changes where they go. What each kind can
do, and what it was tested on, is in [sources.md](sources.md).

${sourceExamples.map(section).join('\n')}`

const section = ({ title, body }: Example): string => `## ${title}

| setting | needed | meaning |
|---|---|---|
${rows(jsonOf(formOf(body)))}

\`\`\`json
${JSON.stringify(body, null, 2)}
\`\`\`
`

/** The schema of the config of an example: of its kind, and of its provider or protocol where a kind has several. */
function formOf({ kind, config }: Example['body']): z.ZodType {
  const schema: z.ZodType = sourceKinds[kind].config
  return schema instanceof z.ZodDiscriminatedUnion
    ? (schema.options.find(form => z.safeParse(form as z.ZodType, config).success) as z.ZodType)
    : schema
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

function rows({ properties = {}, required = [] }: Schema, within = ''): string {
  return Object.entries(properties)
    .map(([name, field]) =>
      field.properties ? rows(field, `${within}${name}.`) : row(`${within}${name}`, field, required.includes(name)),
    )
    .join('\n')
}

function row(name: string, field: Schema, needed: boolean): string {
  const values = field.enum ?? (field.const === undefined ? [] : [field.const])
  const notes = [
    field.description,
    !(field.enum && field.description) && values.length > 0 && values.map(value => `\`${value}\``).join(' or '),
    typeof field.default === 'string' && `\`${field.default}\` when absent`,
    field.writeOnly && 'secret',
  ]
  return `| \`${name}\` | ${needed ? 'yes' : ''} | ${notes.filter(Boolean).join('; ')} |`
}
