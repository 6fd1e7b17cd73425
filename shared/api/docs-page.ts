import { guide, type Section } from './guide.ts'
import { openApi } from './openapi.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
  contentMediaType?: string
  additionalProperties?: Schema | boolean
}
type Body = { content: Record<string, { schema: Schema }> }
type Operation = {
  tags: string[]
  operationId: string
  summary: string
  description?: string
  security?: unknown[]
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: Body
  responses: Record<string, Partial<Body> & { description: string }>
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!)

/** Text with `code` in backticks and blank lines between paragraphs, as HTML. */
const prose = (text: string): string =>
  text
    .split('\n\n')
    .map(paragraph => `<p>${escapeHtml(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('')

const inline = (text: string): string =>
  prose(text)
    .replace(/<\/?p>/g, ' ')
    .trim()

/** What a value may be, in one line. */
function kind(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    return `<a href="#${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (schema.enum) return schema.enum.map(value => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' | ')
  const forms = schema.anyOf ?? schema.oneOf
  if (forms) return forms.map(kind).join(' | ')
  if (schema.type === 'array') return `array of ${schema.items ? kind(schema.items) : 'anything'}`
  if (schema.properties) return `{ ${Object.keys(schema.properties).map(escapeHtml).join(', ')} }`
  return escapeHtml([schema.type ?? 'anything'].flat().join(' | '))
}

const bounds = ({ minimum, maximum, minLength, maxLength, default: fallback }: Schema): string[] => [
  ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? [`at least ${minimum}`] : []),
  ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [`at most ${maximum}`] : []),
  ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ...(fallback === undefined ? [] : [`${escapeHtml(JSON.stringify(fallback))} by default`]),
]

/** The fields of an object as a table; anything else as one line. */
function fields(schema: Schema): string {
  if (schema.$ref || !(schema.properties || schema.anyOf || schema.oneOf)) return `<p>${kind(schema)}</p>`
  const forms = schema.anyOf ?? schema.oneOf
  if (forms) return forms.map(fields).join('<p class="or">or</p>')
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const notes = [field.description && inline(field.description), ...bounds(field)].filter(Boolean).join('; ')
    const optional = schema.required?.includes(name) ? '' : ' <small>optional</small>'
    const nested = field.properties ? fields(field) : ''
    return `<tr><td><code>${escapeHtml(name)}</code>${optional}</td><td>${kind(field)}${nested}</td><td>${notes}</td></tr>`
  })
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : '<p>an empty object</p>'
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const { operationId, summary, description = '', parameters, requestBody, responses, security } = operation
  const body = Object.entries(requestBody?.content ?? {})[0]
  const success = Object.entries(responses['200']?.content ?? {})[0]
  const query = parameters.filter(parameter => parameter.in === 'query')
  const asTable: Schema = { properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) }
  const errors = Object.entries(responses).filter(([status]) => status !== '200')
  return `<section id="${operationId}">
<h3><span class="${method}">${method.toUpperCase()}</span> <code>/api${escapeHtml(path)}</code></h3>
<p>${escapeHtml(summary)}.${security?.length === 0 ? ' Needs no token.' : security ? ' Takes no key.' : ''}</p>${prose(description)}
${query.length > 0 ? `<h4>Query</h4>${fields(asTable)}` : ''}
${body ? `<h4>Body <small>${escapeHtml(body[0])}</small></h4>${fields(body[1].schema)}` : ''}
${success ? `<h4>Response <small>${escapeHtml(success[0])}</small></h4>${fields(success[1].schema)}` : ''}
<details><summary>Errors</summary><table>${errors
    .map(([status, { description }]) => `<tr><td>${status}</td><td>${prose(description)}</td></tr>`)
    .join('')}</table></details>
</section>`
}

function sectionHtml({ id, title, text, table }: Section): string {
  const row = (tag: 'th' | 'td') => (cells: string[]) =>
    `<tr>${cells.map(cell => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`
  const rows = table ? `<table>${row('th')(table.head)}${table.rows.map(row('td')).join('')}</table>` : ''
  return `<section id="${id}"><h3>${escapeHtml(title)}</h3>${prose(text)}${rows}</section>`
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1c2733;background:#fff;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;width:17rem;flex:none;padding:1rem;box-sizing:border-box;background:#f4f6f8;font-size:14px}
nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0}nav a:hover{text-decoration:underline}nav b{display:block;margin-top:.8rem}
main{padding:1rem 2rem 6rem;max-width:60rem;min-width:0}section{border-top:1px solid #dde3e8;padding:.5rem 0 1rem}
h3{font-size:1.05rem}h4{margin:.8rem 0 .2rem}table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;padding:.25rem .5rem}td{border:1px solid #dde3e8;padding:.25rem .5rem;vertical-align:top}td p{margin:.1rem 0}td:first-child{white-space:nowrap}code{font:.92em ui-monospace,monospace;overflow-wrap:anywhere}
small{color:#5b6b7a;font-weight:400}.get,.post,.put,.delete{display:inline-block;min-width:4rem;font-weight:700}
.get{color:#1d6fb8}.post{color:#1d7f45}.put{color:#93600a}.delete{color:#b3261e}.or{margin:.2rem;color:#5b6b7a}
@media(max-width:50rem){body{display:block}nav{position:static;width:auto;height:auto}}`

/** The contract as one HTML page that needs nothing else: no script, no font, no network. */
export function docsPage(): string {
  const document = openApi() as {
    info: { title: string; version: string; summary: string }
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Object.entries(Object.groupBy(operations, ({ operation }) => operation.tags[0]!))
  const links = groups.map(
    ([name, members]) =>
      `<b>${escapeHtml(name)}</b>${members!.map(({ operation }) => `<a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a>`).join('')}`,
  )
  const sections = groups.map(
    ([name, members]) =>
      `<h2>${escapeHtml(name)}</h2>${members!.map(({ method, path, operation }) => operationHtml(method, path, operation)).join('')}`,
  )
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<section id="${name}"><h3>${name}</h3>${fields(schema)}</section>`,
  )
  const using = guide()
  const { title, version, summary } = document.info
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head><body><nav><a href="#top"><b>${title} ${version}</b></a>
<a href="openapi.json">OpenAPI document</a><b>Using the API</b>${using
    .map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`)
    .join('')}${links.join('')}<b>Schemas</b>${Object.keys(document.components.schemas)
    .map(name => `<a href="#${name}">${name}</a>`)
    .join('')}</nav>
<main id="top"><h1>${title}</h1><p>${escapeHtml(summary)}.</p>
<p>Log in with <code>POST /api/auth/login</code> and send the token as <code>Authorization: Bearer …</code>. Every error
has the body <code>{"detail":[{"loc":[…],"msg":"…","type":"…"}]}</code>.</p>
<h2>Using the API</h2>${using.map(sectionHtml).join('')}${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</main></body></html>`
}
