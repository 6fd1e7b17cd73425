import type { Readable } from 'node:stream'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { SourceContext } from '../connector.ts'
import { untilAborted } from '../egress.ts'
import { codeOf, isOurs, SourceError, toSourceError } from '../errors.ts'
import { type Cell, MISFIT } from './csv.ts'
import { underGuard } from './oracle-guard.ts'
import type { TextSession } from './text-connector.ts'

export type OracleConfig = SourceConfig<'DB_ENGINE_5'>

/** What is used of the driver (`oracledb`, thin mode). */
export type OracleDriver = {
  getConnection(settings: Record<string, unknown>): Promise<OracleConnection>
  OUT_FORMAT_ARRAY: number
  DB_TYPE_CLOB: unknown
  DB_TYPE_NCLOB: unknown
  DB_TYPE_BLOB: unknown
  STRING: unknown
  BUFFER: unknown
}
type Binds = Record<string, string | number>
type OracleConnection = {
  oracleServerVersionString: string
  execute(sql: string, binds: Binds, options: object): Promise<{ rows?: unknown[][]; rowsAffected?: number }>
  executeMany(sql: string, binds: unknown[][], options: object): Promise<unknown>
  commit(): Promise<void>
  rollback(): Promise<void>
  queryStream(sql: string, binds: Binds, options: object): Readable
  close(options: { drop: boolean }): Promise<void>
}

const codes: Record<string, SourceProblem> = {
  'ORA-01017': 'source_auth_failed',
  'ORA-01005': 'source_auth_failed',
  'ORA-28000': 'source_auth_failed',
  'ORA-28001': 'source_auth_failed',
  'NJS-116': 'source_auth_failed',
  'ORA-12514': 'source_not_found',
  'ORA-12505': 'source_not_found',
  'NJS-518': 'source_not_found',
  'NJS-517': 'source_not_found',
  'ORA-00942': 'source_not_found',
  'ORA-01031': 'source_permission_denied',
  'ORA-01045': 'source_permission_denied',
  'ORA-01456': 'source_permission_denied',
  'ORA-00018': 'source_throttled',
  'ORA-00020': 'source_throttled',
  'ORA-02391': 'source_throttled',
  'ORA-01013': 'source_timeout',
  'NJS-510': 'source_timeout',
  'NJS-123': 'source_timeout',
  'NJS-500': 'source_connection_lost',
  'NJS-501': 'source_connection_lost',
  'NJS-503': 'source_unreachable',
  'NJS-504': 'source_unreachable',
  'NJS-511': 'source_unreachable',
  'NJS-521': 'source_connection_lost',
  'NJS-508': 'source_tls_untrusted',
  'NJS-505': 'source_tls_untrusted',
  'NJS-506': 'source_tls_untrusted',
  'NJS-507': 'source_tls_untrusted',
  'NJS-513': 'source_connection_lost',
  'NJS-530': 'source_dns_failed',
}

/** A failure of the driver as ours. */
export function oracleError(error: unknown): Error {
  if (isOurs(error)) return toSourceError(error)
  const code = codeOf(error)
  if (code === 'ORA-30926') return new SourceError('source_unsupported', 'The result has two rows of the same key')
  if (code !== undefined && misfits.test(code))
    return new SourceError('source_unsupported', MISFIT, { remoteCode: code })
  return toSourceError(error, codes)
}

/** Codes that say that a value is none of its column's type, too long, NULL, a second of its key or without its parent. */
const misfits =
  /^ORA-(00001|01400|01407|01438|01722|018[0-9]{2}|02290|02291|02292|02437|12899|22835|31011|40441|61800|01426|01465)$/

/** Longest text or bytes that are handed over otherwise than as a large object. */
const LONGEST = 32_767

function bindOf(driver: OracleDriver, form: Form, rows: (string | Buffer | null)[][], at: number) {
  const longest = rows.reduce((most, row) => Math.max(most, Buffer.byteLength(row[at] ?? '')), 1)
  if (form === 'bytes')
    return longest > LONGEST ? { type: driver.DB_TYPE_BLOB } : { type: driver.BUFFER, maxSize: longest }
  return form === 'long' && longest > LONGEST
    ? { type: driver.DB_TYPE_CLOB }
    : { type: driver.STRING, maxSize: longest }
}

const Word = /^[A-Za-z0-9_.$#-]{1,128}$/

/** The connect descriptor. Its parts are words, so that none can add a clause to it. */
export function descriptor({ host, port, service_name, tls }: OracleConfig): string {
  if (tls.mode === 'require')
    throw new SourceError(
      'source_config_invalid',
      'Connections to Oracle are verified or not encrypted: give verify-full',
    )
  if (!Word.test(service_name)) throw new SourceError('source_config_invalid', 'The name of the service is not one')
  const secure = tls.mode === 'verify-full'
  const address = `(ADDRESS=(PROTOCOL=${secure ? 'TCPS' : 'TCP'})(HOST=${host})(PORT=${port ?? (secure ? 2484 : 1521)}))`
  const security = secure ? '(SECURITY=(SSL_SERVER_DN_MATCH=ON))' : ''
  return `(DESCRIPTION=(RETRY_COUNT=0)(TRANSPORT_CONNECT_TIMEOUT=15)${address}(CONNECT_DATA=(SERVICE_NAME=${service_name}))${security})`
}

/** How a value is handed over: as text, as text that may be of any length, or as bytes. */
export type Form = 'text' | 'long' | 'bytes'

export type Session = Omit<TextSession, 'query'> & {
  query(sql: string, binds?: Binds): Promise<Cell[][]>
  /** Runs a statement that changes rows; answers how many. */
  change(sql: string): Promise<number>
  /** Runs a statement once for each row of values. */
  many(sql: string, rows: (string | Buffer | null)[][], forms: Form[]): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  server: string
}

/** Connects and logs in, every connection of the driver under the guard, for reading one consistent state. */
export async function openOracle(
  context: SourceContext,
  config: OracleConfig,
  load: () => Promise<OracleDriver>,
  { writes = false } = {},
): Promise<Session> {
  const { signal, dial, trust, limits } = context
  const { username, password, tls, client_key } = config
  const connectString = descriptor(config)
  const driver = await load()
  let denied: SourceError | undefined
  const watched: typeof dial = (host, port, limit) =>
    dial(host, port, limit).catch(error => {
      // The driver tells of a refusal only that it could not connect.
      if (error instanceof SourceError) denied = error
      throw error
    })
  const time = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limits.idleMs, 20_000))])
  const secure = { ca: tls.ca_pem ?? trust, cert: tls.client_cert, key: client_key }
  const opening = underGuard(
    watched,
    signal,
    () => driver.getConnection({ user: username, password, connectString }),
    secure,
  )
  let connection: OracleConnection
  try {
    connection = await untilAborted(opening, time)
  } catch (error) {
    // One that opens after all is not wanted any more.
    opening.then(late => late.close({ drop: true })).catch(() => {})
    throw time.aborted ? oracleError(error) : (denied ?? oracleError(error))
  }
  const close = () => {
    signal.removeEventListener('abort', close)
    connection.close({ drop: true }).catch(() => {})
  }
  signal.addEventListener('abort', close, { once: true })
  const text = new Set([driver.DB_TYPE_CLOB, driver.DB_TYPE_NCLOB])
  const options = {
    outFormat: driver.OUT_FORMAT_ARRAY,
    fetchArraySize: 1000,
    fetchTypeHandler: ({ dbType }: { dbType: unknown }) =>
      text.has(dbType) ? { type: driver.STRING } : dbType === driver.DB_TYPE_BLOB ? { type: driver.BUFFER } : undefined,
  }
  const query: Session['query'] = async (sql, binds = {}) =>
    ((await untilAborted(connection.execute(sql, binds, options), signal)).rows ?? []) as Cell[][]
  try {
    await query(`alter session set time_zone = 'UTC' nls_sort = binary nls_comp = binary`)
    await query(writes ? `alter session set nls_numeric_characters = '.,'` : 'set transaction read only')
  } catch (error) {
    close()
    throw oracleError(error)
  }
  return {
    query,
    stream: sql => connection.queryStream(sql, {}, options),
    change: async sql => (await untilAborted(connection.execute(sql, {}, options), signal)).rowsAffected ?? 0,
    many: async (sql, rows, forms) => {
      const bindDefs = forms.map((form, at) => bindOf(driver, form, rows, at))
      await untilAborted(connection.executeMany(sql, rows, { bindDefs }), signal)
    },
    commit: () => untilAborted(connection.commit(), signal),
    rollback: () => connection.rollback(),
    server: `Oracle Database ${connection.oracleServerVersionString}`,
    protection: tls.mode === 'disable' ? 'not encrypted' : 'TLS, certificate verified',
    close,
  }
}
