import type { Readable } from 'node:stream'
import { bounded } from '../bounded.ts'
import type { Column, Connector, Entry, SourceContext } from '../connector.ts'
import type { Cell } from './csv.ts'
import { csvName } from './names.ts'
import { rowsToCsv } from './row-csv.ts'

/** A session whose statements answer cells in their exact text form. */
export type TextSession = {
  query(sql: string): Promise<Cell[][]>
  /** The rows as they come, no faster than they are taken. */
  stream(sql: string): Readable
  protection: string
  close(): void
}

/** A table whose columns say how their exact text is selected. */
export type TextTable = { entry: Entry; sql: string; columns: (Column & { sql: string })[] }

type Listing = { schemas?: string[]; cursor?: string; limit: number }

/** What is different from one database to the other. */
export type Dialect<Config, Session extends TextSession> = {
  open(context: SourceContext, config: Config): Promise<Session>
  translate(error: unknown): Error
  facts(session: Session, config: Config): Promise<{ server: string; warnings: string[] }>
  list(session: Session, query: Listing): Promise<Entry[]>
  find(session: Session, names: string[], schemas?: string[]): Promise<(Entry | undefined)[]>
  describe(session: Session, name: string, schemas?: string[]): Promise<TextTable>
  /** The statement that selects columns of a table, all rows or the first so many. */
  select(columns: string, table: string, rows?: number): string
  write: Connector<Config>['write']
}

const MAX_COUNTED = 1000

/** The connector of a database whose tables are read by selecting the exact text of every column. */
export function textConnector<Config extends { schemas?: string[] }, Session extends TextSession>(
  dialect: Dialect<Config, Session>,
): Connector<Config> {
  const failure = ({ signal }: SourceContext, error: unknown) =>
    signal.aborted ? signal.reason : dialect.translate(error)
  const withSession = async <T>(context: SourceContext, config: Config, use: (session: Session) => Promise<T>) => {
    const session = await dialect.open(context, config)
    try {
      return await use(session)
    } catch (error) {
      throw failure(context, error)
    } finally {
      session.close()
    }
  }
  const selection = ({ columns, sql }: TextTable, rows?: number) =>
    dialect.select(columns.map(column => column.sql).join(', '), sql, rows)

  return {
    check: (context, config) =>
      withSession(context, config, async session => {
        const facts = await dialect.facts(session, config)
        const tables = await dialect.list(session, { schemas: config.schemas, limit: MAX_COUNTED })
        const count = `${tables.length}${tables.length === MAX_COUNTED ? ' or more' : ''}`
        return { ...facts, protection: session.protection, readable: `${count} tables and views can be read` }
      }),

    discover: (context, config, { cursor, limit }) =>
      withSession(context, config, async session => {
        const entries = await dialect.list(session, { schemas: config.schemas, cursor, limit: limit + 1 })
        const page = entries.slice(0, limit)
        return entries.length > limit ? { entries: page, cursor: page.at(-1)!.name } : { entries: page }
      }),

    locate: (context, config, names) =>
      withSession(context, config, session => dialect.find(session, names, config.schemas)),

    sample: (context, config, name, rows) =>
      withSession(context, config, async session => {
        const table = await dialect.describe(session, name, config.schemas)
        const found = await session.query(selection(table, Math.trunc(rows)))
        return { columns: shown(table), rows: found.map(row => row.map(textOf)) }
      }),

    async read(context, config, name) {
      const session = await dialect.open(context, config)
      try {
        const table = await dialect.describe(session, name, config.schemas)
        const names = table.columns.map(column => column.name)
        const rows = session.stream(selection(table))
        return {
          entry: table.entry,
          filename: csvName(table.entry.name),
          contentType: 'text/csv',
          columns: shown(table),
          body: bounded(rowsToCsv(names, rows), context, session.close, dialect.translate),
        }
      } catch (error) {
        session.close()
        throw failure(context, error)
      }
    },

    write: dialect.write,
  }
}

const shown = ({ columns }: TextTable): Column[] => columns.map(({ sql: _, ...column }) => column)

const textOf = (cell: Cell): string | null =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? `\\x${cell.toString('hex')}` : String(cell)
