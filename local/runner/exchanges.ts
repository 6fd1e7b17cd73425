import type { Answered, Asked, Caller, Exchanges } from 'aws-emulators'
import type { Transport } from '../../shared/transport.ts'

/** A request of a function to an emulator, and its number among those of the sandbox. */
export type Ask = { ask: number; endpoint: string; request: Omit<Asked, 'body'> & { body: string | Uint8Array } }

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

/** The inside: sends requests as messages and hands out the answers. */
export function messageTransport(endpoints: ReadonlySet<string>, send: (ask: Ask) => void) {
  const waiting = new Map<number, (answered: Answered | undefined) => void>()
  let last = 0
  const ask = (endpoint: string, { method, path, headers, body = '', caller }: SdkRequest & { caller?: Caller }) =>
    new Promise<Answered | undefined>(resolve => {
      waiting.set(++last, resolve)
      send({ ask: last, endpoint, request: { method, url: path, headers, body, caller } })
    })
  const handlerOf = (endpoint: string) => ({
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SdkRequest) {
      const answered = await ask(endpoint, request)
      if (!answered) throw Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET' })
      const { status, headers, body } = answered
      return { response: { statusCode: status, headers, body: Buffer.from(body) } }
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  })
  const transport: Transport = endpoint =>
    endpoints.has(endpoint) ? ({ requestHandler: handlerOf(endpoint), httpAuthSchemes: [naming] } as never) : undefined
  return {
    transport,
    take({ reply, answered }: Reply) {
      waiting.get(reply)?.(answered)
      waiting.delete(reply)
    },
  }
}

/** The outside: has an emulator answer. */
export async function exchange(exchanges: Exchanges, { ask, endpoint, request }: Ask): Promise<Reply> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body)
  return { reply: ask, answered: await exchanges.get(endpoint)!({ ...request, headers, body }) }
}
