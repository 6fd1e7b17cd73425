import { AsyncLocalStorage } from 'node:async_hooks'
import { Socket } from 'node:net'
import tls, { type SecureContextOptions } from 'node:tls'
import type { Dial } from '../egress.ts'
import { SourceError } from '../errors.ts'

type Guard = { allow(host: string, port: number): Promise<string>; secure: SecureContextOptions }
type Target = { host?: string; port?: number; path?: string }

const guarded = new AsyncLocalStorage<Guard>()
let installed = false

/**
 * Runs a driver that opens its connections itself, and also where a server it talks to sends it (a redirect, a proxy),
 * so that each of them goes only where the guard allows, and to the very address that was checked. Connections that
 * others open at the same time are not touched. TLS knows the authorities, certificate and key of `secure`, and no others:
 * the driver itself takes one text for all three, and fails where a key is missing in it.
 */
export function underGuard<T>(
  dial: Dial,
  signal: AbortSignal,
  run: () => Promise<T>,
  secure: SecureContextOptions = {},
): Promise<T> {
  install()
  const allow: Guard['allow'] = async (host, port) => {
    const probe = await guarded.exit(() => dial(host, port, signal))
    const address = probe.remoteAddress
    probe.destroy()
    if (address === undefined) throw new SourceError('source_connection_lost')
    return address
  }
  return guarded.run({ allow, secure }, run)
}

/** Every TCP connection of Node.js is opened by this one method, whichever function it was asked of; TLS likewise. */
function install() {
  if (installed) return
  installed = true
  const open = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
  Socket.prototype.connect = function connect(this: Socket, ...args: unknown[]): Socket {
    const guard = guarded.getStore()
    if (!guard) return open.apply(this, args)
    const { host = 'localhost', port, path, done } = targetOf(args)
    const refuse = (error: Error) => void this.destroy(error)
    if (path !== undefined || port === undefined) {
      process.nextTick(refuse, new SourceError('source_egress_denied'))
      return this
    }
    guard.allow(host, port).then(address => {
      if (!this.destroyed) open.call(this, { host: address, port }, done)
    }, refuse)
    return this
  } as Socket['connect']
  const create = tls.createSecureContext
  Object.assign(tls, {
    createSecureContext: (options?: SecureContextOptions) => create(guarded.getStore()?.secure ?? options),
  })
}

/** The arguments in their three forms, and in the one that `net` itself hands on: an array of options and listener. */
function targetOf(args: unknown[]): Target & { done?: () => void } {
  const [first, ...rest] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
  const done = rest.findLast(one => typeof one === 'function') as (() => void) | undefined
  if (first !== null && typeof first === 'object') {
    const { host, port, path } = first as Target
    return { host, port: port === undefined ? undefined : Number(port), path, done }
  }
  const number = Number(first)
  return Number.isNaN(number)
    ? { path: String(first), done }
    : { port: number, host: typeof rest[0] === 'string' ? rest[0] : undefined, done }
}
