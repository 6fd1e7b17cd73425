import type { Client } from 'pg'
import type { Column, Entry } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { partsOf, quoted, tableName, tableParts } from './names.ts'

type Row = Record<string, string>

const visible = `
  n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`

const relation = `
  select n.nspname as schema, c.relname as name, c.relkind as kind, c.reltuples::bigint as rows,
    case when c.relkind in ('r', 'm') then pg_total_relation_size(c.oid) end as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace`

const entryOf = ({ schema, name, kind, rows, bytes }: Row): Entry => ({
  name: tableName(schema!, name!),
  type: kind === 'v' || kind === 'm' ? 'view' : 'table',
  assetType: 'TABLE',
  supported: true,
  // Before its first analysis a table's estimate is -1.
  ...(kind !== 'v' && Number(rows) >= 0 ? { rows: Number(rows) } : {}),
  ...(bytes ? { size: Number(bytes) } : {}),
})

/** Tables and views that may be read, after the one named by the cursor. */
export async function listTables(
  client: Client,
  { schemas, cursor, limit }: { schemas?: string[]; cursor?: string; limit: number },
): Promise<Entry[]> {
  const [schema, name] = cursor === undefined ? [null, null] : tableParts(cursor, 2)
  const { rows } = await client.query<Row>(
    `${relation} where ${visible} and ($1::text[] is null or n.nspname = any($1::text[]))
      and ($2::name is null or (n.nspname, c.relname) > ($2::name, $3::name))
    order by 1, 2 limit $4`,
    [schemas ?? null, schema, name, limit],
  )
  return rows.map(entryOf)
}

/** The tables of these names, undefined where there is none that may be read. */
export async function findTables(client: Client, names: string[], schemas?: string[]): Promise<(Entry | undefined)[]> {
  const wanted = names.map(name => partsOf(name, 2))
  const { rows } = await client.query<Row>(
    `${relation} join unnest($1::name[], $2::name[]) as w(s, t) on n.nspname = w.s and c.relname = w.t
    where ${visible} and ($3::text[] is null or n.nspname = any($3::text[]))`,
    [wanted.map(parts => parts?.[0]), wanted.map(parts => parts?.[1]), schemas ?? null],
  )
  const found = new Map(rows.map(row => [JSON.stringify([row.schema, row.name]), entryOf(row)]))
  return wanted.map(parts => found.get(JSON.stringify(parts)))
}

export type Table = { entry: Entry; columns: Column[]; kind: string; pages: number; sql: string }

/** A table with its columns. Throws `source_not_found`, and `source_permission_denied` where it may not be read. */
export async function describeTable(client: Client, name: string, schemas?: string[]): Promise<Table> {
  const parts = tableParts(name, 2)
  const [entry] = await findTables(client, [name], schemas)
  if (!entry) {
    const { rowCount } = await client.query(
      `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
      parts,
    )
    throw new SourceError(rowCount && !schemas ? 'source_permission_denied' : 'source_not_found')
  }
  const { rows } = await client.query<Row>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      array_position(i.indkey::int2[], a.attnum) as key, c.relkind as kind,
      pg_relation_size(c.oid) / current_setting('block_size')::int as pages,
      coalesce((select t.typbasetype from pg_type t where t.oid = a.atttypid and t.typtype = 'd'), a.atttypid)
        = 'bytea'::regtype as binary
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where n.nspname = $1 and c.relname = $2 order by a.attnum`,
    parts,
  )
  if (!rows.length) throw new SourceError('source_unsupported', 'The table has no columns')
  return {
    entry,
    kind: rows[0]!.kind!,
    pages: Number(rows[0]!.pages),
    sql: parts.map(part => quoted(part)).join('.'),
    columns: rows.map(({ name: column, type, required, key, binary }) => ({
      name: column!,
      nativeType: type!,
      nullable: required !== 't',
      // The positions of an int2vector are counted from 0.
      ...(key === null ? {} : { key: Number(key) + 1 }),
      encoding: binary === 't' ? 'hex' : 'text',
    })),
  }
}
