import type { Connection, ConnectionOptions } from 'mysql2'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { codeOf, isOurs, SourceError, toSourceError } from '../errors.ts'
import { MISFIT } from './csv.ts'

export type MysqlConfig = SourceConfig<'DB_ENGINE_2'>

const codes: Record<string, SourceProblem> = {
  ER_ACCESS_DENIED_ERROR: 'source_auth_failed',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'source_auth_failed',
  ER_NOT_SUPPORTED_AUTH_MODE: 'source_auth_failed',
  AUTH_SWITCH_PLUGIN_ERROR: 'source_auth_failed',
  ER_ACCOUNT_HAS_BEEN_LOCKED: 'source_auth_failed',
  ER_BAD_DB_ERROR: 'source_not_found',
  ER_DBACCESS_DENIED_ERROR: 'source_permission_denied',
  ER_TABLEACCESS_DENIED_ERROR: 'source_permission_denied',
  ER_COLUMNACCESS_DENIED_ERROR: 'source_permission_denied',
  ER_SPECIFIC_ACCESS_DENIED_ERROR: 'source_permission_denied',
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: 'source_permission_denied',
  ER_HOST_NOT_PRIVILEGED: 'source_permission_denied',
  ER_NO_SUCH_TABLE: 'source_not_found',
  ER_TABLE_EXISTS_ERROR: 'source_conflict',
  ER_CON_COUNT_ERROR: 'source_throttled',
  ER_TOO_MANY_USER_CONNECTIONS: 'source_throttled',
  ER_LOCK_WAIT_TIMEOUT: 'source_timeout',
  ER_STATEMENT_TIMEOUT: 'source_timeout',
  ER_QUERY_TIMEOUT: 'source_timeout',
  PROTOCOL_CONNECTION_LOST: 'source_connection_lost',
  HANDSHAKE_NO_SSL_SUPPORT: 'source_tls_untrusted',
  HANDSHAKE_SSL_ERROR: 'source_tls_untrusted',
}

const misfits =
  /^(ER_TRUNCATED_WRONG_VALUE|ER_TRUNCATED_WRONG_VALUE_FOR_FIELD|ER_DATA_TOO_LONG|ER_DUP_ENTRY|ER_BAD_NULL_ERROR|ER_WARN_DATA_OUT_OF_RANGE|WARN_DATA_TRUNCATED|ER_NO_REFERENCED_ROW_2|ER_ROW_IS_REFERENCED_2|ER_TOO_BIG_ROWSIZE|ER_INVALID_JSON_TEXT|ER_CONSTRAINT_FAILED)$/

/** A failure of the driver as ours. */
export function mysqlError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const code = codeOf(error)
  if (code && misfits.test(code)) return new SourceError('source_unsupported', MISFIT, { remoteCode: code })
  return toSourceError(error, codes)
}

export type Session = {
  connection: Connection
  /** Runs a statement; rows as arrays of exact text. */
  query(sql: string, values?: unknown[]): Promise<(string | null)[][]>
  server: string
  protection: string
  close(): void
}

const reading = ['set session transaction read only', `set session sql_mode = 'NO_ENGINE_SUBSTITUTION'`]
const writing = [`set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'`]

/** Connects and logs in over a connection of the guard. The connection ends when the call is aborted. */
export async function openMysql(
  context: SourceContext,
  config: MysqlConfig,
  { writes = false } = {},
): Promise<Session> {
  const { createConnection } = await import('mysql2')
  const { signal, limits } = context
  const { host, port = 3306, tls } = config
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limits.idleMs, 20_000))])
  // The driver gives TLS no name for an address; this is where TLS then looks.
  const stream = Object.assign(await context.dial(host, port, signal), { _host: host })
  const connection = createConnection({ ...optionsOf(config, context), port, stream })
  // A connection that breaks between two queries is told by the next one.
  connection.on('error', () => {})
  const close = () => {
    signal.removeEventListener('abort', close)
    connection.destroy()
    stream.destroy()
  }
  signal.addEventListener('abort', close, { once: true })

  const query: Session['query'] = (sql, values) => {
    const { promise, resolve, reject } = Promise.withResolvers<(string | null)[][]>()
    connection.query({ sql, values }, (error, rows) => (error ? reject(error) : resolve(texts(rows))))
    return untilAborted(promise, signal)
  }
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    connection.connect(error => (error ? reject(error) : resolve()))
    await untilAborted(promise, limit)
    const [[version = '']] = (await untilAborted(query('select version()'), limit)) as [[string]]
    const maria = /mariadb/i.test(version)
    for (const sql of settingUp(writes, maria)) await untilAborted(query(sql), limit)
    const server = `${maria ? 'MariaDB' : 'MySQL'} ${/^[\d.]+/.exec(version)?.[0] ?? ''}`.trim()
    return { connection, query, server, protection: protectionOf(connection, tls.mode), close }
  } catch (error) {
    close()
    throw mysqlError(error)
  }
}

/** How the driver is to talk: every value as the exact text that the server sends. */
const optionsOf = (
  { host, database, username, password, tls, client_key }: MysqlConfig,
  { trust }: SourceContext,
): ConnectionOptions => ({
  host,
  database,
  user: username,
  password,
  charset: 'UTF8MB4_BIN',
  ssl:
    tls.mode === 'disable'
      ? undefined
      : {
          rejectUnauthorized: tls.mode === 'verify-full',
          verifyIdentity: tls.mode === 'verify-full',
          ca: tls.ca_pem ?? trust,
          cert: tls.client_cert,
          key: client_key,
        },
  timezone: 'Z',
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  typeCast: false,
  rowsAsArray: true,
  disableEval: true,
  // A server must not be able to ask for files.
  flags: ['-LOCAL_FILES'],
  connectTimeout: 30_000,
})

/** Statements that come before all others in a session. */
const settingUp = (writes: boolean, maria: boolean): string[] => [
  ...(writes ? writing : reading),
  `set session time_zone = '+00:00'`,
  'set session net_write_timeout = 600',
  'set session lock_wait_timeout = 10',
  maria ? 'set session max_statement_time = 900' : 'set session max_execution_time = 900000',
]

/** How the connection is protected, in words. */
function protectionOf(connection: Connection, mode: MysqlConfig['tls']['mode']): string {
  if (mode === 'disable') return 'not encrypted'
  const { stream } = connection as unknown as { stream: { getProtocol?: () => string } }
  return `${stream.getProtocol?.() ?? 'TLS'}, ${mode === 'verify-full' ? 'certificate verified' : 'certificate not verified'}`
}

/** Rows of the driver, whose cells are bytes while it casts nothing; what a statement without rows gives has none. */
const texts = (rows: unknown): (string | null)[][] =>
  Array.isArray(rows)
    ? rows.map((row: unknown[]) => row.map(cell => (cell === null || cell === undefined ? null : String(cell))))
    : [[String((rows as { affectedRows?: number })?.affectedRows ?? 0)]]
