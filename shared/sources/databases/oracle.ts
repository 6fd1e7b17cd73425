import type { Connector } from '../connector.ts'
import { describeTable, findTables, listTables } from './oracle-catalog.ts'
import { type OracleConfig, type OracleDriver, openOracle, oracleError, type Session } from './oracle-session.ts'
import { writeOracle } from './oracle-write.ts'
import { textConnector } from './text-connector.ts'

/** The connector for Oracle over a driver, which is loaded when it is needed. */
export const oracleConnector = (load: () => Promise<OracleDriver>): Connector<OracleConfig> =>
  textConnector<OracleConfig, Session>({
    open: (context, config) => openOracle(context, config, load),
    translate: oracleError,
    facts: async ({ server }, { tls }) => ({
      server,
      warnings: tls.mode === 'disable' ? ['The connection is not encrypted'] : [],
    }),
    list: listTables,
    find: findTables,
    describe: describeTable,
    select: (columns, table, rows) =>
      `select ${columns} from ${table}${rows === undefined ? '' : ` fetch first ${rows} rows only`}`,
    write: (context, config, target, body) => writeOracle(context, config, target, body, load),
  })

/** DB_ENGINE_5: Oracle Database. */
export const oracle = oracleConnector(async () => (await import('oracledb')).default as unknown as OracleDriver)
