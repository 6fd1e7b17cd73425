import { Socket } from 'node:net'
import type { Client } from 'basic-ftp'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { encrypt, serverName, untilAborted } from '../egress.ts'
import { codeOf, isOurs, SourceError, toSourceError } from '../errors.ts'

export type FtpConfig = Exclude<SourceConfig<'FTP/SFTP'>, { protocol: 'sftp' }>

export type Session = {
  client: Client
  server: string
  protection: string
  /** Folder of the server that is the root of the source. */
  root: string
  close(): void
}

/** Replies of the protocol (RFC 959, section 4.2). */
const replies: Record<string, SourceProblem> = {
  421: 'source_throttled',
  425: 'source_unreachable',
  426: 'source_connection_lost',
  430: 'source_auth_failed',
  450: 'source_not_found',
  501: 'source_not_found',
  522: 'source_tls_untrusted',
  530: 'source_auth_failed',
  532: 'source_permission_denied',
  550: 'source_not_found',
  552: 'source_limit_exceeded',
  553: 'source_permission_denied',
}

/** A failure of the driver as ours. */
export function ftpError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const message = error instanceof Error ? error.message : ''
  if (codeOf(error) === undefined) {
    if (/^Timeout/.test(message)) return new SourceError('source_timeout')
    if (/returned another host/.test(message))
      return new SourceError('source_egress_denied', 'The server names another host for its data')
    if (/closed|FIN packet|disconnected|Client is closed/i.test(message))
      return new SourceError('source_connection_lost')
  }
  return toSourceError(error, replies)
}

/**
 * Connects and logs in. The guard gives the control connection; data connections can only go to the same address, which
 * the guard has checked.
 */
export async function openFtp(context: SourceContext, config: FtpConfig): Promise<Session> {
  const { Client } = await import('basic-ftp')
  const { protocol, host, username, password, base_path = '' } = config
  const { signal, limits } = context
  const port = config.port ?? (protocol === 'ftps_implicit' ? 990 : 21)
  const plain = await context.dial(host, port, signal)
  const address = plain.remoteAddress
  const tls = {
    ...serverName(host),
    ca: ('ca_pem' in config ? config.ca_pem : undefined) ?? context.trust,
    rejectUnauthorized: true,
  }
  const client = new Client(Math.min(limits.idleMs, 30_000))
  const close = () => {
    signal.removeEventListener('abort', close)
    client.close()
    plain.destroy()
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    let control: Socket | undefined =
      protocol === 'ftps_implicit' ? await encrypt(plain, host, tls, signal, limits.idleMs) : plain
    client.ftp._newSocket = () => {
      const first = control
      control = undefined
      return first ? connected(first) : dataSocket(address)
    }
    if (protocol === 'ftps_implicit') client.ftp.tlsOptions = tls
    await untilAborted(client.connect(host, port), signal)
    if (protocol === 'ftps') await untilAborted(client.useTLS(tls), signal).catch(refusesTls)
    await untilAborted(client.sendIgnoringError('OPTS UTF8 ON'), signal)
    await untilAborted(client.login(username, password), signal)
    await untilAborted(client.useDefaultSettings(), signal)
    const home = await untilAborted(client.pwd(), signal)
    const root = base_path.startsWith('/') ? base_path : [home.replace(/\/$/, ''), base_path].filter(Boolean).join('/')
    return {
      client,
      server: 'FTP server',
      protection: protocol === 'ftp' ? 'not encrypted' : 'TLS, certificate verified',
      root: root.replace(/\/+$/, ''),
      close,
    }
  } catch (error) {
    close()
    throw ftpError(error)
  }
}

/** A reply to `AUTH TLS` that says no; failures of the handshake itself go on as they are. */
const refusesTls = (error: unknown): never => {
  throw /^5\d\d$/.test(codeOf(error) ?? '')
    ? new SourceError('source_tls_untrusted', 'The server offers no encryption', { remoteCode: codeOf(error) })
    : error
}

type Listener = () => void

/** A connection that is open already, for a driver that wants to open it. */
const connected = (socket: Socket): Socket =>
  Object.assign(socket, {
    connect: (_options: unknown, listener?: Listener) => {
      if (listener) process.nextTick(listener)
      return socket
    },
  })

/** A connection for data, which refuses to be opened to any other address. */
function dataSocket(address: string | undefined): Socket {
  const socket = new Socket()
  const open = socket.connect.bind(socket)
  const plainAddress = (text: string | undefined) => text?.replace(/^::ffff:/i, '')
  return Object.assign(socket, {
    connect: (options: { host: string; port: number }, listener?: Listener) => {
      if (plainAddress(options.host) === plainAddress(address)) return open(options, listener)
      process.nextTick(() => socket.destroy(new SourceError('source_egress_denied')))
      return socket
    },
  })
}
