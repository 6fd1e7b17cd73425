import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { SourceContext } from './connector.ts'
import { dialSecure } from './egress.ts'
import { SourceError, toSourceError } from './errors.ts'

export type HttpRequest = {
  method?: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  /** Statuses besides 2xx that are an answer and not a failure. */
  accept?: readonly number[]
}

export type HttpAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable }

/** A client for one call: every connection goes through the guard, no redirect is followed by itself. */
export type Http = {
  request(url: string | URL, request?: HttpRequest): Promise<HttpAnswer>
  /** The answer's JSON; throws when it is larger than 16 MB. */
  json(url: string | URL, request?: HttpRequest): Promise<unknown>
  close(): void
}

const MOST_TRIES = 5
const LONGEST_WAIT_MS = 30_000
const LARGEST_JSON = 16 * 1024 * 1024

/**
 * Opens a client. Answers 429, 500, 502, 503 and 504 are tried again after the time that `Retry-After` asks for; a
 * longer wait than 30 seconds, or a fifth refusal, is `source_throttled` with the time to wait.
 */
export function openHttp(context: SourceContext): Http {
  const { signal, limits } = context
  const agent = new Agent({
    connect: ({ hostname, port, protocol }, done) => {
      const secure = protocol === 'https:'
      dialSecure(context, hostname, Number(port) || (secure ? 443 : 80), secure).then(
        socket => done(null, socket),
        error => done(error, null),
      )
    },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    connections: 8,
  })

  const request: Http['request'] = async (url, { method = 'GET', headers, body, accept = [] } = {}) => {
    const { origin, pathname, search } = new URL(url)
    // A stream can be sent once only.
    const tries = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? MOST_TRIES : 1
    for (let tried = 1; ; tried++) {
      const answer = await agent
        .request({ origin, path: pathname + search, method, headers, body, signal })
        .catch(error => failed(error))
      const { statusCode } = answer
      if ((statusCode >= 200 && statusCode < 300) || accept.includes(statusCode))
        return { status: statusCode, headers: answer.headers, body: answer.body }
      const reason = await beginning(answer.body)
      const wait = retryWait(statusCode, answer.headers, tried, reason)
      if (wait === undefined) throw statusError(statusCode, reason)
      if (tried >= tries || wait > LONGEST_WAIT_MS)
        throw new SourceError('source_throttled', undefined, { remoteCode: statusCode, retryAfterMs: wait })
      await pause(wait, signal)
    }
  }

  return {
    request,
    async json(url, options) {
      return readJson((await request(url, options)).body)
    },
    close: () => void agent.destroy().catch(() => {}),
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

const failed = (error: unknown): never => {
  throw toSourceError(error)
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

async function pause(ms: number, signal: AbortSignal) {
  const { setTimeout: delay } = await import('node:timers/promises')
  await delay(ms, undefined, { signal })
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
