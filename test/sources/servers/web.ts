import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { egressPolicy } from '../../../shared/sources/addresses.ts'
import { type Dial, guardedDial } from '../../../shared/sources/egress.ts'
import { certificates } from './certificates.ts'
import { scratch } from './process.ts'

export type Asked = { host: string; method: string; url: URL; headers: IncomingMessage['headers']; body: Buffer }
export type Said = { status: number; headers?: Record<string, string>; body?: unknown }

/** A fake of a web service on 127.0.0.1: by HTTPS under its real host names, and by HTTP for SDKs of the vendor. */
export async function startWeb(hosts: string[], answer: (asked: Asked) => Said | Promise<Said>) {
  const folder = scratch()
  const tls = certificates(folder.path, hosts.map(host => `DNS:${host}`).join(','))
  folder.remove()
  const sockets = new Set<Socket>()
  const requests: Asked[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const asked = {
      host,
      method: request.method!,
      url: new URL(request.url!, `https://${host}`),
      headers: request.headers,
      body: Buffer.concat(chunks),
    }
    requests.push(asked)
    const { status, headers = {}, body } = await answer(asked)
    const bytes = Buffer.isBuffer(body)
      ? body
      : body === undefined
        ? Buffer.alloc(0)
        : Buffer.from(JSON.stringify(body))
    response.writeHead(status, {
      ...(Buffer.isBuffer(body) || body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...(status === 204 ? {} : { 'content-length': String(bytes.length) }),
    })
    response.end(bytes)
  }
  const secure = createSecure({ key: tls.key, cert: tls.cert }, handle)
  const plain = createPlain(handle)
  const ports: number[] = []
  for (const server of [secure, plain]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    })
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    ports.push((server.address() as AddressInfo).port)
  }
  const [securePort, plainPort] = ports as [number, number]
  const loopback = guardedDial(egressPolicy('127.0.0.0/8'))
  const guarded = guardedDial(egressPolicy(''))
  /** Connects to the fake for its hosts, and through the guard for any other. */
  const dialAt =
    (at: number): Dial =>
    (host, port, signal) =>
      hosts.includes(host) ? loopback('127.0.0.1', at, signal) : guarded(host, port, signal)
  return {
    trust: tls.ca,
    dial: dialAt(securePort),
    /** The same with the hosts of the fake at another port. */
    dialAt,
    plain: `http://localhost:${plainPort}`,
    port: securePort,
    requests,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      for (const server of [secure, plain]) await new Promise(closed => server.close(closed))
    },
  }
}
