import type { Answered, Asked, Exchanges } from 'aws-emulators'
import type { Transport } from '../../shared/transport.ts'

/** A request of a function to an emulator, and its number among those of the sandbox. */
export type Ask = { ask: number; endpoint: string; request: Omit<Asked, 'body'> & { body: string | Uint8Array } }

/** The answer to a request by its number; none where the connection would have been cut. */
export type Reply = { reply: number; answered: Answered | undefined }

/** What the SDK hands to whatever carries its requests. */
type SdkRequest = { method: string; path: string; headers: Record<string, string>; body?: string | Uint8Array }

/** The inside: sends requests as messages and hands out the answers. */
export function messageTransport(endpoints: ReadonlySet<string>, send: (ask: Ask) => void) {
  const waiting = new Map<number, (answered: Answered | undefined) => void>()
  let last = 0
  const ask = (endpoint: string, { method, path, headers, body = '' }: SdkRequest) =>
    new Promise<Answered | undefined>(resolve => {
      waiting.set(++last, resolve)
      send({ ask: last, endpoint, request: { method, url: path, headers, body } })
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
  const transport: Transport = endpoint => (endpoints.has(endpoint) ? (handlerOf(endpoint) as never) : undefined)
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
  const { body, headers } = request
  const known = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const asked = { ...request, headers: known, body: Buffer.from(body as Uint8Array) }
  return { reply: ask, answered: await exchanges.get(endpoint)!(asked) }
}
