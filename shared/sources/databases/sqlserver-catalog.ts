import type { Column, Entry } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { partsOf, quoted, tableName, tableParts } from './names.ts'
import type { Session } from './sqlserver-session.ts'
import type { TextTable } from './text-connector.ts'

const name = (text: string) => quoted(text, '[', ']')
/** A text of SQL: only the quote has a meaning in one. */
export const literal = (text: string): string => `N'${text.replaceAll("'", "''")}'`
const BINARY = 'collate Latin1_General_BIN2'

/** The statement that lists tables and views that may be read, `where` narrowing it. */
export const tablesSql = (where: string, limit: number, schemas?: string[]): string => `
select top (${limit}) s.name, o.name, rtrim(o.type),
  cast((select sum(p.rows) from sys.partitions p where p.object_id = o.object_id and p.index_id in (0, 1)) as varchar(20))
from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
where o.type in ('U', 'V') and o.is_ms_shipped = 0 and s.name not in ('sys', 'INFORMATION_SCHEMA')
  and has_perms_by_name(quotename(s.name) + '.' + quotename(o.name), 'OBJECT', 'SELECT') = 1
  ${schemas ? `and s.name in (${schemas.map(literal).join(', ')})` : ''} ${where}
order by s.name ${BINARY}, o.name ${BINARY}`

const entryOf = ([schema, table, type, rows]: unknown[]): Entry => ({
  name: tableName(String(schema), String(table)),
  type: type === 'V' ? 'view' : 'table',
  assetType: 'TABLE',
  supported: true,
  ...(rows === null || rows === undefined ? {} : { rows: Number(rows) }),
})

/** Tables and views after the one named by the cursor. */
export async function listTables(
  { query }: Session,
  { schemas, cursor, limit }: { schemas?: string[]; cursor?: string; limit: number },
): Promise<Entry[]> {
  const [schema, table] = cursor === undefined ? [] : tableParts(cursor, 2).map(literal)
  const after =
    schema === undefined
      ? ''
      : `and (s.name > ${schema} ${BINARY} or (s.name = ${schema} and o.name > ${table} ${BINARY}))`
  return (await query(tablesSql(after, limit, schemas))).map(entryOf)
}

/** The tables of these names, undefined where there is none that may be read. */
export async function findTables(
  { query }: Session,
  names: string[],
  schemas?: string[],
): Promise<(Entry | undefined)[]> {
  const wanted = names.map(one => partsOf(one, 2))
  const found = new Map<string, Entry>()
  for (let at = 0; at < wanted.length; at += 200) {
    const some = wanted.slice(at, at + 200).filter(parts => parts !== undefined)
    if (!some.length) continue
    const pairs = some.map(([schema, table]) => `(s.name = ${literal(schema!)} and o.name = ${literal(table!)})`)
    for (const row of await query(tablesSql(`and (${pairs.join(' or ')})`, some.length, schemas))) {
      const entry = entryOf(row)
      found.set(entry.name, entry)
    }
  }
  return wanted.map(parts => parts && found.get(tableName(...parts)))
}

const casts: Record<string, (column: string) => string> = {
  decimal: column => `cast(${column} as varchar(64))`,
  numeric: column => `cast(${column} as varchar(64))`,
  money: column => `convert(varchar(64), ${column}, 2)`,
  smallmoney: column => `convert(varchar(64), ${column}, 2)`,
  real: column => `convert(varchar(32), ${column}, 3)`,
  float: column => `convert(varchar(64), ${column}, 3)`,
  date: column => `convert(char(10), ${column}, 23)`,
  time: column => `convert(varchar(16), ${column}, 121)`,
  datetime: column => `convert(varchar(33), ${column}, 126)`,
  smalldatetime: column => `convert(varchar(33), ${column}, 126)`,
  datetime2: column => `convert(varchar(33), ${column}, 126)`,
  // Style 127 would turn it into UTC.
  datetimeoffset: column => `convert(varchar(40), ${column}, 121)`,
  bit: column => `cast(${column} as varchar(1))`,
  tinyint: column => `cast(${column} as varchar(20))`,
  smallint: column => `cast(${column} as varchar(20))`,
  int: column => `cast(${column} as varchar(20))`,
  bigint: column => `cast(${column} as varchar(20))`,
  uniqueidentifier: column => `cast(${column} as char(36))`,
  xml: column => `cast(${column} as nvarchar(max))`,
  text: column => `cast(${column} as nvarchar(max))`,
  ntext: column => `cast(${column} as nvarchar(max))`,
  sql_variant: column => `cast(${column} as nvarchar(4000))`,
  hierarchyid: column => `${column}.ToString()`,
  geometry: column => `${column}.ToString()`,
  geography: column => `${column}.ToString()`,
}
const bytes = new Set(['binary', 'varbinary', 'image', 'timestamp', 'rowversion'])
const texts = new Set(['char', 'varchar', 'nchar', 'nvarchar', 'sysname'])

/** How the exact text of a column of this type is selected; of a type that is not known, its text. */
export function projection(column: string, type: string): { sql: string; encoding: Column['encoding'] } {
  const sql = name(column)
  if (bytes.has(type)) return { sql: `cast(${sql} as varbinary(max))`, encoding: 'hex' }
  if (texts.has(type)) return { sql, encoding: 'text' }
  return { sql: casts[type]?.(sql) ?? `cast(${sql} as nvarchar(max))`, encoding: 'text' }
}

/** The statement that tells the columns of a table, their types and places in the primary key. */
export const columnsSql = (schema: string, table: string): string => `
select c.name, t.name, c.is_nullable, ic.key_ordinal, c.max_length, c.precision, c.scale
from sys.columns c join sys.objects o on o.object_id = c.object_id join sys.schemas s on s.schema_id = o.schema_id
  join sys.types t on t.user_type_id = case when c.system_type_id = 240 then c.user_type_id else c.system_type_id end
  left join sys.indexes i on i.object_id = o.object_id and i.is_primary_key = 1
  left join sys.index_columns ic on ic.object_id = o.object_id and ic.index_id = i.index_id and ic.column_id = c.column_id
where s.name = ${literal(schema)} and o.name = ${literal(table)} order by c.column_id`

/** A table with its columns. Throws `source_not_found`, and `source_permission_denied` where it may not be read. */
export async function describeTable(session: Session, wanted: string, schemas?: string[]): Promise<TextTable> {
  const [schema, table] = tableParts(wanted, 2) as [string, string]
  const [entry] = await findTables(session, [wanted], schemas)
  const sql = `${name(schema)}.${name(table)}`
  // A table that is there but denied answers this with its own error.
  if (!entry && !schemas) await session.query(`select top (0) 1 from ${sql}`)
  const rows = entry ? await session.query(columnsSql(schema, table)) : []
  if (!entry || !rows.length) throw new SourceError('source_not_found')
  return {
    entry,
    sql,
    columns: rows.map(([column, type, nullable, key, length, precision, scale]) => ({
      name: String(column),
      nativeType: nativeType(String(type), Number(length), Number(precision), Number(scale)),
      nullable: String(nullable) === 'true' || String(nullable) === '1',
      ...(key === null || key === undefined ? {} : { key: Number(key) }),
      ...projection(String(column), String(type).toLowerCase()),
    })),
  }
}

function nativeType(type: string, length: number, precision: number, scale: number): string {
  if (/^(decimal|numeric)$/.test(type)) return `${type}(${precision},${scale})`
  if (/^(n?varchar|n?char|binary|varbinary)$/.test(type))
    return `${type}(${length < 0 ? 'max' : type.startsWith('n') ? length / 2 : length})`
  if (/^(time|datetime2|datetimeoffset)$/.test(type)) return `${type}(${scale})`
  return type
}
