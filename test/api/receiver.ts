import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver of webhooks has got. */
export type Received = { headers: IncomingHttpHeaders; body: string }

/** What a receiver does with its n-th request, from 0: the status it answers, with headers, or nothing at all. */
type Behaviour = (n: number) => { status: number; headers?: Record<string, string> } | undefined

/** A receiver of webhooks on this machine. */
export async function startReceiver(behave: Behaviour = () => ({ status: 204 })) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = behave(received.push({ headers: request.headers, body }) - 1)
    if (!answer) return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end('What receivers answer is kept nowhere')
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, close: () => void server.close() }
}
