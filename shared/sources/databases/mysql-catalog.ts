import type { Column, Entry } from '../connector.ts'
import { SourceError } from '../errors.ts'
import type { Session } from './mysql-session.ts'
import { partsOf, quoted, tableName, tableParts } from './names.ts'

/** How a column is selected so that its text is exact, and how that text becomes a cell of CSV. */
export type Selected = Column & { sql: string; form: 'number' | 'text' | 'bytes'; type: string; generated: boolean }

export type Table = { entry: Entry; sql: string; columns: Selected[] }

const select = `
  select table_name, table_type, table_rows, data_length + index_length from information_schema.tables
  where table_schema = database()`

const entryOf = ([name, type, rows, bytes]: (string | null)[]): Entry => ({
  name: tableName(name!),
  type: type?.includes('VIEW') ? 'view' : 'table',
  assetType: 'TABLE',
  supported: true,
  ...(rows == null ? {} : { rows: Number(rows) }),
  ...(bytes == null ? {} : { size: Number(bytes) }),
})

/** Tables and views of the database that the user may see, after the one named by the cursor. */
export async function listTables({ query }: Session, cursor: string | undefined, limit: number): Promise<Entry[]> {
  const [after = ''] = cursor === undefined ? [] : tableParts(cursor, 1)
  const rows = await query(
    `${select} and cast(table_name as binary) > cast(? as binary) order by cast(table_name as binary) limit ${limit}`,
    [after],
  )
  return rows.map(entryOf)
}

/** The tables of these names, undefined where the user sees none. */
export async function findTables({ query }: Session, names: string[]): Promise<(Entry | undefined)[]> {
  const found = new Map<string, Entry>()
  const wanted = names.map(name => partsOf(name, 1)?.[0])
  for (let at = 0; at < wanted.length; at += 500) {
    const rows = await query(`${select} and table_name in (?)`, [wanted.slice(at, at + 500).map(name => name ?? null)])
    for (const row of rows) found.set(row[0]!, entryOf(row))
  }
  return wanted.map(name => (name === undefined ? undefined : found.get(name)))
}

const numbers = /^(tinyint|smallint|mediumint|int|bigint|decimal|double|year)$/
const bytes = /^(binary|varbinary|tinyblob|blob|mediumblob|longblob)$/
const shapes =
  /^(geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection|geomcollection)$/

/** How the exact text of a column of this type is selected. */
export function projection(name: string, type: string): Pick<Selected, 'sql' | 'form' | 'encoding'> {
  const sql = quoted(name, '`')
  // As text a FLOAT has six digits only; as DOUBLE it has all that it is worth.
  if (type === 'float') return { sql: `cast(${sql} as double)`, form: 'number', encoding: 'text' }
  if (type === 'bit') return { sql: `cast(${sql} as unsigned)`, form: 'number', encoding: 'text' }
  if (shapes.test(type)) return { sql: `st_astext(${sql})`, form: 'text', encoding: 'text' }
  if (bytes.test(type)) return { sql, form: 'bytes', encoding: 'hex' }
  return { sql, form: numbers.test(type) ? 'number' : 'text', encoding: 'text' }
}

/** A table with its columns. Throws `source_not_found` or `source_permission_denied`. */
export async function describeTable(session: Session, name: string): Promise<Table> {
  const [table] = tableParts(name, 1) as [string]
  const sql = quoted(table, '`')
  const [entry] = await findTables(session, [name])
  // A table that is there but hidden answers this with its own error.
  if (!entry) await session.query(`select 1 from ${sql} limit 0`)
  const rows = await session.query(
    `select c.column_name, c.data_type, c.column_type, c.is_nullable, k.ordinal_position, c.extra
    from information_schema.columns c left join information_schema.key_column_usage k
      on k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name
      and k.constraint_name = 'PRIMARY'
    where c.table_schema = database() and c.table_name = ? order by c.ordinal_position`,
    [table],
  )
  if (!entry || !rows.length) throw new SourceError('source_not_found')
  return {
    entry,
    sql,
    columns: rows.map(([column, type, full, nullable, key, extra]) => ({
      name: column!,
      nativeType: full!,
      nullable: nullable === 'YES',
      ...(key === null ? {} : { key: Number(key) }),
      type: type!.toLowerCase(),
      generated: /GENERATED|VIRTUAL|PERSISTENT|STORED/i.test(extra ?? ''),
      ...projection(column!, type!.toLowerCase()),
    })),
  }
}
