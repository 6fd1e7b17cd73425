import type * as z from 'zod'
import { Problem } from './common.ts'
import { type Endpoint, type PathParameter, parseRoute } from './endpoint.ts'
import { type Api, api } from './index.ts'
import type { ProblemType } from './problems.ts'

/** A file to send: a `Blob` or `File`, or its bytes with a name. */
export type FileToSend = Blob | { name: string; content: Blob | Uint8Array<ArrayBuffer> | string; contentType?: string }

/** What any call may carry besides. */
export type CallOptions = {
  /** Makes a POST or PUT safe to send again: within a day it is carried out once. */
  idempotencyKey?: string
  signal?: AbortSignal
  headers?: Record<string, string>
}

type BodyInput<E extends Endpoint> = E extends { body: infer Schema extends z.ZodType }
  ? object extends z.input<Schema>
    ? { body?: z.input<Schema> }
    : { body: z.input<Schema> }
  : unknown
type QueryInput<E extends Endpoint> = E extends { query: infer Schema extends z.ZodType }
  ? { query?: z.output<Schema> }
  : unknown
type FilesInput<E extends Endpoint> = E extends { multipart: true } ? { files: readonly FileToSend[] } : unknown

/** What a call of an endpoint is given: path parameters by name, `query`, `body` and `files` where it takes them. */
export type CallInput<E extends Endpoint> = Record<PathParameter<E['route']>, string> &
  BodyInput<E> &
  QueryInput<E> &
  FilesInput<E> &
  CallOptions

/** What a success answers: the body as declared. */
export type CallReply<E extends Endpoint> = z.output<E['reply']>

/** A success with what came along: `X-Total-Count`, `Link` and the rate limits are among the headers. */
export type FullReply<E extends Endpoint> = { status: number; headers: Headers; body: CallReply<E> }

type Arguments<E extends Endpoint> = object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** One operation: answers the body, or by `full` the body with status and headers. Throws {@link ApiError}. */
export type Operation<E extends Endpoint> = {
  (...input: Arguments<E>): Promise<CallReply<E>>
  full(...input: Arguments<E>): Promise<FullReply<E>>
}

/** Every operation of the contract by resource: `client.rules.create({ body })`. */
export type Client = {
  [R in keyof Api]: { [O in keyof Api[R]]: Api[R][O] extends Endpoint ? Operation<Api[R][O]> : never }
}

/** A refusal or failure that the service answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Every problem, each with its place; empty when something else than the service answered. */
  readonly detail: Problem['detail']
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined
  readonly headers: Headers

  constructor(status: number, headers: Headers, detail: Problem['detail']) {
    super(`${status} ${detail.map(({ type, msg }) => `${type}: ${msg}`).join('; ')}`.trim())
    this.status = status
    this.headers = headers
    this.detail = detail
    this.requestId = headers.get('x-request-id') ?? undefined
  }

  /** Whether one of the problems is of this type. */
  has(type: ProblemType): boolean {
    return this.detail.some(problem => problem.type === type)
  }
}

/** Where the service is and who calls. */
export type ClientOptions = {
  /** The part of the address before `/api`. */
  baseUrl: string
  /** Access token, or what gives the current one. */
  token?: string | (() => string | undefined)
  /** Gives another token in place of one that has expired; the call is then made again. */
  renew?: (expired: string) => Promise<string>
  /** Stands in for the global `fetch`. */
  fetch?: typeof fetch
}

/** A client of the contract. Replies are checked against it, so what is typed is what is there. */
export const createClient = (options: ClientOptions): Client =>
  Object.fromEntries(
    Object.entries(api).map(([resource, operations]) => [
      resource,
      Object.fromEntries(
        Object.entries(operations as Record<string, Endpoint>).map(([name, endpoint]) => {
          const full = (input: Sent = {}) => send(options, endpoint, input)
          return [name, Object.assign(async (input?: Sent) => (await full(input)).body, { full })]
        }),
      ),
    ]),
  ) as unknown as Client

/** A client that logs in immediately, with the `code` of a second factor if there is one, and renews its token whenever it expires. */
export async function logIn({
  email,
  password,
  code,
  ...options
}: Omit<ClientOptions, 'token' | 'renew'> & { email: string; password: string; code?: string }): Promise<Client> {
  const { auth } = createClient(options)
  let tokens = await auth.login({ body: { email, password, code } })
  let renewal: Promise<string> | undefined
  // A refresh token works once, so calls that find the token expired together share one renewal.
  const renew = async (expired: string) => {
    if (tokens.access_token !== expired) return tokens.access_token
    renewal ??= auth
      .refresh({ body: { refresh_token: tokens.refresh_token } })
      .then(next => {
        tokens = next
        return next.access_token
      })
      .finally(() => {
        renewal = undefined
      })
    return renewal
  }
  return createClient({ ...options, token: () => tokens.access_token, renew })
}

type Sent = CallOptions & { query?: Record<string, unknown>; body?: unknown; files?: readonly FileToSend[] } & {
  [parameter: string]: unknown
}

async function send(options: ClientOptions, endpoint: Endpoint, input: Sent): Promise<FullReply<Endpoint>> {
  const request = requestOf(options.baseUrl, endpoint, input)
  const call = async (token: string | undefined) => {
    const headers = { ...request.headers, ...(token && { Authorization: `Bearer ${token}` }), ...input.headers }
    return (options.fetch ?? fetch)(request.url, { ...request.init, headers, signal: input.signal })
  }
  const token = typeof options.token === 'function' ? options.token() : options.token
  let response = await call(token)
  if (response.status === 401 && token && options.renew && endpoint.access !== 'public') {
    await response.body?.cancel()
    response = await call(await options.renew(token))
  }
  const { status, headers } = response
  const text = await response.text()
  if (!response.ok) throw new ApiError(status, headers, problemsIn(text))
  return { status, headers, body: endpoint.reply.parse(endpoint.produces ? text : read(text)) }
}

/** What an answer of JSON says; nothing where it has no body. */
const read = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

function requestOf(baseUrl: string, endpoint: Endpoint, input: Sent) {
  const { method, path } = parseRoute(endpoint.route)
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(String(input[name])))
  const given = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  const url = `${baseUrl.replace(/\/$/, '')}/api${filled}${query.size > 0 ? `?${query}` : ''}`
  const key: Record<string, string> = input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}
  if (endpoint.multipart) return { url, headers: key, init: { method, body: formOf(input) } }
  if (input.body === undefined) return { url, headers: key, init: { method } }
  const headers = { ...key, 'Content-Type': 'application/json' }
  return { url, headers, init: { method, body: JSON.stringify(input.body) } }
}

function formOf({ body, files = [] }: Sent): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as object)) form.append(name, String(value))
  for (const file of files) {
    if (file instanceof Blob) form.append('files', file)
    else form.append('files', new Blob([file.content], { type: file.contentType }), file.name)
  }
  return form
}

function problemsIn(text: string): Problem['detail'] {
  try {
    return Problem.parse(JSON.parse(text)).detail
  } catch {
    return []
  }
}
