import type { Column, Entry } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { partsOf, quoted, tableName, tableParts } from './names.ts'
import type { Session } from './oracle-session.ts'
import type { TextTable } from './text-connector.ts'

/** Tables and views of people, not of the database itself, that the user may read. */
const relations = `
select owner, name, kind, num_rows from (
  select owner, table_name as name, 'T' as kind, num_rows from all_tables where nested = 'NO' and secondary = 'N'
  union all select owner, view_name, 'V', null from all_views)
where owner in (select username from all_users where oracle_maintained = 'N')`

const entryOf = ([owner, name, kind, rows]: unknown[]): Entry => ({
  name: tableName(String(owner), String(name)),
  type: kind === 'V' ? 'view' : 'table',
  assetType: 'TABLE',
  supported: true,
  ...(rows === null || rows === undefined ? {} : { rows: Number(rows) }),
})

type Binds = Record<string, string | number>

const ofSchemas = (schemas: string[] | undefined, binds: Binds) => {
  schemas?.forEach((schema, at) => {
    binds[`s${at}`] = schema
  })
  return schemas ? ` and owner in (${schemas.map((_, at) => `:s${at}`).join(', ')})` : ''
}

/** Tables and views after the one named by the cursor. */
export async function listTables(
  { query }: Session,
  { schemas, cursor, limit }: { schemas?: string[]; cursor?: string; limit: number },
): Promise<Entry[]> {
  const binds: Binds = {}
  let where = ofSchemas(schemas, binds)
  if (cursor !== undefined) {
    const [owner, name] = tableParts(cursor, 2) as [string, string]
    Object.assign(binds, { owner, name })
    where += ' and (owner > :owner or (owner = :owner and name > :name))'
  }
  const sql = `${relations}${where} order by owner, name fetch first ${Math.trunc(limit)} rows only`
  return (await query(sql, binds)).map(entryOf)
}

/** The tables of these names, undefined where there is none that may be read. */
export async function findTables(
  { query }: Session,
  names: string[],
  schemas?: string[],
): Promise<(Entry | undefined)[]> {
  const found: (Entry | undefined)[] = []
  for (const wanted of names) {
    const parts = partsOf(wanted, 2)
    if (!parts || (schemas && !schemas.includes(parts[0]!))) {
      found.push(undefined)
      continue
    }
    const binds = { owner: parts[0]!, name: parts[1]! }
    const [row] = await query(`${relations} and owner = :owner and name = :name`, binds)
    found.push(row && entryOf(row))
  }
  return found
}

const plain = `'NLS_NUMERIC_CHARACTERS=''.,'''`
const DATE = 'SYYYY-MM-DD"T"HH24:MI:SS'

/** How the exact text of a column of this type is selected. Throws `source_unsupported` for types that have none. */
export function projection(column: string, type: string): { sql: string; encoding: Column['encoding'] } {
  const sql = quoted(column)
  const text = (selected: string) => ({ sql: selected, encoding: 'text' as const })
  if (/^(NUMBER|FLOAT)$/.test(type)) return text(`to_char(${sql}, 'TM9', ${plain})`)
  if (/^BINARY_(FLOAT|DOUBLE)$/.test(type)) return text(`to_char(${sql}, 'TME', ${plain})`)
  if (type === 'DATE') return text(`ltrim(to_char(${sql}, '${DATE}'))`)
  if (/^TIMESTAMP\(\d\)( WITH LOCAL TIME ZONE)?$/.test(type)) return text(`ltrim(to_char(${sql}, '${DATE}.FF9'))`)
  if (/^TIMESTAMP\(\d\) WITH TIME ZONE$/.test(type)) return text(`ltrim(to_char(${sql}, '${DATE}.FF9 TZH:TZM'))`)
  if (/^INTERVAL /.test(type)) return text(`to_char(${sql})`)
  if (/^(CHAR|NCHAR|VARCHAR2|NVARCHAR2|CLOB|NCLOB|LONG)$/.test(type)) return text(sql)
  if (/^U?ROWID$/.test(type)) return text(`to_char(${sql})`)
  if (type === 'XMLTYPE') return text(`xmlserialize(content ${sql} as clob)`)
  if (type === 'JSON') return text(`json_serialize(${sql} returning clob)`)
  if (type === 'BOOLEAN') return text(`to_char(${sql})`)
  if (/^(RAW|LONG RAW|BLOB)$/.test(type)) return { sql, encoding: 'hex' }
  throw new SourceError('source_unsupported', 'The table has a column of a type without an exact text form')
}

/** The statement that tells the columns of a table, their types and places in the primary key. */
export const columnsSql = `
select c.column_name, c.data_type, c.data_length, c.data_precision, c.data_scale, c.nullable, k.position
from all_tab_columns c
  left join all_constraints p on p.owner = c.owner and p.table_name = c.table_name and p.constraint_type = 'P'
  left join all_cons_columns k
    on k.owner = p.owner and k.constraint_name = p.constraint_name and k.column_name = c.column_name
where c.owner = :owner and c.table_name = :name order by c.column_id`

/** A table with its columns. Oracle answers alike for tables that are denied and that are not there. */
export async function describeTable(session: Session, wanted: string, schemas?: string[]): Promise<TextTable> {
  const [owner, name] = tableParts(wanted, 2) as [string, string]
  const [entry] = await findTables(session, [wanted], schemas)
  const rows = entry ? await session.query(columnsSql, { owner, name }) : []
  if (!entry || !rows.length) throw new SourceError('source_not_found')
  return {
    entry,
    sql: `${quoted(owner)}.${quoted(name)}`,
    columns: rows.map(([column, type, length, precision, scale, nullable, key]) => ({
      name: String(column),
      nativeType: nativeType(String(type), length, precision, scale),
      nullable: nullable === 'Y',
      ...(key === null || key === undefined ? {} : { key: Number(key) }),
      ...projection(String(column), String(type)),
    })),
  }
}

function nativeType(type: string, length: unknown, precision: unknown, scale: unknown): string {
  if (type === 'NUMBER')
    return precision === null || precision === undefined ? type : `NUMBER(${precision},${scale ?? 0})`
  return /^(CHAR|NCHAR|VARCHAR2|NVARCHAR2|RAW)$/.test(type) ? `${type}(${length})` : type
}
