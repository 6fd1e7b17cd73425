import type { Answered, Asked, Caller, Exchanges } from 'aws-emulators'
import type { Transport } from '../../shared/transport.ts'

/** A request in JSON. */
type Request = Asked & { body: string }

/** A request of a function to an emulator, and its number among those of the sandbox. */
export type Ask = { ask: number; endpoint: string; request: Request }

/** The answer to a request by its number; none where the connection would have been cut. */
export type Reply = { reply: number; answered: Answered | undefined }

/** What the SDK hands to whatever carries its requests. */
type SdkRequest = { method: string; path: string; headers: Record<string, string>; body?: string | Uint8Array }

/** What the SDK knows identities by. */
type Identities = { getIdentityProvider(scheme: string): unknown }

/** Stands for the SDK's signer: the caller goes along with the request, which never leaves the process. */
const naming = {
  schemeId: 'aws.auth#sigv4',
  identityProvider: (config: Identities) => config.getIdentityProvider('aws.auth#sigv4'),
  signer: {
    async sign(request: SdkRequest, identity: Omit<Caller, 'region'>, { region }: Pick<Caller, 'region'>) {
      const { accessKeyId, secretAccessKey } = identity
      return Object.assign(request, { caller: { accessKeyId, secretAccessKey, region } })
    },
  },
}

/** The body as text: to another thread a string goes as it is, and bytes with all of the buffer that they are in. */
const textOf = ({ body = '' }: SdkRequest) =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()

/** Has clients of these addresses ask in another way than HTTP. */
function transportBy(
  endpoints: { has(endpoint: string): boolean },
  ask: (endpoint: string, request: Request, signal?: AbortSignal) => Promise<Answered | undefined>,
): Transport {
  const handlerOf = (endpoint: string) => ({
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SdkRequest & { caller?: Caller }, options?: { abortSignal?: AbortSignal }) {
      const { method, path, headers, caller } = request
      const asked = { method, url: path, headers, body: textOf(request), caller }
      const answered = await ask(endpoint, asked, options?.abortSignal)
      if (!answered) throw Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET' })
      return { response: { statusCode: answered.status, headers: answered.headers, body: Buffer.from(answered.body) } }
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  })
  return endpoint =>
    endpoints.has(endpoint) ? ({ requestHandler: handlerOf(endpoint), httpAuthSchemes: [naming] } as never) : undefined
}

/** The inside of a sandbox: sends requests as messages and hands out the answers. */
export function messageTransport(endpoints: ReadonlySet<string>, send: (ask: Ask) => void) {
  const waiting = new Map<number, (answered: Answered | undefined) => void>()
  let last = 0
  const ask = (endpoint: string, request: Request) =>
    new Promise<Answered | undefined>(resolve => {
      waiting.set(++last, resolve)
      send({ ask: last, endpoint, request })
    })
  return {
    transport: transportBy(endpoints, ask),
    take({ reply, answered }: Reply) {
      waiting.get(reply)?.(answered)
      waiting.delete(reply)
    },
  }
}

/** Asks the emulators of this thread; an aborted request still ends as the emulator ends it. */
export const directTransport = (exchanges: Exchanges): Transport =>
  transportBy(exchanges, (endpoint, request, signal) => answer(exchanges, endpoint, request, signal))

/** The outside of a sandbox: has an emulator answer. */
export async function exchange(exchanges: Exchanges, { ask, endpoint, request }: Ask): Promise<Reply> {
  return { reply: ask, answered: await answer(exchanges, endpoint, request) }
}

function answer(exchanges: Exchanges, endpoint: string, request: Request, signal?: AbortSignal) {
  const names = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
  return exchanges.get(endpoint)!({ ...request, headers: Object.fromEntries(names) }, signal)
}
