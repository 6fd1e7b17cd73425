import type { Problem } from '../shared/api/common.ts'
import type { DeclaredEndpoint } from '../shared/api/index.ts'
import { type ProblemType, problems } from '../shared/api/problems.ts'
import { version } from '../shared/api/version.ts'

type Json = Record<string, unknown>

/** How API Gateway calls the function of an endpoint: by which path of Lambda's, and as whom. */
export type Integration = { uri: string; credentials: string }

export type DefinitionOptions = {
  title: string
  endpoints: readonly (DeclaredEndpoint & { integration: Integration })[]
  /** Milliseconds until a request is answered 504. */
  timeout: number
  /** Media types of bodies that reach functions as they are, encoded. */
  binaryMediaTypes: string[]
  /** Pages that may ask: origins, or `*`. */
  origins: readonly string[]
  /** Whether the API has a domain name and answers under no other. */
  onlyByDomainName: boolean
}

/** Answers of so many bytes and more are compressed for clients that take it. */
export const COMPRESSED_FROM = 1024

/**
 * The REST API as an OpenAPI document for API Gateway: one resource of a stack, whatever the number of endpoints. What
 * requests and answers look like is not in it; functions check that against the declarations themselves.
 */
export function definition({ title, endpoints, timeout, binaryMediaTypes, origins, ...options }: DefinitionOptions) {
  const paths: Record<string, Json> = {}
  for (const { resource, operation, method, parameters, integration, ...declared } of endpoints) {
    const path = resourcePath(declared.path)
    paths[path] ??= origins.length > 0 ? { options: preflight(origins, parameters) } : {}
    paths[path][method.toLowerCase()] = {
      operationId: `${resource}.${operation}`,
      ...pathParameters(parameters),
      responses: {},
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        httpMethod: 'POST',
        timeoutInMillis: timeout,
        ...integration,
      },
    }
  }
  return {
    openapi: '3.0.1',
    info: { title, version },
    paths,
    'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
    'x-amazon-apigateway-minimum-compression-size': COMPRESSED_FROM,
    'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: options.onlyByDomainName },
    'x-amazon-apigateway-gateway-responses': gatewayResponses(origins.length > 0),
  }
}

/** A path as API Gateway knows it: the slash at the end belongs to the same resource. */
export const resourcePath = (path: string): string => (path === '/' ? '/' : path.replace(/\/$/, ''))

const pathParameters = (names: readonly string[]): Json =>
  names.length === 0
    ? {}
    : { parameters: names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }

/** Headers that a page may send: those of the service, and those of clients of the Model Context Protocol. */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'],
]

/** Answers the question of a browser by itself, for pages of the origins given. */
function preflight(origins: readonly string[], parameters: readonly string[]): Json {
  const [first, ...others] = origins as [string, ...string[]]
  const headers: Record<string, string> = {
    'Access-Control-Allow-Headers': allowedHeaders.join(),
    'Access-Control-Allow-Origin': first,
    'Access-Control-Allow-Methods': 'GET,POST,PUT,DELETE',
    'Access-Control-Max-Age': '3600',
    ...(first === '*' ? {} : { Vary: 'Origin' }),
  }
  const names = Object.keys(headers)
  return {
    ...pathParameters(parameters),
    responses: {
      204: {
        description: 'Which requests a page may make',
        headers: Object.fromEntries(names.map(name => [name, { schema: { type: 'string' } }])),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      requestTemplates: { 'application/json': '{ statusCode: 200 }' },
      responses: {
        default: {
          statusCode: '204',
          responseParameters: Object.fromEntries(
            names.map(name => [`method.response.header.${name}`, `'${headers[name]}'`]),
          ),
          ...(others.length > 0 && { responseTemplates: { 'application/json': allowOrigin(others) } }),
        },
      },
    },
  }
}

/** An answer names one origin: the first, unless the page that asks is of another that is allowed. */
const allowOrigin = (others: readonly string[]) =>
  [
    '#set($origin = $input.params().header.get("Origin"))',
    '#if($origin == "")',
    '  #set($origin = $input.params().header.get("origin"))',
    '#end',
    `#if(${others.map(origin => `$origin == "${origin}"`).join(' || ')})`,
    '  #set($context.responseOverride.header.Access-Control-Allow-Origin = $origin)',
    '#end',
  ].join('\n')

/** What API Gateway answers by itself, in the contract's error body. */
const answers: Record<string, [problem: ProblemType, loc: string[], msg?: string]> = {
  MISSING_AUTHENTICATION_TOKEN: ['not_found', ['path'], 'There is no such endpoint'],
  // The same, where the request carries an Authorization header: API Gateway takes it for a signature of AWS.
  INVALID_SIGNATURE: ['not_found', ['path'], 'There is no such endpoint'],
  THROTTLED: ['rate_limited', []],
  REQUEST_TOO_LARGE: ['payload_too_large', ['body'], 'POST /jobs/uploads takes files of any size'],
  WAF_FILTERED: ['permission_denied', [], 'The firewall refused the request'],
  INTEGRATION_TIMEOUT: ['gateway_timeout', []],
  INTEGRATION_FAILURE: ['bad_gateway', []],
  DEFAULT_4XX: ['invalid_value', [], 'The request was refused'],
  // A function that fails, or answers something else than a reply.
  DEFAULT_5XX: ['bad_gateway', []],
}

const gatewayResponses = (cors: boolean) =>
  Object.fromEntries(
    Object.entries(answers).map(([type, [problem, loc, msg = problems[problem][1]]]) => {
      const body: Problem = { detail: [{ loc, msg, type: problem }] }
      const responseParameters = {
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=63072000'",
        // These answers are the same for everybody and carry no data, so that any page may read them.
        ...(cors && { 'gatewayresponse.header.Access-Control-Allow-Origin': 'method.request.header.Origin' }),
      }
      const responseTemplates = { 'application/json': JSON.stringify(body) }
      return [type, { statusCode: `${problems[problem][0]}`, responseParameters, responseTemplates }]
    }),
  )
