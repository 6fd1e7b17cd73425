import type { Readable } from 'node:stream'
import { bounded } from '../bounded.ts'
import type { Connector, Opened, SourceContext } from '../connector.ts'
import { csvName, quoted } from './names.ts'
import { describeTable, findTables, listTables, type Table } from './postgresql-catalog.ts'
import { openPostgres, type PostgresConfig, postgresError, type Session } from './postgresql-session.ts'
import { writePostgres } from './postgresql-write.ts'

async function withSession<T>(context: SourceContext, config: PostgresConfig, use: (session: Session) => Promise<T>) {
  const session = await openPostgres(context, config)
  try {
    return await use(session)
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : postgresError(error)
  } finally {
    session.close()
  }
}

/** `COPY` of a table, or of a range of its pages, as CSV: the server writes the exact text of every type. */
async function copyOut(session: Session, { sql, columns }: Table, range = '', header = true): Promise<Readable> {
  const { to } = await import('pg-copy-streams')
  const selected = columns.map(({ name }) => quoted(name)).join(', ')
  const text = `copy (select ${selected} from ${sql}${range}) to stdout (format csv, header ${header})`
  return session.client.query(to(text, { highWaterMark: 256 * 1024 }))
}

const opened = (table: Table, body: Readable): Opened => ({
  entry: table.entry,
  filename: csvName(table.entry.name),
  contentType: 'text/csv',
  columns: table.columns,
  body,
})

/** Opens sessions; when one cannot be opened, those before it are closed. */
async function openAll(count: number, open: () => Promise<Session>): Promise<Session[]> {
  const results = await Promise.allSettled(Array.from({ length: count }, open))
  const sessions = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = results.find(result => result.status === 'rejected')
  if (!failed) return sessions
  for (const session of sessions) session.close()
  throw failed.reason
}

const snapshotSafe = /^[0-9A-F-]+$/i

/** DB_ENGINE_1: PostgreSQL. */
export const postgresql: Connector<PostgresConfig> = {
  check: (context, config) =>
    withSession(context, config, async ({ client, protection }) => {
      const { rows } = await client.query('show server_version')
      const tables = await listTables(client, { schemas: config.schemas, limit: 1000 })
      return {
        server: `PostgreSQL ${rows[0].server_version}`,
        protection,
        readable: `${tables.length}${tables.length === 1000 ? ' or more' : ''} tables and views can be read`,
        warnings: config.tls.mode === 'verify-full' ? [] : ['The server’s certificate is not verified'],
      }
    }),

  discover: (context, config, { cursor, limit }) =>
    withSession(context, config, async ({ client }) => {
      const entries = await listTables(client, { schemas: config.schemas, cursor, limit: limit + 1 })
      const shown = entries.slice(0, limit)
      return entries.length > limit ? { entries: shown, cursor: shown.at(-1)!.name } : { entries: shown }
    }),

  locate: (context, config, names) =>
    withSession(context, config, ({ client }) => findTables(client, names, config.schemas)),

  sample: (context, config, name, rows) =>
    withSession(context, config, async ({ client }) => {
      const { columns, sql } = await describeTable(client, name, config.schemas)
      const text = `select ${columns.map(column => quoted(column.name)).join(', ')} from ${sql} limit ${Math.trunc(rows)}`
      return { columns, rows: (await client.query({ text, rowMode: 'array' })).rows }
    }),

  async read(context, config, name) {
    const session = await openPostgres(context, config)
    try {
      const table = await describeTable(session.client, name, config.schemas)
      return opened(table, bounded(await copyOut(session, table), context, session.close, postgresError))
    } catch (error) {
      session.close()
      throw postgresError(error)
    }
  },

  async readParts(context, config, name, parts) {
    const keeper = await openPostgres(context, config)
    try {
      await keeper.client.query('begin isolation level repeatable read read only')
      const table = await describeTable(keeper.client, name, config.schemas)
      // Only the pages of an ordinary table can be told apart; views and partitioned tables come as one part.
      const count = table.kind === 'r' ? Math.max(1, Math.min(parts, Math.floor(table.pages / 64))) : 1
      const { rows } = await keeper.client.query('select pg_export_snapshot() as id')
      if (!snapshotSafe.test(rows[0].id)) throw new Error('unexpected snapshot')
      const sessions = await openAll(count, async () => {
        const session = await openPostgres(context, config)
        await session.client.query('begin isolation level repeatable read read only')
        await session.client.query(`set transaction snapshot '${rows[0].id}'`)
        return session
      })
      let open = count
      const close = (session: Session) => () => {
        session.close()
        if (--open === 0) keeper.close()
      }
      return await Promise.all(
        sessions.map(async (session, part) => {
          const page = (at: number) => Math.floor((table.pages * at) / count)
          const from = part ? ` ctid >= '(${page(part)},0)'` : ''
          const to = part < count - 1 ? ` ctid < '(${page(part + 1)},0)'` : ''
          const where = from || to ? ` where${from}${from && to ? ' and' : ''}${to}` : ''
          const body = await copyOut(session, table, where, part === 0)
          return opened(table, bounded(body, context, close(session), postgresError))
        }),
      )
    } catch (error) {
      keeper.close()
      throw postgresError(error)
    }
  },

  write: writePostgres,
}
