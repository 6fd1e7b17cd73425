import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { certificates } from './certificates.ts'
import { scratch } from './process.ts'

/** TLS in front of a server on 127.0.0.1 that has none. */
export async function startEncrypted(target: number) {
  const folder = scratch()
  const { ca, cert, key } = certificates(folder.path)
  folder.remove()
  const sockets = new Set<Socket>()
  const server = createServer({ cert, key }, socket => {
    const upstream = connect({ host: '127.0.0.1', port: target })
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
      from.pipe(to)
    }
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    ca,
    port,
    endpoint: `https://localhost:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}
