import type { IncomingMessage } from 'node:http'
import { arnOf } from '../template.ts'
import type { Route } from './routes.ts'

/** A request as far as the gateway has understood it. */
export type Received = {
  id: string
  request: IncomingMessage
  /** Path below the stage, as it was sent. */
  path: string
  query: URLSearchParams
  body: Buffer
  stage: string
}

/** The event that API Gateway hands to a function: version 1.0 of the proxy integration. */
export function proxyEvent({ id, request, path, query, body, stage }: Received, route: Route, binary: boolean) {
  const headers = multiValues(pairs(request.rawHeaders))
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1'
  headers['X-Forwarded-For'] = [address]
  headers['X-Forwarded-Proto'] = ['http']
  headers['X-Forwarded-Port'] = [String(request.socket.localPort)]
  const parameters = multiValues([...query])
  const now = new Date()
  return {
    resource: route.resource,
    path,
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: query.size > 0 ? lastValues(parameters) : null,
    multiValueQueryStringParameters: query.size > 0 ? parameters : null,
    pathParameters: route.parameters,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      domainName: request.headers.host?.replace(/:\d+$/, '') ?? '127.0.0.1',
      domainPrefix: 'local',
      extendedRequestId: id,
      httpMethod: request.method,
      identity: { sourceIp: address, userAgent: request.headers['user-agent'] ?? null },
      path: `/${stage}${path}`,
      protocol: `HTTP/${request.httpVersion}`,
      requestId: id,
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: 'local',
      resourcePath: route.resource,
      resourceArn: arnOf('execute-api', `local/${stage}`),
      stage,
    },
    body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: binary && body.length > 0,
  }
}

/** Node.js keeps header names as they were sent in one list, each followed by its value. */
const pairs = (raw: string[]) => raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]!] as const] : []))

function multiValues(all: readonly (readonly [string, string])[]): Record<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of all) values.set(name, [...(values.get(name) ?? []), value])
  return Object.fromEntries(values)
}

const lastValues = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1)!]))
