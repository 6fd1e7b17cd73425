import { describeTable, findTables, listTables } from './sqlserver-catalog.ts'
import { openSqlServer, sqlServerError } from './sqlserver-session.ts'
import { writeSqlServer } from './sqlserver-write.ts'
import { textConnector } from './text-connector.ts'

/** DB_ENGINE_4: SQL Server. */
export const sqlserver = textConnector({
  open: openSqlServer,
  translate: sqlServerError,
  async facts(session, { tls }) {
    const [[version]] = (await session.query(`select cast(serverproperty('ProductVersion') as nvarchar(128))`)) as [
      [string],
    ]
    return {
      server: `SQL Server ${version ?? ''}`.trim(),
      warnings: [
        'SQL Server has no read-only sessions: give a login that can only read',
        ...(tls.mode === 'verify-full' ? [] : ['The server’s certificate is not verified']),
      ],
    }
  },
  list: listTables,
  find: findTables,
  describe: describeTable,
  select: (columns, table, rows) => `select ${rows === undefined ? '' : `top (${rows}) `}${columns} from ${table}`,
  write: writeSqlServer,
})
