import { bounded } from '../bounded.ts'
import type { Connector, SourceContext } from '../connector.ts'
import { csvName } from './names.ts'
import { describeTable, findTables, listTables, type Table } from './oracle-catalog.ts'
import { type OracleConfig, type OracleDriver, openOracle, oracleError, type Session } from './oracle-session.ts'
import { rowsToCsv } from './row-csv.ts'

const selection = ({ columns, sql }: Table) => `select ${columns.map(column => column.sql).join(', ')} from ${sql}`
const shown = ({ columns }: Table) => columns.map(({ sql: _, ...column }) => column)

/** The connector for Oracle over a driver, which is loaded when it is needed. */
export function oracleConnector(load: () => Promise<OracleDriver>): Connector<OracleConfig> {
  const withSession = async <T>(
    context: SourceContext,
    config: OracleConfig,
    use: (session: Session) => Promise<T>,
  ) => {
    const session = await openOracle(context, config, load)
    try {
      return await use(session)
    } catch (error) {
      throw context.signal.aborted ? context.signal.reason : oracleError(error)
    } finally {
      session.close()
    }
  }
  return {
    check: (context, config) =>
      withSession(context, config, async session => {
        const tables = await listTables(session, { schemas: config.schemas, limit: 1000 })
        return {
          server: session.server,
          protection: session.protection,
          readable: `${tables.length}${tables.length === 1000 ? ' or more' : ''} tables and views can be read`,
          warnings: config.tls.mode === 'disable' ? ['The connection is not encrypted'] : [],
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
        const found = await session.query(`${selection(table)} fetch first ${Math.trunc(rows)} rows only`)
        const text = (cell: unknown) =>
          cell === null || cell === undefined
            ? null
            : Buffer.isBuffer(cell)
              ? `\\x${cell.toString('hex')}`
              : String(cell)
        return { columns: shown(table), rows: found.map(row => row.map(text)) }
      }),

    async read(context, config, name) {
      const session = await openOracle(context, config, load)
      try {
        const table = await describeTable(session, name, config.schemas)
        const names = table.columns.map(column => column.name)
        return {
          entry: table.entry,
          filename: csvName(table.entry.name),
          contentType: 'text/csv',
          columns: shown(table),
          body: bounded(rowsToCsv(names, session.stream(selection(table))), context, session.close, oracleError),
        }
      } catch (error) {
        session.close()
        throw context.signal.aborted ? context.signal.reason : oracleError(error)
      }
    },
  }
}

/** DB_ENGINE_5: Oracle Database. */
export const oracle = oracleConnector(async () => (await import('oracledb')).default as unknown as OracleDriver)
