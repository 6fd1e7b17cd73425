import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type * as z from 'zod'
import { Id } from '../api/common.ts'
import { type Endpoint, isAudited, isForPeople, isRepeatable } from '../api/endpoint.ts'
import { ProblemError, type ProblemType } from '../api/problems.ts'
import { anyChain } from '../audit/records.ts'
import { beginLines, log } from '../log.ts'
import { settings } from '../settings.ts'
import { type Transact, transact } from '../store/dynamo.ts'
import type { Rate } from '../store/rate-limit.ts'
import { type Run, recorded, recordedOnce, type Trace } from './audited.ts'
import { header } from './authenticate.ts'
import { parseForm, parseJson, textOf } from './body.ts'
import { type Caller, hasPermission, isProgram } from './caller.ts'
import { formatWanted, type Writers } from './formats.ts'
import { contentOf, idempotently } from './idempotency.ts'
import { identify } from './identify.ts'
import { parseMultipart } from './multipart.ts'
import { oauthRefusal } from './oauth.ts'
import { readPage } from './paging.ts'
import { refreshCookieOf } from './refresh-cookie.ts'
import type { Answer, Call, UploadedFile } from './request.ts'
import { answer, problemOf } from './response.ts'
import { signOnSecretOf } from './sign-on-cookie.ts'
import { parseAll } from './validate.ts'
import { type Ahead, addressed, namedIn, schemasOf, wantedBy } from './wanted.ts'

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>

/** The request's rate, kept for the headers of whatever answer it gets, and when it came. */
type Progress = { rate?: Rate; began: number }

/** What a function has besides: how its reply is written in other formats, what it will read, and whether it tells the trail a subject. */
type Besides<E extends Endpoint> = { writers?: Writers<z.output<E['reply']>>; ahead?: Ahead<E>; tellsSubject?: boolean }

/**
 * From a declaration and a function to a Lambda handler: authenticates, limits, authorises, parses, runs, and parses
 * the reply too, so that a field that isn't declared never leaves.
 */
export const handle =
  <const E extends Endpoint>(endpoint: E) =>
  (
    run: (call: Call<E>) => Promise<Answer<E>>,
    { writers = {}, ahead, tellsSubject = false }: Besides<E> = {},
  ): Handler => {
    const progress = new WeakMap<APIGatewayProxyEvent, Progress>()
    const replying = (event: APIGatewayProxyEvent, headers: Record<string, string> = {}) => ({
      contentType: 'application/json',
      requestId: event.requestContext.requestId,
      origin: header(event, 'origin'),
      rate: progress.get(event)?.rate,
      headers,
    })
    const logAnswer = (event: APIGatewayProxyEvent, status: number, problem?: ProblemType) => {
      const { began } = progress.get(event)!
      log.info('request done', { status, problem, milliseconds: Math.round(performance.now() - began) })
    }
    return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
      .before(({ event, context }) => {
        beginLines(context, { requestId: event.requestContext.requestId, route: endpoint.route })
        progress.set(event, { began: performance.now() })
      })
      .after(({ event, response }) => logAnswer(event, response!.statusCode))
      .onError(request => {
        const refusal = problemOf(request.error)
        const reply = replying(request.event, refusal.headers)
        const { status, body } = refusalOf(request.event, endpoint, refusal)
        request.response = answer(status, JSON.stringify(body), reply)
        logAnswer(request.event, status, refusal.detail[0]!.type)
      })
      .handler(async event => {
        const chain = anyChain()
        const noteRate = (rate: Rate) => {
          progress.get(event)!.rate = rate
        }
        const user = await identify(event, endpoint, {
          note: noteRate,
          wanted: wantedBy(event, endpoint, { chain, ahead }),
        })
        const sent: Sent = { status: 200, headers: {} }
        const { headers } = sent
        const perform: Run<string> = async (trace, begun, write) => {
          trace.recordId = namedIn(event, endpoint).id
          if (user) authorise(user, endpoint)
          const parsed = await parse(event, endpoint)
          log.appendKeys(namedIds(parsed.params))
          const foreseen = () => {
            if (!tellsSubject || trace.subject !== undefined) begun()
          }
          foreseen()
          const request = { request: requestInfo(event), headers: headersOf(event, endpoint) }
          const note = (known: Trace) => {
            Object.assign(trace, known)
            foreseen()
          }
          const call = { ...parsed, user, ...request, ...setters(sent), note }
          const produce = async (write: Transact) => {
            const value = endpoint.reply.parse(await run({ ...call, write } as unknown as Call<E>))
            trace.recordId ??= idOf(value)
            log.appendKeys(jobOf(endpoint, value))
            return bodyOf(event, endpoint, parsed.query, value as z.output<E['reply']>, { writers, headers })
          }
          if (!isRepeatable(endpoint) || !user) return produce(write)
          const content = contentOf(event.body, parsed.body, parsed.files)
          const body = await idempotently(event, user, { content, headers }, write, produce)
          trace.repeated = 'Idempotency-Replayed' in headers
          return body
        }
        const body = await record(event, endpoint, { user, chain }, perform)
        const contentType = endpoint.produces ?? 'application/json'
        return answer(sent.status, body, { ...replying(event, headers), contentType })
      }) as unknown as Handler
  }

/** Runs a call, recorded in the audit trail as the endpoint asks. */
function record(
  event: APIGatewayProxyEvent,
  endpoint: Endpoint,
  by: { user: Caller | undefined; chain: number },
  perform: Run<string>,
): Promise<string> {
  if (!isAudited(endpoint)) return perform({}, () => {}, transact)
  if (endpoint.audited === 'disclosures' && by.user) return recordedOnce(event, endpoint.route, by.user, perform)
  return recorded(event, endpoint.route, by, perform)
}

/** The reply as text: in the format that is asked for, whose media type goes to the headers, or else as JSON. */
function bodyOf<R>(
  event: APIGatewayProxyEvent,
  endpoint: Endpoint,
  { format, cursor }: Record<string, unknown>,
  reply: R,
  { writers, headers }: { writers: Writers<R>; headers: Sent['headers'] },
): string {
  const wanted = formatWanted(endpoint, format, header(event, 'accept'))
  if (wanted) {
    headers['Content-Type'] = `${wanted.mediaType}; charset=utf-8`
    return writers[wanted.name]!(reply, cursor === undefined)
  }
  return endpoint.produces ? String(reply) : (JSON.stringify(reply) ?? '')
}

/** What a function says of its answer besides the reply. */
type Sent = { status: number; headers: Record<string, string> }

const setters = (sent: Sent) => ({
  header: (name: string, value: string) => {
    sent.headers[name] = value
  },
  status: (code: number) => {
    sent.status = code
  },
})

/** The headers that an endpoint reads besides, by their names in the declaration. */
const headersOf = (event: APIGatewayProxyEvent, { headers = {} }: Endpoint) =>
  Object.fromEntries(Object.keys(headers).map(name => [name, header(event, name.toLowerCase())]))

const idOf = (value: unknown): string | undefined => Id.safeParse((value as { id?: unknown } | null)?.id).data

/** Path parameters as keys of log lines: `job_id` is `jobId` there, as in messages. */
const namedIds = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, id]) => [name.replace('_id', 'Id'), id]))

/** The job that a reply is about, as a key of log lines: one that was made, or the one that an asset belongs to. */
function jobOf({ createsJob }: Endpoint, value: unknown): { jobId?: string } {
  const found = value as { id?: unknown; jobId?: unknown } | null
  const { data: jobId } = Id.safeParse(createsJob ? found?.id : found?.jobId)
  return jobId ? { jobId } : {}
}

/**
 * Refuses a caller with a temporary password, without a second factor that the role needs or the permission asked for, a
 * service account where people decide, and a second factor or log-in by a provider that was too long ago (403).
 */
function authorise(user: Caller, endpoint: Endpoint): void {
  const { access, changesPassword, setsUpSecondFactor, fresh } = endpoint
  if (user.mustChangePassword && !changesPassword) throw new ProblemError({ type: 'password_change_required' })
  if (user.mustSetUpSecondFactor && !changesPassword && !setsUpSecondFactor) {
    throw new ProblemError({ type: 'second_factor_setup_required' })
  }
  if (isProgram(user) && isForPeople(endpoint)) {
    throw new ProblemError({ type: 'permission_denied', msg: 'Service accounts may not do this' })
  }
  if (access !== 'public' && access !== 'session' && !hasPermission(user, access)) {
    throw new ProblemError({ type: 'permission_denied', msg: `This needs the permission ${access}` })
  }
  const age = Date.now() - user.authTime
  if (fresh && user.amr !== 'pwd' && !isProgram(user) && age > settings().SECOND_FACTOR_FRESH_SECONDS * 1000) {
    throw new ProblemError({ type: 'fresh_login_required' })
  }
}

/** Everything that the declaration names, parsed; all problems of all parts are refused at once. */
async function parse(event: APIGatewayProxyEvent, endpoint: Endpoint) {
  const { value, files } = await readBody(event, endpoint)
  const addressee = addressed(event, endpoint)
  const [params, query, body] = parseAll([
    addressee.path,
    addressee.query,
    { at: 'body', schema: schemasOf(endpoint).body, value },
  ]) as [Record<string, string>, Record<string, unknown>, Record<string, unknown>]
  return { params, query, body, files, page: readPage(body, query) }
}

const FORM = 'application/x-www-form-urlencoded'

const mediaTypeOf = (event: APIGatewayProxyEvent): string =>
  (header(event, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase()

/** Status and body of a refusal. */
function refusalOf(event: APIGatewayProxyEvent, { oauth }: Endpoint, refusal: ProblemError) {
  const { status, detail } = refusal
  return oauth ? oauthRefusal(refusal, mediaTypeOf(event) === FORM) : { status, body: { detail } }
}

async function readBody(
  event: APIGatewayProxyEvent,
  endpoint: Endpoint,
): Promise<{ value: unknown; files?: UploadedFile[] }> {
  const { body, isBase64Encoded } = event
  const mediaType = mediaTypeOf(event)
  if (endpoint.multipart) {
    if (mediaType !== 'multipart/form-data') throw unsupported('multipart/form-data')
    const { fields, files } = await parseMultipart(
      header(event, 'content-type')!,
      Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
    )
    return { value: fields, files }
  }
  if (!body) return { value: {} }
  if (endpoint.form && mediaType === FORM) {
    return { value: parseForm(textOf(body, isBase64Encoded)) }
  }
  if (mediaType !== '' && mediaType !== 'application/json') throw unsupported('application/json')
  return { value: parseJson(textOf(body, isBase64Encoded)) }
}

const unsupported = (wanted: string): ProblemError =>
  new ProblemError({ type: 'unsupported_media_type', msg: `Send ${wanted}`, loc: ['header', 'Content-Type'] })

function requestInfo(event: APIGatewayProxyEvent): Call<Endpoint>['request'] {
  const { requestId, identity, domainName, stage, path } = event.requestContext
  const host = header(event, 'host') ?? domainName ?? ''
  const scheme = header(event, 'x-forwarded-proto') ?? 'https'
  const bearer = /^Bearer +(\S+)$/i.exec(header(event, 'authorization') ?? '')?.[1]
  const userAgent = (header(event, 'user-agent') ?? '').slice(0, 200)
  const origin = `${scheme}://${host}`
  const [baseUrl, url] = [`${origin}/${stage}`, `${origin}${path}`]
  // A page of another origin can't send this header without permission, so a cookie alone makes no call.
  const console =
    header(event, 'x-console') === '1' ? { refreshToken: refreshCookieOf(header(event, 'cookie')) } : undefined
  const signOnSecret = signOnSecretOf(baseUrl, header(event, 'cookie'))
  return { id: requestId, address: identity.sourceIp, userAgent, baseUrl, url, bearer, console, signOnSecret }
}
