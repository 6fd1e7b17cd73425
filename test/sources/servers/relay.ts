import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A relay in front of a server that can break the network. */
export type Relay = {
  port: number
  /** Bytes after which each further connection is cut, counted from the server; undefined for none. */
  cutAfter: number | undefined
  /** Takes connections and never says a word. */
  mute: boolean
  /** Time that every piece takes each way, milliseconds. */
  delayMs: number
  close(): Promise<void>
}

/** Starts a relay on 127.0.0.1 to a port, there or of another host. */
export async function startRelay(target: number, host = '127.0.0.1'): Promise<Relay> {
  const sockets = new Set<Socket>()
  const relay: Relay = { port: 0, cutAfter: undefined, mute: false, delayMs: 0, close }
  const server = createServer(client => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    if (relay.mute) return
    const upstream = connect({ host, port: target, noDelay: true })
    client.setNoDelay(true)
    sockets.add(upstream)
    let passed = 0
    upstream.on('error', () => client.destroy()).on('close', () => sockets.delete(upstream))
    pass(client, upstream, relay, () => true)
    pass(upstream, client, relay, bytes => {
      passed += bytes
      return relay.cutAfter === undefined || passed < relay.cutAfter
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  relay.port = (server.address() as AddressInfo).port
  return relay

  async function close() {
    for (const socket of sockets) socket.destroy()
    await new Promise(closed => server.close(closed))
  }
}

function pass(from: Socket, to: Socket, relay: Relay, passes: (bytes: number) => boolean) {
  from.on('data', chunk => {
    if (!passes(chunk.length)) {
      from.destroy()
      to.destroy()
      return
    }
    const send = () => {
      if (to.destroyed) return
      if (!to.write(chunk)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
    }
    if (relay.delayMs) setTimeout(send, relay.delayMs)
    else send()
  })
  from.on('end', () => (relay.delayMs ? setTimeout(() => to.end(), relay.delayMs) : to.end()))
}
