import * as z from 'zod'
import { Id, OAuthProblem, Problem } from './common.ts'
import { type Endpoint, isForPeople, isRepeatable } from './endpoint.ts'
import { type DeclaredEndpoint, endpoints } from './index.ts'
import { portableFields, portableSchemas } from './portable.ts'
import { type ProblemType, problems } from './problems.ts'
import { version } from './version.ts'

type Json = Record<string, unknown>

/** Types that any endpoint may answer. */
const common: ProblemType[] = ['rate_limited', 'internal', 'unavailable', 'bad_gateway', 'gateway_timeout']

/** Schemas by side and name (`input:Rule`), collected while the document is made. */
type Components = Map<string, Json>

/** The contract as an OpenAPI 3.1 document, made from the declarations. */
export function openApi(): Json {
  const components: Components = new Map()
  const paths: Record<string, Json> = {}
  for (const declared of endpoints) {
    const path = paths[declared.path] ?? {}
    path[declared.method.toLowerCase()] = operation(declared, components)
    paths[declared.path] = path
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Anonymisation service',
      version,
      summary: 'Takes documents and tables in, finds sensitive content by rules and replaces it',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{base_url}/api',
        variables: { base_url: { default: 'http://127.0.0.1:3000', description: 'Address of the service' } },
      },
      { url: '.', description: 'Where this document was read' },
    ],
    security: [{ bearer: [] }, { key: [] }],
    tags: [...new Set(endpoints.map(({ resource }) => resource))].map(name => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a user' },
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'anon_…', description: 'Key of a service account' },
      },
    },
  }
  return settle(document, components)
}

function operation({ resource, operation, parameters, endpoint }: DeclaredEndpoint, components: Components): Json {
  const extension = endpoint.extension ? 'An addition to the published interface.' : undefined
  const permission =
    endpoint.access === 'public' || endpoint.access === 'session'
      ? undefined
      : `Needs the permission \`${endpoint.access}\`.`
  const description = [endpoint.description, permission, extension].filter(Boolean).join('\n\n')
  return {
    tags: [resource],
    operationId: `${resource}_${operation}`,
    summary: endpoint.summary,
    ...(description && { description }),
    ...(endpoint.access === 'public' && { security: [] }),
    ...(isForPeople(endpoint) && { security: [{ bearer: [] }] }),
    parameters: [
      ...parameters.map(name => ({ name, in: 'path', required: true, schema: pathSchema(endpoint, name) })),
      ...queryParameters(endpoint),
      ...Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
        ...{ name, in: 'header', required: false, description },
        schema: { type: 'string' },
      })),
    ],
    ...(endpoint.body && { requestBody: requestBody(endpoint, components) }),
    responses: responses(endpoint, components),
  }
}

const pathSchema = ({ path }: Endpoint, name: string): Json => convert(path?.[name] ?? Id, 'input', new Map())

function queryParameters({ query }: Endpoint): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = convert(query, 'input', new Map()) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function requestBody(endpoint: Endpoint, components: Components): Json {
  const schema = convert(endpoint.body!, 'input', components)
  if (!endpoint.multipart) {
    const required = !endpoint.body!.safeParse({}).success
    const form = endpoint.form && { 'application/x-www-form-urlencoded': { schema } }
    return { required, content: { 'application/json': { schema }, ...form } }
  }
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  const files = { type: 'array', items: file }
  const { properties, required = [] } = schema as { properties: Json; required?: string[] }
  const form = { type: 'object', properties: { files, ...properties }, required: ['files', ...required] }
  return { required: true, content: { 'multipart/form-data': { schema: form } } }
}

function responses(endpoint: Endpoint, components: Components): Json {
  const { reply, statuses = {} } = endpoint
  const isEmpty = reply instanceof z.ZodNever || reply instanceof z.ZodUndefined
  const success = isEmpty
    ? {}
    : endpoint.produces
      ? { [endpoint.produces.split(';')[0]!]: { schema: endpoint.produces.includes('json') ? {} : { type: 'string' } } }
      : {
          'application/json': { schema: convert(reply, 'output', components) },
          ...Object.fromEntries(Object.values(endpoint.formats ?? {}).map(type => [type, { schema: {} }])),
        }
  const types = new Map<number, ProblemType[]>()
  for (const type of problemsOf(endpoint)) {
    const [status] = problems[type]
    types.set(status, [...(types.get(status) ?? []), type])
  }
  const refusal = endpoint.oauth ? OAuthProblem : Problem
  const problem = { 'application/json': { schema: convert(refusal, 'output', components) } }
  const failures = [...types].map(([status, names]) => [
    String(status),
    { description: names.map(name => `\`${name}\`: ${problems[name][1]}`).join('\n\n'), content: problem },
  ])
  const also = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, ...(!['202', '302'].includes(status) && { content: success }) },
  ])
  const answers = isEmpty ? {} : { 200: { description: 'Success', content: success } }
  return { ...answers, ...Object.fromEntries(also), ...Object.fromEntries(failures) }
}

/** Every type of error that an endpoint may answer. */
export function problemsOf(endpoint: Endpoint): ProblemType[] {
  const shape: ProblemType[] = ['missing', 'unknown_field', 'invalid_type', 'invalid_value', 'invalid_format']
  return [
    ...(endpoint.access === 'public' ? [] : (['not_authenticated', 'invalid_token', 'token_expired'] as const)),
    ...(endpoint.access === 'public' || endpoint.changesPassword ? [] : (['password_change_required'] as const)),
    ...(endpoint.access === 'public' || endpoint.changesPassword || endpoint.setsUpSecondFactor
      ? []
      : (['second_factor_setup_required'] as const)),
    ...(endpoint.fresh ? (['fresh_login_required'] as const) : []),
    ...(endpoint.access === 'public'
      ? []
      : (['permission_denied', 'address_not_allowed', 'too_many_attempts'] as const)),
    ...(endpoint.route.includes('{') ? (['not_found'] as const) : []),
    ...shape,
    ...(endpoint.body
      ? ([
          'json_invalid',
          'invalid_union',
          'too_small',
          'too_big',
          'too_deep',
          'payload_too_large',
          'unsupported_media_type',
        ] as const)
      : []),
    ...(endpoint.body && (endpoint.query || endpoint.form) ? (['conflicting_values'] as const) : []),
    ...(isRepeatable(endpoint) ? (['idempotency_mismatch', 'idempotency_in_progress'] as const) : []),
    ...(endpoint.problems ?? []),
    ...common,
  ].filter((type, n, all) => all.indexOf(type) === n)
}

/**
 * A schema of ours as JSON Schema 2020-12. Schemas with a name go into the components, once for what comes in and once
 * for what goes out, because a default makes a field optional on one side only.
 */
function convert(schema: z.ZodType, io: 'input' | 'output', components: Components): Json {
  const {
    $schema: _,
    $defs = {},
    ...converted
  } = z.toJSONSchema(schema, { io, reused: 'inline' }) as Json & {
    $defs?: Record<string, Json>
  }
  const { id, ...rest } = converted
  const named = typeof id === 'string' ? { ...$defs, [id]: rest } : $defs
  for (const [name, { id: _, ...definition }] of Object.entries(named)) {
    components.set(`${io}:${name}`, pointing(definition, io))
  }
  return typeof id === 'string' ? { $ref: `${COMPONENTS}${io}:${id}` } : pointing(converted, io)
}

const COMPONENTS = '#/components/schemas/'

/** A schema whose references lead to the components. */
const pointing = (schema: Json, io: string): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}${io}:`)) as Json

/** The document with plain names: `Rule`, and `RuleInput` only where the two sides differ. */
function settle(document: Json, components: Components): Json {
  const sides = (name: string) => ['input', 'output'].map(io => components.get(`${io}:${name}`))
  const plain = (schema?: Json) => JSON.stringify(schema).replaceAll(/schemas\/(in|out)put:/g, 'schemas/')
  const names = new Set([...components.keys()].map(key => key.slice(key.indexOf(':') + 1)))
  const differing = new Set(
    [...names].filter(name => sides(name).every(Boolean) && plain(sides(name)[0]) !== plain(sides(name)[1])),
  )
  for (let size = -1; size !== differing.size; ) {
    size = differing.size
    for (const name of names) {
      const refers = [...differing].some(other =>
        sides(name).every(side => JSON.stringify(side ?? '').includes(`put:${other}"`)),
      )
      if (refers && sides(name).every(Boolean)) differing.add(name)
    }
  }
  // Generators for Go name what makes a `Rule` `NewRule`, so what is sent to create one is `RuleCreate`.
  const final = (io: string, name: string) =>
    name.replace(/^New(\w+)$/, '$1Create') + (io === 'input' && differing.has(name) ? 'Input' : '')
  const schemas = [...components].map(([key, schema]) => {
    const [io, name] = key.split(':') as [string, string]
    return [final(io, name), schema] as const
  })
  const sorted = Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1)))
  const text = JSON.stringify({ ...document, components: { ...(document.components as Json), schemas: sorted } })
  const whole = JSON.parse(
    text.replaceAll(/schemas\/(input|output):(\w+)/g, (_, io, name) => `schemas/${final(io, name)}`),
  ) as Json & { components: Json & { schemas: Record<string, Json> } }
  return portableFields({
    ...whole,
    components: { ...whole.components, schemas: portableSchemas(whole.components.schemas) },
  })
}
