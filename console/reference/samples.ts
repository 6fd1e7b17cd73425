import { contentOf, type Operation, type Schema } from './document.ts'
import { exampleOf } from './example.ts'

export const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
type Language = keyof typeof languages

/** What an operation is sent, as an example; none where it takes no body. */
export function bodyOf(operation: Operation, schemas: Record<string, Schema>): Record<string, unknown> | undefined {
  const content = contentOf(operation.requestBody)
  if (!content) return
  const body = exampleOf(content.schema, schemas, true) as Record<string, unknown>
  if (isForm(operation)) delete body.files
  return body
}

/** Whether an operation takes files with its body, as a form. */
export const isForm = (operation: Operation): boolean =>
  contentOf(operation.requestBody)?.type === 'multipart/form-data'

/** Whether an operation can be called without logging in. */
export const isPublic = ({ security }: Operation): boolean => security?.length === 0

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** What must be asked for in the address, with an example of each. */
const queryOf = ({ parameters }: Operation) =>
  parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => [name, exampleOf(schema, {}, true)] as const)

type Sent = Record<string, unknown> | undefined

/** Calls of an operation, written down in each language that has a client for it. */
export function samplesOf(operation: Operation, body: Sent): Partial<Record<Language, string>> {
  const hasClient = !clientless.has(operation.tags[0]!)
  return {
    curl: curl(operation, body),
    ...(hasClient && { typescript: typescript(operation, body) }),
    ...(hasClient && answersJson(operation) && { python: python(operation, body) }),
  }
}

/** What programs don't call by these clients: the pages for people, the contract itself, and what has a protocol of its own. */
const clientless = new Set(['service', 'console', 'mcp'])

/** The Python client has only calls that answer JSON. */
const answersJson = ({ responses }: Operation) => contentOf(responses['200'])?.type === 'application/json'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curl(operation: Operation, body: Sent): string {
  const { method, path } = operation
  const query = queryOf(operation).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const address = path.replace(/\{(\w+)\}/g, '$$$1') + (query.length > 0 ? `?${query.join('&')}` : '')
  const form = Object.entries(body ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`)
  const json = ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body ?? {}, null, 2))}`]
  const lines = [
    `curl -sS --fail-with-body -X ${method} "$api${address}"`,
    ...(isPublic(operation) ? [] : ['-H "Authorization: Bearer $token"']),
    ...(isForm(operation) ? ['-F files=@letter.txt', ...form] : body ? json : []),
  ]
  return lines.join(' \\\n  ')
}

function typescript(operation: Operation, body: Sent): string {
  const query = queryOf(operation)
  const input = [
    ...namesIn(operation.path),
    ...(query.length > 0 ? [`query: ${literal(Object.fromEntries(query))}`] : []),
    ...(body ? [`body: ${literal(body)}`] : []),
    ...(isForm(operation) ? ["files: [{ name: 'letter.txt', content: 'Dear Ada' }]"] : []),
  ]
  const argument = input.length > 0 ? `{\n  ${input.join(',\n').replaceAll('\n', '\n  ')},\n}` : ''
  return `const reply = await client.${operation.operationId.replace('_', '.')}(${argument})`
}

/** JSON as JavaScript is usually written. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

function python(operation: Operation, body: Sent): string {
  // Files are read from the disk, which no generated call does.
  if (isForm(operation)) return `reply = client.upload(["letter.txt"], name=${JSON.stringify(body?.name)})`
  const input = [
    ...namesIn(operation.path),
    ...(body ? [pythonic(body, '')] : []),
    ...queryOf(operation).map(([name, value]) => `${name}=${pythonic(value, '')}`),
  ]
  return `reply = client.${operation.operationId.split('_').map(snake).join('.')}(${input.join(', ')})`
}

const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

function pythonic(value: unknown, before: string): string {
  const inner = `${before}    `
  const lines = Array.isArray(value)
    ? value.map(one => pythonic(one, inner))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonic(one, inner)}`)
      : undefined
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (lines === undefined) return (typeof value !== 'string' && words[String(value)]) || JSON.stringify(value)
  return lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)},\n${before}${close}`
}
