import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { restoreAnswer } from './answer.ts'
import type { Masking } from './masking.ts'
import { errorBody, Refusal } from './refusal.ts'
import { isPlainQuery, providerOf, received, routeOf, sent } from './routes.ts'
import { createStreamRestorer } from './stream.ts'
import type { Json } from './vocabulary.ts'

/** Largest request and largest whole answer, bytes. */
export const MAX_BYTES = 32 * 2 ** 20

/** What is told of each request: nothing of its content. */
export type Told = { method: string; path: string; status: number; replaced: number; milliseconds: number }

export type ProxyOptions = {
  /** The origin of the provider's API, with whatever stands before `/v1`. */
  upstream: string
  masking: Masking
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number
  told?: (request: Told) => void
}

/** Serves the proxy on the loopback. */
export async function startProxy(options: ProxyOptions): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => void serve(request, response, options))
  server.requestTimeout = 120_000
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : options.port }
}

/** A request on its way: what it asked for, and when its client went away. */
type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL; signal: AbortSignal }

async function serve(request: IncomingMessage, response: ServerResponse, options: ProxyOptions) {
  const begun = performance.now()
  const gone = new AbortController()
  response.on('close', () => gone.abort(new Error('The client has gone')))
  const url = URL.parse(request.url ?? '/', 'http://localhost') ?? new URL('http://localhost/')
  let replaced = 0
  try {
    replaced = await forward({ request, response, url, signal: gone.signal }, options)
  } catch (error) {
    if (!gone.signal.aborted) fail(response, url, error)
  }
  const path = routeOf(request.method ?? '', url.pathname) ? url.pathname : '(unknown)'
  const milliseconds = Math.round(performance.now() - begun)
  options.told?.({ method: request.method ?? '', path, status: response.statusCode, replaced, milliseconds })
}

/** Masks a request, passes it on, and sends its answer back with the values in place; gives how many were replaced. */
async function forward(exchange: Exchange, { upstream, masking }: ProxyOptions): Promise<number> {
  const { request, response, url, signal } = exchange
  checkOrigin(request)
  const route = routeOf(request.method ?? '', url.pathname)
  if (!route) throw new Refusal(501, 'This proxy does not know the path, so nothing was passed on')
  if (!isPlainQuery(url.searchParams)) throw new Refusal(400, 'The query has parameters that are not passed on')
  const { body, replaced } =
    route.method === 'POST' ? await masking.mask(await readBody(request), signal) : { body: undefined, replaced: 0 }
  const answer = await send(`${upstream}${url.pathname}${url.search}`, request, body, signal)
  await giveBack(answer, response, masking)
  return replaced
}

/** Only programs of this machine may ask: no page of the web, under whatever name it reaches the loopback. */
function checkOrigin({ headers: { host = '', origin } }: IncomingMessage) {
  const isHere = (name: string) => ['localhost', '127.0.0.1', '[::1]'].includes(name.toLowerCase())
  if (!isHere(host.replace(/:\d+$/, ''))) throw new Refusal(403, 'The Host header names another machine')
  if (origin !== undefined && !isHere(URL.parse(origin)?.hostname ?? ''))
    throw new Refusal(403, 'Pages of other machines may not use this proxy')
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw new Refusal(415, 'The request must be application/json')
  if (encoding !== 'identity') throw new Refusal(415, 'The request must not be compressed')
  const bytes = await collect(request, () => new Refusal(413, `The request must have at most ${MAX_BYTES} bytes`))
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal(400, 'The request is not UTF-8')
  }
  return parse(text, () => new Refusal(400, 'The request is no JSON object'))
}

async function collect(stream: AsyncIterable<Uint8Array>, tooLarge: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(text: string, wrong: () => Error): Json {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong()
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong()
  return value
}

/** Asks the provider. A redirection could lead anywhere, so none is followed. */
async function send(url: string, { method, headers }: IncomingMessage, body: Json | undefined, signal: AbortSignal) {
  const kept = sent.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  const own = { accept: 'application/json, text/event-stream', 'user-agent': 'anonymise-proxy' }
  let answer: Response
  try {
    answer = await fetch(url, {
      method,
      signal,
      redirect: 'manual',
      headers: {
        ...Object.fromEntries(kept),
        ...own,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    signal.throwIfAborted()
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    throw new Refusal(502, `The provider can not be reached${code ? ` (${code})` : ''}`)
  }
  if (answer.status >= 300 && answer.status < 400) {
    await answer.body?.cancel()
    throw new Refusal(502, 'The provider answered with a redirection, which is not followed')
  }
  return answer
}

async function giveBack(answer: Response, response: ServerResponse, masking: Masking) {
  const type = answer.headers.get('content-type') ?? ''
  const headers = [...answer.headers].filter(([name]) => received.test(name))
  const begin = (contentType: string) =>
    response.writeHead(answer.status, { ...Object.fromEntries(headers), 'content-type': contentType })
  if (/^text\/event-stream\b/i.test(type)) {
    begin('text/event-stream; charset=utf-8').flushHeaders()
    return giveEvents(answer, response, masking)
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    await answer.body?.cancel()
    throw new Refusal(answer.ok ? 502 : answer.status, `The provider answered ${answer.status}, but not in JSON`)
  }
  const bytes = await collect(Readable.fromWeb(answer.body as never), () => new Refusal(502, 'The answer is too large'))
  const body = parse(bytes.toString(), () => new Refusal(502, "The provider's answer is no JSON object"))
  begin('application/json').end(JSON.stringify(restoreAnswer(body, masking.restorer())))
}

/** Sends events on as they come; waits where the client reads slowly. */
async function giveEvents(answer: Response, response: ServerResponse, masking: Masking) {
  const restorer = createStreamRestorer(masking.restorer())
  const write = async (text: string) => {
    if (text !== '' && !response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  const events = answer
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_BYTES }))
  for await (const message of events) {
    if (response.destroyed) return
    await write(restorer.push(message))
  }
  await write(restorer.end())
  response.end()
}

/** Tells what went wrong, in the provider's form and without anything of the request. */
function fail(response: ServerResponse, url: URL, error: unknown) {
  const { status, message } =
    error instanceof Refusal ? error : { status: 502, message: 'The exchange failed, and was ended' }
  const body = errorBody(providerOf(url.pathname), status, message)
  // A stream that breaks off must not look like one that has ended.
  if (response.headersSent) response.end(`event: error\ndata: ${body}\n\n`, () => response.destroy())
  else response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
}
