import { bounded } from '../bounded.ts'
import type { Connector, SourceContext } from '../connector.ts'
import { describeTable, findTables, listTables } from './mysql-catalog.ts'
import { csvRows } from './mysql-rows.ts'
import { type MysqlConfig, mysqlError, openMysql, type Session } from './mysql-session.ts'
import { writeMysql } from './mysql-write.ts'
import { csvName } from './names.ts'

async function withSession<T>(context: SourceContext, config: MysqlConfig, use: (session: Session) => Promise<T>) {
  const session = await openMysql(context, config)
  try {
    return await use(session)
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : mysqlError(error)
  } finally {
    session.close()
  }
}

/** DB_ENGINE_2 and DB_ENGINE_3: MySQL and MariaDB. */
export const mysql: Connector<MysqlConfig> = {
  check: (context, config) =>
    withSession(context, config, async session => {
      const tables = await listTables(session, undefined, 1000)
      return {
        server: session.server,
        protection: session.protection,
        readable: `${tables.length}${tables.length === 1000 ? ' or more' : ''} tables and views can be read`,
        warnings: config.tls.mode === 'verify-full' ? [] : ['The server’s certificate is not verified'],
      }
    }),

  discover: (context, config, { cursor, limit }) =>
    withSession(context, config, async session => {
      const entries = await listTables(session, cursor, limit + 1)
      const shown = entries.slice(0, limit)
      return entries.length > limit ? { entries: shown, cursor: shown.at(-1)!.name } : { entries: shown }
    }),

  locate: (context, config, names) => withSession(context, config, session => findTables(session, names)),

  sample: (context, config, name, rows) =>
    withSession(context, config, async session => {
      const { columns, sql } = await describeTable(session, name)
      const selected = columns.map(({ form, sql: one }) =>
        form === 'bytes' ? `concat('\\\\x', lower(hex(${one})))` : one,
      )
      return {
        columns: columns.map(({ name: column, nativeType, nullable, key, encoding }) => ({
          name: column,
          nativeType,
          nullable,
          ...(key === undefined ? {} : { key }),
          encoding,
        })),
        rows: await session.query(`select ${selected.join(', ')} from ${sql} limit ${Math.trunc(rows)}`),
      }
    }),

  async read(context, config, name) {
    const session = await openMysql(context, config)
    try {
      const { entry, columns, sql } = await describeTable(session, name)
      const text = `select ${columns.map(column => column.sql).join(', ')} from ${sql}`
      return {
        entry,
        filename: csvName(entry.name),
        contentType: 'text/csv',
        columns: columns.map(({ sql: _, form, type, generated, ...column }) => column),
        body: bounded(csvRows(session.connection, text, columns), context, session.close, mysqlError),
      }
    } catch (error) {
      session.close()
      throw mysqlError(error)
    }
  },

  write: writeMysql,
}
