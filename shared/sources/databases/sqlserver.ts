import { bounded } from '../bounded.ts'
import type { Connector, SourceContext } from '../connector.ts'
import { csvName } from './names.ts'
import { rowsToCsv } from './row-csv.ts'
import { describeTable, findTables, listTables, type Table } from './sqlserver-catalog.ts'
import { openSqlServer, type Session, type SqlServerConfig, sqlServerError } from './sqlserver-session.ts'

async function withSession<T>(context: SourceContext, config: SqlServerConfig, use: (session: Session) => Promise<T>) {
  const session = await openSqlServer(context, config)
  try {
    return await use(session)
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : sqlServerError(error)
  } finally {
    session.close()
  }
}

const selection = ({ columns, sql }: Table, top = '') =>
  `select ${top}${columns.map(column => column.sql).join(', ')} from ${sql}`
const shown = ({ columns }: Table) => columns.map(({ sql: _, ...column }) => column)

/** DB_ENGINE_4: SQL Server. */
export const sqlserver: Connector<SqlServerConfig> = {
  check: (context, config) =>
    withSession(context, config, async session => {
      const [[version]] = (await session.query(`select cast(serverproperty('ProductVersion') as nvarchar(128))`)) as [
        [string],
      ]
      const tables = await listTables(session, { schemas: config.schemas, limit: 1000 })
      return {
        server: `SQL Server ${version ?? ''}`.trim(),
        protection: session.protection,
        readable: `${tables.length}${tables.length === 1000 ? ' or more' : ''} tables and views can be read`,
        warnings: [
          'SQL Server has no read-only sessions: give a login that can only read',
          ...(config.tls.mode === 'verify-full' ? [] : ['The server’s certificate is not verified']),
        ],
      }
    }),

  discover: (context, config, { cursor, limit }) =>
    withSession(context, config, async session => {
      const entries = await listTables(session, { schemas: config.schemas, cursor, limit: limit + 1 })
      const page = entries.slice(0, limit)
      return entries.length > limit ? { entries: page, cursor: page.at(-1)!.name } : { entries: page }
    }),

  locate: (context, config, names) =>
    withSession(context, config, session => findTables(session, names, config.schemas)),

  sample: (context, config, name, rows) =>
    withSession(context, config, async session => {
      const table = await describeTable(session, name, config.schemas)
      const found = await session.query(selection(table, `top (${Math.trunc(rows)}) `))
      const text = (cell: unknown) =>
        cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? `\\x${cell.toString('hex')}` : String(cell)
      return { columns: shown(table), rows: found.map(row => row.map(text)) }
    }),

  async read(context, config, name) {
    const session = await openSqlServer(context, config)
    try {
      const table = await describeTable(session, name, config.schemas)
      const names = table.columns.map(column => column.name)
      return {
        entry: table.entry,
        filename: csvName(table.entry.name),
        contentType: 'text/csv',
        columns: shown(table),
        body: bounded(rowsToCsv(names, session.stream(selection(table))), context, session.close, sqlServerError),
      }
    } catch (error) {
      session.close()
      throw context.signal.aborted ? context.signal.reason : sqlServerError(error)
    }
  },
}
