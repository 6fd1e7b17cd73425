import { Readable } from 'node:stream'
import type { Connection, ConnectionConfiguration } from 'tedious'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { codeOf, isOurs, SourceError, toSourceError } from '../errors.ts'
import { type Cell, MISFIT } from './csv.ts'
import type { TextSession } from './text-connector.ts'

export type SqlServerConfig = SourceConfig<'DB_ENGINE_4'>

const codes: Record<string, SourceProblem> = {
  ELOGIN: 'source_auth_failed',
  ETIMEOUT: 'source_timeout',
  ECANCEL: 'source_timeout',
  ECLOSE: 'source_connection_lost',
  EENCRYPT: 'source_tls_untrusted',
  EINVALIDSTATE: 'source_connection_lost',
}

/** Number of the error that a statement of ours throws when a result has two rows of the same key. */
export const DOUBLED_QUOTE = 50_001

/** Error numbers of the server (sys.messages). */
const numbers: Record<number, SourceProblem> = {
  208: 'source_not_found',
  229: 'source_permission_denied',
  230: 'source_permission_denied',
  300: 'source_permission_denied',
  916: 'source_permission_denied',
  1222: 'source_timeout',
  4060: 'source_not_found',
  18456: 'source_auth_failed',
  10928: 'source_throttled',
  10929: 'source_throttled',
  40501: 'source_throttled',
  40613: 'source_unreachable',
}

/** Error numbers that say that a value is none of its column's type, too long, NULL, a second of its key or without its parent. */
const misfits = new Set([
  241, 242, 245, 295, 296, 515, 547, 1505, 2601, 2627, 2628, 6522, 8114, 8115, 8152, 8169, 9400, 9420,
])

/** A failure of the driver as ours. */
export function sqlServerError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const { number, cause } = error as { number?: number; cause?: unknown }
  if (cause instanceof SourceError) return cause
  if (number !== undefined && numbers[number])
    return new SourceError(numbers[number], undefined, { remoteCode: number })
  if (number === DOUBLED_QUOTE) return new SourceError('source_unsupported', 'The result has two rows of the same key')
  if (number !== undefined && misfits.has(number))
    return new SourceError('source_unsupported', MISFIT, { remoteCode: number })
  if (codeOf(error) === 'ESOCKET') {
    const inner = cause ? toSourceError(cause) : undefined
    if (inner instanceof SourceError && inner.type !== 'source_failed') return inner
    return new SourceError('source_connection_lost')
  }
  return toSourceError(error, codes)
}

export type Session = TextSession & {
  /** Puts rows into a table whose columns are `c0`, `c1`, ... of nvarchar(max), many at a time; answers how many. */
  load(table: string, columns: number, rows: AsyncIterable<(string | null)[]>): Promise<number>
}

/** Connects and logs in; every connection, one to a server that this one refers to included, goes through the guard. */
export async function openSqlServer(
  context: SourceContext,
  { host, port = 1433, database, username, password, tls, client_key }: SqlServerConfig,
  { writes = false } = {},
): Promise<Session> {
  const { default: tedious } = await import('tedious')
  const { signal, limits } = context
  let referred: unknown
  const connector = async (target: { host: string; port: number }, _lookup: unknown, limit: AbortSignal) => {
    try {
      return await context.dial(target.host, target.port, limit)
    } catch (error) {
      referred = error
      throw error
    }
  }
  const configuration: ConnectionConfiguration = {
    server: host,
    authentication: { type: 'default', options: { userName: username, password } },
    options: {
      port,
      database,
      appName: 'anonymisation-service',
      encrypt: tls.mode !== 'disable',
      trustServerCertificate: tls.mode === 'require',
      // Node's own names for the versions of TLS that are too old are not offered.
      cryptoCredentialsDetails: {
        minVersion: 'TLSv1.2',
        ca: tls.ca_pem ?? context.trust,
        cert: tls.client_cert,
        key: client_key,
      },
      connector: connector as unknown as () => Promise<never>,
      connectTimeout: Math.min(limits.idleMs, 20_000),
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      readOnlyIntent: !writes,
      fallbackToDefaultDb: false,
      textsize: 2_147_483_647,
    },
  }
  const connection = new tedious.Connection(configuration)
  const close = () => {
    signal.removeEventListener('abort', close)
    connection.close()
  }
  // A connection that breaks between two queries is told by the next one.
  connection.on('error', () => {})
  signal.addEventListener('abort', close, { once: true })
  const stream = (sql: string) => rowStream(connection, tedious, sql)
  const query = async (sql: string) => {
    const rows: Cell[][] = []
    for await (const row of stream(sql)) rows.push(row)
    return rows
  }
  const load: Session['load'] = (table, columns, rows) => bulkLoad(connection, tedious, table, columns, rows)
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    connection.connect(error => (error ? reject(error) : resolve()))
    await untilAborted(promise, signal)
    await query(`set lock_timeout 10000; set deadlock_priority low; set dateformat ymd`)
  } catch (error) {
    close()
    throw signal.aborted ? signal.reason : sqlServerError(referred ?? error)
  }
  const verified = tls.mode === 'verify-full' ? 'certificate verified' : 'certificate not verified'
  return { query, stream, load, protection: tls.mode === 'disable' ? 'not encrypted' : `TLSv1.2, ${verified}`, close }
}

type Driver = typeof import('tedious')

function rowStream(connection: Connection, { Request }: Driver, sql: string): Readable {
  let finished = false
  const request = new Request(sql, error => {
    finished = true
    if (error) rows.destroy(sqlServerError(error))
    else rows.push(null)
  })
  const rows = new Readable({
    objectMode: true,
    highWaterMark: 512,
    read: () => request.resume(),
    destroy: (error, done) => {
      if (!finished) connection.cancel()
      done(error)
    },
  })
  request.on('row', (columns: { value: Cell }[]) => {
    if (!rows.push(columns.map(({ value }) => value))) request.pause()
  })
  connection.execSqlBatch(request)
  return rows
}

function bulkLoad(
  connection: Connection,
  { TYPES }: Driver,
  table: string,
  columns: number,
  rows: AsyncIterable<(string | null)[]>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const load = connection.newBulkLoad(table, {}, (error, count) => (error ? reject(error) : resolve(count ?? 0)))
  // Names are put into a statement as they are, so they are ours.
  for (let at = 0; at < columns; at++)
    load.addColumn(`c${at}`, TYPES.NVarChar, { length: Number.POSITIVE_INFINITY, nullable: true })
  connection.execBulkLoad(load, rows)
  return promise
}
