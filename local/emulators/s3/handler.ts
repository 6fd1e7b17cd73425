import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsError, reportFailure } from '../aws/errors.ts'
import { defaultCredentials, type EmulatorOptions } from '../aws/hooks.ts'
import { drain, injectFault, type RequestHandler } from '../aws/server.ts'
import { SignatureError, type SignatureProblem, type Verifier, verifySignature } from '../aws/signature.ts'
import type { ServiceEvent } from '../events/start.ts'
import { type Context, type Reply, readTarget, type Target } from './context.ts'
import { corsHeaders, preflight } from './cors.ts'
import { createdEvent } from './created.ts'
import { checkForm, postObject, readForm } from './post.ts'
import { route } from './route.ts'
import type { Store } from './store.ts'
import { toXml } from './xml.ts'

const problems: Record<SignatureProblem, string> = {
  missing: 'AccessDenied',
  malformed: 'AuthorizationHeaderMalformed',
  unknown_key: 'InvalidAccessKeyId',
  mismatch: 'SignatureDoesNotMatch',
  expired: 'AccessDenied',
  unsigned_header: 'AccessDenied',
}

/** What an emulator of S3 is started with; `tell` learns of objects in buckets whose notifications go to EventBridge. */
export type S3Options = EmulatorOptions & { tell?: (event: ServiceEvent) => void }

/** What handles the requests: where objects are kept, and how the emulator was started. */
type Server = { store: Store; options: S3Options; verifier: Verifier }

/** The HTTP handler of S3. */
export function s3Handler(store: Store, options: S3Options): RequestHandler {
  const { credentials = defaultCredentials } = options
  const server: Server = { store, options, verifier: { service: 's3', credentials, now: store.now } }
  return async (request, response) => {
    const requestId = randomUUID()
    let target: Target | undefined
    let reply: Reply
    try {
      target = readTarget(request.url ?? '/', request.headers.host)
      const done = await act(server, request, target)
      tellCreated(server, done, requestId)
      if (done.lost) return void request.socket.destroy()
      reply = done.reply
    } catch (error) {
      if (goneWith(error) || (request.destroyed && !request.complete)) return
      drain(request)
      reply = errorReply(request, refusal(error), (request.url ?? '/').split('?')[0]!, requestId)
    }
    const { origin } = request.headers
    const bucket = origin && target ? bucketOf(store, target) : undefined
    const shared = origin && bucket ? corsHeaders(bucket, origin, request.method ?? '') : undefined
    await send(response, { ...reply, headers: { ...shared, ...reply.headers } }, requestId)
  }
}

/** What was done for whom, and the answer, which may be lost. */
type Done = { reply: Reply; lost?: boolean; operation?: string; target?: Target; requester?: string }

function tellCreated({ store, options }: Server, { operation = '', target, requester = '' }: Done, requestId: string) {
  const bucket = target && bucketOf(store, target)
  const object = bucket && options.tell && store.find(bucket.name, target.key)
  const event = object && createdEvent(bucket, { key: target.key, object, operation, requester, requestId })
  if (event) options.tell!(event)
}

async function act(server: Server, request: IncomingMessage, target: Target): Promise<Done> {
  const { store, verifier } = server
  const method = request.method ?? ''
  if (method === 'OPTIONS') return { reply: preflight(bucketOf(store, target), request) }
  if (method === 'POST' && request.headers['content-type']?.startsWith('multipart/form-data'))
    return takeForm(server, request, target)
  const signer = verifySignature({ method, url: request.url ?? '/', headers: request.headers }, verifier)
  const { name, run } = route(method, target, request.headers['x-amz-copy-source'] !== undefined)
  const fault = await faultOf(server, name, target, signer.accessKeyId)
  const reply = await run({ ...contextOf(server, request, target, signer.accessKeyId), signer, fault })
  return { reply, lost: fault.loseReply, operation: name, target, requester: signer.accessKeyId }
}

/** Takes an object that a form holds, which is signed by its policy and not as other requests are. */
async function takeForm(server: Server, request: IncomingMessage, target: Target): Promise<Done> {
  const form = await readForm(request)
  const { accessKeyId, least, most } = checkForm(target.bucket, form, server.verifier)
  const key = (form.fields.get('key') ?? '').replace(/\$\{filename\}/g, () => form.filename)
  if (key === '') throw new AwsError('InvalidArgument', 'Bucket POST must contain a field named key')
  const there = { ...target, ...readTarget(`/b/${encodeURIComponent(key)}`, undefined), bucket: target.bucket }
  const fault = await faultOf(server, 'PostObject', there, accessKeyId)
  const context = contextOf(server, request, there, accessKeyId)
  const reply = await postObject(context, form, least, most)
  return { reply, lost: fault.loseReply, operation: 'PostObject', target: there, requester: accessKeyId }
}

const bucketOf = (store: Store, target: Target) => store.buckets().find(({ name }) => name === target.bucket)

function contextOf(
  { store, options }: Server,
  request: IncomingMessage,
  target: Target,
  accessKeyId: string,
): Omit<Context, 'signer'> {
  const allowed = (action: string, resource: string) =>
    options.authorize?.({
      ...{ accessKeyId, service: 's3', action, conditions: {} },
      resource: resource === '*' ? '*' : `arn:aws:s3:::${resource}`,
    }) !== false
  return {
    ...target,
    ...{ request, store, allowed, fault: {} },
    header: name => request.headers[name]?.toString(),
    authorize(action, resource) {
      if (!allowed(action, resource)) throw new AwsError('AccessDenied', `Access Denied: s3:${action}`, 403)
    },
  }
}

async function faultOf({ options }: Server, name: string, { bucket, key, query }: Target, caller: string) {
  const fault = options.faults?.('s3', name, { bucket, key, query: Object.fromEntries(query) }, caller) ?? {}
  await injectFault(fault)
  return fault
}

function refusal(error: unknown): AwsError {
  if (error instanceof AwsError) return error
  if (error instanceof SignatureError)
    return new AwsError(problems[error.problem], error.message, error.problem === 'malformed' ? 400 : 403)
  reportFailure('s3', 'request', error)
  return new AwsError('InternalError', 'We encountered an internal error. Please try again.', 500)
}

function errorReply(request: IncomingMessage, error: AwsError, resource: string, requestId: string): Reply {
  const body = toXml('Error', {
    ...{ Code: error.code, Message: error.message, Resource: resource, RequestId: requestId },
    ...(error.fields as Record<string, string>),
  })
  return { status: error.status, body: request.method === 'HEAD' ? undefined : body }
}

async function send(response: ServerResponse, { status, headers = {}, body }: Reply, requestId: string): Promise<void> {
  response.statusCode = status
  response.setHeader('x-amz-request-id', requestId)
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  if (typeof body !== 'object') {
    if (body !== undefined && !response.hasHeader('content-type')) response.setHeader('content-type', 'application/xml')
    if (body !== undefined) response.setHeader('content-length', Buffer.byteLength(body))
    response.end(body)
    return
  }
  // A reader that goes away in the middle is no failure of ours.
  await pipeline(Readable.from(body, { objectMode: false }), response).catch(() => response.destroy())
}

/** Whether a failure is that the client went away in the middle of its request. */
const goneWith = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNRESET'
