import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as it reached the provider. */
export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

export type Upstream = {
  url: string
  seen: Seen[]
  /** What it answers; set by each test. */
  answer: (seen: Seen, response: ServerResponse) => unknown
  close(): Promise<void>
}

/** A provider on this machine that notes all it gets. */
export async function startUpstream(): Promise<Upstream> {
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    const seen = { method: request.method!, url: request.url!, headers: request.headers, body }
    upstream.seen.push(seen)
    await upstream.answer(seen, response)
  })
  // A connection that ends while the next request is on its way is a failure of the provider, which none of these means.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer: (_, response) => response.writeHead(500).end(),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return upstream
}

/** Answers with JSON. */
export const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1' }).end(JSON.stringify(body))

/** Answers with events, whose bytes are sent in pieces of the given lengths, over and over. */
export async function events(response: ServerResponse, list: unknown[], lengths: number[] = [7, 1, 19]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const bytes = Buffer.from(list.map(event => eventOf(event)).join(''))
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const length = lengths[n % lengths.length]!
    response.write(bytes.subarray(at, at + length))
    at += length
    if (n % 16 === 0) await new Promise(setImmediate)
  }
  response.end()
}

function eventOf(event: unknown): string {
  if (typeof event === 'string') return `data: ${event}\n\n`
  const { type } = event as { type?: string }
  return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`
}

/** A text as pieces of random lengths. */
export function pieces(text: string, random: () => number): string[] {
  const made: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 9)
    made.push(text.slice(at, at + length))
    at += length
  }
  return made
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
