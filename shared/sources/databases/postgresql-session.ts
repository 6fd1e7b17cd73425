import type { Client, ClientConfig } from 'pg'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { serverName, untilAborted } from '../egress.ts'
import { codeOf, isOurs, SourceError, toSourceError } from '../errors.ts'
import { MISFIT } from './csv.ts'

export type PostgresConfig = SourceConfig<'DB_ENGINE_1'>

/** SQLSTATE codes and classes that mean something to the owner of a source. */
const states: Record<string, SourceProblem> = {
  '28P01': 'source_auth_failed',
  '28000': 'source_auth_failed',
  '3D000': 'source_not_found',
  '3F000': 'source_not_found',
  '42P01': 'source_not_found',
  '42501': 'source_permission_denied',
  '25006': 'source_permission_denied',
  '42P07': 'source_conflict',
  '53300': 'source_throttled',
  '55P03': 'source_timeout',
  '57014': 'source_timeout',
  '57P01': 'source_connection_lost',
  '57P03': 'source_unreachable',
}

const words: [RegExp, SourceProblem][] = [
  [/Connection terminated|Connection ended/, 'source_connection_lost'],
  [/does not support SSL|establishing an SSL/, 'source_tls_untrusted'],
  [/SASL|password must be a string|client password/, 'source_auth_failed'],
]

/** A failure of the driver as ours. */
export function postgresError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const code = codeOf(error)
  if (code?.startsWith('22') || code?.startsWith('23'))
    return new SourceError('source_unsupported', misfit(error), { remoteCode: code })
  const message = error instanceof Error && !code ? error.message : ''
  const known = words.find(([pattern]) => pattern.test(message))
  return known ? new SourceError(known[1]) : toSourceError(error, states)
}

/** Says which column it is where the server does; the value that follows its name is left out. */
function misfit(error: unknown): string {
  const { where, column } = error as { where?: string; column?: string }
  const name = column ?? /^COPY .*, line \d+, column (.*?)(?:: "|: null input|$)/s.exec(where ?? '')?.[1]
  return name === undefined ? MISFIT : `${MISFIT}: column ${name.slice(0, 128)}`
}

/** Exact text for every type, nothing written, nothing waited for long. */
const settings = (writes: boolean) => `
  set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex';
  set extra_float_digits = 3; set client_encoding = 'UTF8'; set statement_timeout = '15min'; set lock_timeout = '10s';
  set default_transaction_read_only = ${writes ? 'off' : 'on'}; set search_path = pg_catalog;
  set standard_conforming_strings = on`

export type Session = {
  client: Client
  protection: string
  close(): void
}

/** Connects and logs in over a connection of the guard. The connection ends when the call is aborted. */
export async function openPostgres(
  context: SourceContext,
  { host, port = 5432, database, username, password, tls, client_key }: PostgresConfig,
  { writes = false } = {},
): Promise<Session> {
  const { default: pg } = await import('pg')
  const { signal, limits } = context
  const socket = await context.dial(host, port, signal)
  const stream = Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'))
      return socket
    },
  })
  const config: ClientConfig = {
    host,
    port,
    database,
    user: username,
    password,
    application_name: 'anonymisation-service',
    stream: () => stream,
    types: { getTypeParser: () => (value: string) => value },
    ssl: tls.mode !== 'disable' && {
      ...serverName(host),
      rejectUnauthorized: tls.mode === 'verify-full',
      ca: tls.ca_pem ?? context.trust,
      cert: tls.client_cert,
      key: client_key,
    },
  }
  const client = new pg.Client(config)
  const close = () => {
    signal.removeEventListener('abort', close)
    client.end().catch(() => {})
    // A server that does not answer the goodbye must not keep the connection open.
    setTimeout(() => socket.destroy(), signal.aborted ? 0 : 1000).unref()
  }
  // A connection that breaks between two queries is told by the next one.
  client.on('error', () => {})
  signal.addEventListener('abort', close, { once: true })
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limits.idleMs, 20_000))])
    await untilAborted(client.connect(), limit)
    await untilAborted(client.query(settings(writes)), limit)
  } catch (error) {
    close()
    socket.destroy()
    throw postgresError(error)
  }
  const secured = (client as unknown as { connection: { stream: { getProtocol?: () => string } } }).connection.stream
  const verified = tls.mode === 'verify-full' ? 'certificate verified' : 'certificate not verified'
  return {
    client,
    protection: tls.mode === 'disable' ? 'not encrypted' : `${secured.getProtocol?.() ?? 'TLS'}, ${verified}`,
    close,
  }
}
