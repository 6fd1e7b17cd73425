import { lookup as systemLookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, rootCertificates, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { type EgressPolicy, mayConnect } from './addresses.ts'
import { SourceError, toSourceError } from './errors.ts'

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string) => Promise<string[]>

/** Opens a connection to a host and port that the guard allows. */
export type Dial = (host: string, port: number, signal?: AbortSignal) => Promise<Socket>

const CONNECT_MS = 10_000

const resolve: Lookup = async host => (await systemLookup(host, { all: true, verbatim: true })).map(one => one.address)

/**
 * The guarded way out, the only one that connectors have: the name is resolved once, every address that it has is checked,
 * and the connection goes to the checked address itself, so that no second look-up can lead elsewhere. Throws
 * `source_dns_failed`, `source_egress_denied`, `source_unreachable` or `source_timeout`.
 */
export function guardedDial(
  policy: EgressPolicy,
  { lookup = resolve, timeoutMs = CONNECT_MS }: { lookup?: Lookup; timeoutMs?: number } = {},
): Dial {
  return async (host, port, signal) => {
    const name = host.replace(/^\[(.*)\]$/, '$1')
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    const addresses = isIP(name) ? [name] : await untilAborted(lookup(name), limit).catch(failed)
    if (!addresses.length) throw new SourceError('source_dns_failed')
    if (!addresses.every(address => mayConnect(address, policy))) throw new SourceError('source_egress_denied')
    let last: unknown
    for (const address of addresses.slice(0, 4)) {
      try {
        return await open(address, port, limit)
      } catch (error) {
        // The next address of the same host may answer; an abort ends them all.
        last = error
        if (limit.aborted) break
      }
    }
    return failed(last)
  }
}

const failed = (error: unknown): never => {
  throw toSourceError(error)
}

/** A promise that no longer waits once the signal is aborted. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  const { promise, resolve: opened, reject } = Promise.withResolvers<void>()
  socket.once('connect', opened)
  // Stays: a driver that has not attached its own listener yet must not bring the process down.
  socket.on('error', reject)
  try {
    await untilAborted(promise, signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

/**
 * Encrypts a connection. The certificate must be trusted (by `ca`, else the public authorities) and name `host`, unless
 * `rejectUnauthorized` is false. Throws `source_tls_untrusted`.
 */
export async function encrypt(
  socket: Socket,
  host: string,
  options: ConnectionOptions,
  signal: AbortSignal,
  idleMs: number,
): Promise<TLSSocket> {
  const secured = tlsConnect({ ...options, ...serverName(host), socket })
  const { promise, resolve: opened, reject } = Promise.withResolvers<void>()
  secured.once('secureConnect', opened)
  secured.on('error', reject)
  secured.once('close', () => reject(new SourceError('source_tls_untrusted', 'The source ended the TLS handshake')))
  try {
    await untilAborted(promise, AbortSignal.any([signal, AbortSignal.timeout(Math.min(idleMs, CONNECT_MS))]))
  } catch (error) {
    secured.destroy()
    throw toSourceError(error)
  }
  return secured
}

/** What TLS is told of the host: an address has no server name, but its certificate must name it all the same. */
export const serverName = (host: string): { host: string; servername?: string } =>
  isIP(host) ? { host } : { host, servername: host }

/** Authorities for TLS when there are some besides the public ones; undefined leaves Node's own list. */
const authorities = (trust?: string): string[] | undefined => (trust ? [...rootCertificates, trust] : undefined)

/** Connects through the guard and, where asked, encrypts with the certificate verified: the way of every HTTP client. */
export async function dialSecure(
  { dial, signal, trust, limits }: { dial: Dial; signal: AbortSignal; trust?: string; limits: { idleMs: number } },
  host: string,
  port: number,
  secure: boolean,
): Promise<Socket> {
  const socket = await dial(host, port, signal)
  if (!secure) return socket
  return encrypt(socket, host.replace(/^\[(.*)\]$/, '$1'), { ca: authorities(trust) }, signal, limits.idleMs)
}
