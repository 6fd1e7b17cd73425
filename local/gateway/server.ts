import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isOwnHost } from 'aws-emulators'
import { ProblemError } from '../../shared/api/problems.ts'
import type { Outcome } from '../runner/pool.ts'
import { resourcesOf, type Template } from '../template.ts'
import { type Reply, readAnswers, readReply } from './answers.ts'
import { compressed } from './compression.ts'
import { readDefinition } from './definition.ts'
import { proxyEvent } from './event.ts'
import { readRoutes } from './routes.ts'

/** Largest request, bytes. */
const largestRequest = 10 * 1024 * 1024

/** A running gateway. */
export type Gateway = { port: number; close(grace: number): Promise<void> }

export type GatewayOptions = {
  template: Template
  port: number
  /** Names that clients may call it by, besides those of the loopback. */
  hosts?: readonly string[]
  /** Largest event that a function takes, bytes. */
  largestEvent: number
  invoke: (functionId: string, event: unknown) => Promise<Outcome>
  onError: (error: unknown) => void
}

/** Serves the REST API of a template on 127.0.0.1, with the limits and the answers of API Gateway. */
export function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { template, invoke, largestEvent, onError } = options
  const definition = readDefinition(template)
  const route = readRoutes(definition)
  const answer = readAnswers(definition)
  const compressFrom = definition['x-amazon-apigateway-minimum-compression-size']
  const binaryMediaTypes = definition['x-amazon-apigateway-binary-media-types']
  const [[, { StageName }]] = resourcesOf(template, 'AWS::ApiGateway::Stage') as [[string, Stage]]

  async function handle(request: IncomingMessage): Promise<Reply> {
    const id = randomUUID()
    if (!isOwnHost(request.headers.host, options.hosts)) return strangeHost(id)
    const origin = localOrigin(request)
    if (wantsPage(request)) return { status: 302, headers: { Location: `/${StageName}/console/` }, body: '' }
    const [rawPath = '/', rawQuery = ''] = splitOnce(request.url ?? '/', '?')
    const [, stage, ...segments] = rawPath.split('/')
    if (segments.at(-1) === '') segments.pop()
    const found = stage === StageName ? route(request.method ?? 'GET', segments) : undefined
    // An Authorization header makes API Gateway look for a signature of AWS where it finds no method.
    const unknown = request.headers.authorization ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN'
    if (!found) return answer(unknown, id, origin)
    if ('status' in found.target) {
      const { status, headers } = found.target
      return { status, headers: origin ? { ...headers, 'Access-Control-Allow-Origin': origin } : {}, body: '' }
    }
    const body = await readBody(request)
    if (!body) return answer('REQUEST_TOO_LARGE', id, origin)
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    const path = `/${segments.join('/')}${rawPath.endsWith('/') && segments.length > 0 ? '/' : ''}`
    const query = new URLSearchParams(rawQuery)
    const received = { id, request, path, query, body, stage: StageName }
    const event = proxyEvent(received, found, binaryMediaTypes.includes(mediaType))
    if (Buffer.byteLength(JSON.stringify(event)) > largestEvent) return answer('REQUEST_TOO_LARGE', id, origin)

    const { functionId, timeout } = found.target
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), timeout)
    })
    const outcome = await Promise.race([invoke(functionId, event), late])
    clearTimeout(timer)
    if (!outcome) return answer('INTEGRATION_TIMEOUT', id, origin)
    const reply = 'payload' in outcome ? readReply(outcome.payload, id) : undefined
    return reply ?? answer('DEFAULT_5XX', id, origin)
  }

  // An idle connection is kept longer than clients keep theirs, or they send into one that is just being closed.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    handle(request)
      .catch(error => {
        onError(error)
        return answer('INTEGRATION_FAILURE', randomUUID())
      })
      .then(reply => send(request, response, compressed(reply, request.headers['accept-encoding'], compressFrom)))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ port, close: grace => close(server, grace) })
    })
  })
}

type Stage = { StageName: string }
type Server = ReturnType<typeof createServer>

/** The answer to a request under a name that is none of this machine's. */
function strangeHost(requestId: string): Reply {
  const { status, detail } = new ProblemError({ type: 'host_not_allowed', loc: ['header', 'Host'] })
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId, Connection: 'close' }
  return { status, headers, body: JSON.stringify({ detail }) }
}

/** Whether somebody has opened the base URL in a browser. */
const wantsPage = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url === '/' && (headers.accept ?? '').includes('text/html')

/** The whole body; undefined beyond the limit, and then the rest is not read. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestRequest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Where a page of this machine asks: that of any other page is taken away, so that no function allows it. */
function localOrigin(request: IncomingMessage): string | undefined {
  const { origin } = request.headers
  if (origin === undefined) return undefined
  if (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)) return origin
  delete request.headers.origin
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'origin')
  request.rawHeaders.splice(at, 2)
  return undefined
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply) {
  // What wasn't read of a request that is too large can't be told from the next request.
  if (!request.complete) response.setHeader('Connection', 'close')
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

/** Takes no more connections, lets requests finish for a while, milliseconds, and then cuts what is left. */
async function close(server: Server, grace: number) {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(timer)
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
