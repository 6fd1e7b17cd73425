import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { SourceContext } from './connector.ts'
import { dialSecure } from './egress.ts'
import { SourceError, toSourceError } from './errors.ts'

export type HttpRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  /** Statuses besides 2xx that are an answer and not a failure. */
  accept?: readonly number[]
}

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; body: Readable }

/** A client for one call: every connection goes through the guard, no redirect is followed by itself. */
export type Http = {
  request(url: string | URL, request?: HttpRequest): Promise<HttpAnswer>
  /** The answer's JSON; throws when it is larger than 16 MB. */
  json(url: string | URL, request?: HttpRequest): Promise<unknown>
  close(): void
}

const MAX_TRIES = 5
const LONGEST_WAIT_MS = 30_000
const LARGEST_JSON = 16 * 1024 * 1024

/**
 * Opens a client. Answers 429, 500, 502, 503 and 504 are tried again after the time that `Retry-After` asks for; a
 * longer wait than 30 seconds, or a fifth refusal, is `source_throttled` with the time to wait.
 */
export function openHttp(context: SourceContext): Http {
  const { signal } = context
  const agents = guardedAgents(context)

  const request: Http['request'] = async (url, { method = 'GET', headers, body, accept = [] } = {}) => {
    // A stream can be sent once only.
    const tries = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? MAX_TRIES : 1
    for (let tried = 1; ; tried++) {
      const answer = await send(new URL(url), { method, headers, body }, agents, context)
      const status = answer.statusCode!
      if ((status >= 200 && status < 300) || accept.includes(status))
        return { status, headers: answer.headers, body: answer }
      const reason = await beginning(answer)
      const wait = retryWait(status, answer.headers, tried, reason)
      if (wait === undefined) throw statusError(status, reason)
      if (tried >= tries || wait > LONGEST_WAIT_MS)
        throw new SourceError('source_throttled', undefined, { remoteCode: status, retryAfterMs: wait })
      await delay(wait, undefined, { signal })
    }
  }

  return {
    request,
    async json(url, options) {
      return readJson((await request(url, options)).body)
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The JSON of an answer of at most 16 MB. */
export async function readJson(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > LARGEST_JSON) throw new SourceError('source_limit_exceeded', 'The source answered too much')
      chunks.push(chunk)
    }
  } catch (error) {
    throw toSourceError(error)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new SourceError('source_failed', 'The source answered something other than JSON')
  }
}

/** Sends one request and gives the answer, whatever its status, once its head is there. */
export function send(
  { protocol, hostname, port, pathname, search }: URL,
  { method, headers, body }: HttpRequest,
  agents: ReturnType<typeof guardedAgents>,
  { signal, limits }: SourceContext,
): Promise<IncomingMessage> {
  const secure = protocol === 'https:'
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? secureRequest : plainRequest)({
      agent: secure ? agents.httpsAgent : agents.httpAgent,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port || (secure ? 443 : 80),
      path: pathname + search,
      method,
      headers: typeof body === 'string' ? { ...headers, 'content-length': String(Buffer.byteLength(body)) } : headers,
      signal,
      timeout: limits.idleMs,
    })
    outgoing.on('response', resolve)
    outgoing.on('timeout', () => outgoing.destroy(new SourceError('source_timeout')))
    outgoing.on('error', error => reject(signal.aborted ? signal.reason : toSourceError(error)))
    if (body instanceof Readable) {
      body.on('error', error => outgoing.destroy(error))
      body.pipe(outgoing)
    } else outgoing.end(body)
  })
}

type Connected = Parameters<NonNullable<PlainAgent['createConnection']>>[1]

/** Agents of Node's HTTP whose connections go through the guard. */
export function guardedAgents(context: SourceContext) {
  const connecting = (secure: boolean) => (options: { host?: string; port?: number | string }, done?: Connected) => {
    dialSecure(context, options.host ?? '', Number(options.port) || (secure ? 443 : 80), secure).then(
      socket => done?.(null, socket),
      error => done?.(error, undefined as never),
    )
    return undefined
  }
  return {
    httpAgent: Object.assign(new PlainAgent({ keepAlive: true }), { createConnection: connecting(false) }),
    httpsAgent: Object.assign(new SecureAgent({ keepAlive: true }), { createConnection: connecting(true) }),
  }
}

/** Milliseconds to wait before the next try; undefined where the answer is final. */
function retryWait(status: number, headers: HttpAnswer['headers'], tried: number, reason: string): number | undefined {
  // Google says with 403 what others say with 429.
  const busy = status === 403 && /"(userRateLimitExceeded|rateLimitExceeded)"/.test(reason)
  if (!busy && ![429, 500, 502, 503, 504].includes(status)) return
  const asked = headers['retry-after']
  if (typeof asked === 'string' && /^\d{1,6}$/.test(asked)) return Number(asked) * 1000
  const date = typeof asked === 'string' ? Date.parse(asked) : Number.NaN
  return Number.isNaN(date) ? 250 * 2 ** tried : Math.max(0, date - Date.now())
}

/** The first 16 KB of a refusal, to tell its reason; it is shown to nobody. */
async function beginning(body: Readable): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body) {
      text += chunk
      if (text.length > 16_384) break
    }
  } catch {
    // The status says enough.
  }
  return text
}

/** The failure that a status of HTTP stands for. */
function statusError(status: number, reason: string): SourceError {
  const remoteCode = status
  if (status === 401) return new SourceError('source_auth_failed', undefined, { remoteCode })
  if (/"(exportSizeLimitExceeded|quotaLimitReached|storageQuotaExceeded)"/.test(reason))
    return new SourceError('source_limit_exceeded', undefined, { remoteCode })
  if (status === 403) return new SourceError('source_permission_denied', undefined, { remoteCode })
  if (status === 404 || status === 410) return new SourceError('source_not_found', undefined, { remoteCode })
  if (status === 409 || status === 412) return new SourceError('source_conflict', undefined, { remoteCode })
  if (status >= 300 && status < 400)
    return new SourceError('source_failed', 'The source sent the request elsewhere', { remoteCode })
  return new SourceError('source_failed', undefined, { remoteCode })
}
