import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isOwnHost, isOwnOrigin } from '../hosts.ts'
import { AwsError, reportFailure } from './errors.ts'
import type { Emulator, EmulatorOptions, Fault, Service } from './hooks.ts'

/** Answers one request; it must not throw. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Listens on 127.0.0.1; `release` runs after the last request is dealt with. */
export function listen(
  { port = 0, hosts, pages }: Pick<EmulatorOptions, 'port' | 'hosts' | 'pages'>,
  handler: RequestHandler,
  release: () => void,
): Promise<Emulator> {
  const active = new Set<Promise<void>>()
  const server = createServer(
    // A large upload over a slow pipe may take long; an idle connection is kept longer than clients keep theirs.
    { requestTimeout: 3_600_000, keepAliveTimeout: 120_000, maxHeaderSize: 32 * 1024 },
    (request, response) => {
      const { host, origin } = request.headers
      const isStrange = pages !== undefined && origin !== undefined && !isOwnOrigin(origin, pages)
      if (isStrange || !isOwnHost(host, hosts)) return void response.writeHead(403, { Connection: 'close' }).end()
      const work = handler(request, response).finally(() => active.delete(work))
      active.add(work)
    },
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      resolve({
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        async close() {
          const closed = new Promise(done => server.close(done))
          server.closeAllConnections()
          await closed
          await Promise.allSettled(active)
          release()
        },
      })
    })
  })
}

/** Refuses a body of more than `limit` bytes. */
export function refuseLarger(size: number, limit: number): void {
  if (size > limit) throw new AwsError('RequestEntityTooLarge', `The request is larger than ${limit} bytes`, 413)
}

/** The whole body of a request, refused beyond `limit` bytes; throws if the client goes away in the middle of it. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // Kept open on the way out, so that a refusal can still be answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    refuseLarger(size, limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads past what is left of a body, so that a client that is still sending gets its answer. */
export function drain(request: IncomingMessage): void {
  if (!request.complete) request.resume()
}

/** Does something in the background; that it failed is printed, and no more. */
export const inBackground = (service: Service, action: string, work: () => void | Promise<void>): Promise<void> =>
  Promise.try(work).catch(error => reportFailure(service, action, error))

/** Does something in the background again and again, until the result is called. */
export function repeat(milliseconds: number, ...task: Parameters<typeof inBackground>): () => void {
  const timer = setInterval(() => void inBackground(...task), milliseconds).unref()
  return () => clearInterval(timer)
}

/** Applies the faults that come before the action: waiting, and failing. */
export async function injectFault(fault: Fault): Promise<void> {
  if (fault.after) await fault.after
  if (fault.delayMs) await new Promise(resolve => setTimeout(resolve, fault.delayMs))
  if (fault.error) throw new AwsError(fault.error.name, fault.error.message ?? 'Injected fault', fault.error.status)
}
