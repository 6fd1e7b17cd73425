import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { AwsError, reportFailure } from './errors.ts'
import {
  type Answered,
  type Asked,
  defaultCredentials,
  type EmulatorOptions,
  type Exchange,
  type Fault,
  type Service,
} from './hooks.ts'
import { drain, injectFault, type RequestHandler, readBody, refuseLarger } from './server.ts'
import { SignatureError, type SignatureProblem, type Verifier, verifyCaller, verifySignature } from './signature.ts'

/** What an operation knows of its caller. */
export interface Context {
  region: string
  fault: Fault
  /** Aborted when the client goes away. */
  signal: AbortSignal
  /** Throws the service's own refusal unless the caller may do this; called before anything is read or written. */
  authorize(action: string, resource: string, conditions?: Readonly<Record<string, string>>): void
}

/** What an operation answers: an object of members, some of them perhaps written already, or nothing. */
type Answer = object | undefined

/** One operation of a service: its input, whose unknown fields are refused rather than ignored, and what it does. */
export interface Operation {
  input: z.ZodType
  run: (input: never, context: Context) => Answer | Promise<Answer>
}

/** Joins an input's schema and the function that it is for. */
export const operation = <S extends z.ZodType>(
  input: S,
  run: (input: z.output<S>, context: Context) => Answer | Promise<Answer>,
): Operation => ({ input, run })

/** A part of an answer that is kept as JSON, and goes out as it is kept. */
export class WrittenJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An array of JSON texts. */
export const writtenArray = (texts: readonly string[]): WrittenJson => new WrittenJson(`[${texts.join(',')}]`)

/** An object whose members may be written already; those that are undefined are left out. */
export function writtenObject(members: object): WrittenJson {
  const texts = Object.entries(members).flatMap(([name, value]) => {
    const text = value instanceof WrittenJson ? value.text : JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return new WrittenJson(`{${texts.join(',')}}`)
}

/** How a service that speaks AWS JSON 1.0 or 1.1 spells its requests and its refusals. */
export interface JsonProtocol {
  service: Service
  /** What stands before the operation in `X-Amz-Target`, for example `DynamoDB_20120810`. */
  target: string
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1'
  /** What stands before an error's name in `__type`. */
  namespace: string
  /** Largest request, bytes. */
  limit: number
  denied: { name: string; status: number }
  unauthentic: { names: Readonly<Record<SignatureProblem, string>>; status: number }
  operations: Readonly<Record<string, Operation>>
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]!
  const keys = issue.code === 'unrecognized_keys' ? `: not supported here: ${issue.keys.join(', ')}` : ''
  return `Invalid value at '${issue.path.join('.') || 'request'}' (${issue.code}${keys})`
}

/** How DynamoDB and KMS refuse a request that isn't authentic. */
export const unauthentic: JsonProtocol['unauthentic'] = {
  names: {
    missing: 'MissingAuthenticationTokenException',
    malformed: 'IncompleteSignatureException',
    unknown_key: 'UnrecognizedClientException',
    mismatch: 'InvalidSignatureException',
    expired: 'InvalidSignatureException',
    unsigned_header: 'InvalidSignatureException',
  },
  status: 400,
}

/** What handles the requests of one service: its protocol, and how this emulator of it was started. */
type Server = { protocol: JsonProtocol; options: EmulatorOptions; verifier: Verifier }

/** How a service that speaks AWS JSON answers requests: those of HTTP, and those of callers in this process. */
export function jsonService(
  protocol: JsonProtocol,
  options: EmulatorOptions,
): { exchange: Exchange; handler: RequestHandler } {
  const { service } = protocol
  const { credentials = defaultCredentials, now = Date.now } = options
  const server: Server = { protocol, options, verifier: { service, credentials, now } }
  const exchange: Exchange = async (asked, signal = never) => {
    const target = String(asked.headers['x-amz-target'] ?? '')
    const action = target.startsWith(`${protocol.target}.`) ? target.slice(protocol.target.length + 1) : ''
    try {
      return await act(server, action, asked, signal)
    } catch (error) {
      return refusal(server, action, error)
    }
  }
  return { exchange, handler: (request, response) => serve(server, exchange, request, response) }
}

/** Of a caller that can't go away. */
const never = new AbortController().signal

async function serve(server: Server, exchange: Exchange, request: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '/', headers } = request
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const answered = await readBody(request, server.protocol.limit).then(
    body => exchange({ method, url, headers, body }, gone.signal),
    error => refusal(server, '', error),
  )
  // A client that went away gets no answer, and what it sent of a request is not acted on.
  if (request.destroyed && !request.complete) return
  if (!answered) request.socket.destroy()
  drain(request)
  if (!answered || response.destroyed) return
  response.writeHead(answered.status, {
    ...answered.headers,
    'content-length': Buffer.byteLength(answered.body),
    'x-amzn-requestid': randomUUID(),
  })
  response.end(answered.body)
}

function refusal({ protocol }: Server, action: string, error: unknown): Answered {
  const known =
    error instanceof AwsError
      ? error
      : new AwsError('InternalServerError', 'The emulator failed; its own output says where', 500)
  if (known !== error)
    reportFailure(protocol.service, Object.hasOwn(protocol.operations, action) ? action : 'request', error)
  const body = { __type: `${protocol.namespace}#${known.code}`, message: known.message, ...known.fields }
  return answer(protocol, known.status, body)
}

const answer = ({ contentType }: JsonProtocol, status: number, body: Answer): Answered => ({
  status,
  headers: { 'content-type': contentType },
  body: writtenObject(body ?? {}).text,
})

/** Runs the operation that a request asks for, unless the request is refused before; no answer where a fault loses it. */
async function act(server: Server, action: string, asked: Asked, signal: AbortSignal): Promise<Answered | undefined> {
  const { protocol, options } = server
  refuseLarger(Buffer.byteLength(asked.body), protocol.limit)
  const { accessKeyId, region } = authenticate(server, asked)
  const operation = Object.hasOwn(protocol.operations, action) ? protocol.operations[action]! : undefined
  if (asked.method !== 'POST' || !operation)
    throw new AwsError('UnknownOperationException', 'The operation is not known here')
  const json = parse(asked.body)
  const input = operation.input.safeParse(json)
  if (!input.success) throw new AwsError('ValidationException', firstIssue(input.error))
  const fault = options.faults?.(protocol.service, action, json as Record<string, unknown>, accessKeyId) ?? {}
  await injectFault(fault)
  const authorize = authorization(server, accessKeyId)
  const output = await operation.run(input.data as never, { region, fault, signal, authorize })
  return fault.loseReply ? undefined : answer(protocol, 200, output)
}

function authenticate({ protocol, verifier }: Server, { method, url, headers, body, caller }: Asked) {
  try {
    if (caller) return verifyCaller(caller, verifier)
    return verifySignature({ method, url, headers, payload: hash('sha256', body) }, verifier)
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error
    const { names, status } = protocol.unauthentic
    throw new AwsError(names[error.problem], error.message, status)
  }
}

function parse(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.length ? body.toString() : '{}')
  } catch {
    throw new AwsError('SerializationException', 'The request is not valid JSON')
  }
}

const authorization =
  ({ protocol: { service, denied }, options }: Server, accessKeyId: string): Context['authorize'] =>
  (action, resource, conditions = {}) => {
    if (options.authorize?.({ accessKeyId, service, action, resource, conditions }) === false)
      throw new AwsError(
        denied.name,
        `User ${accessKeyId} is not authorized to perform ${service}:${action} on resource ${resource}`,
        denied.status,
      )
  }
