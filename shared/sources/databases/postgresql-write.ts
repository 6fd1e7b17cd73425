import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import type { SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { readHeader } from './csv.ts'
import {
  columnsNamed,
  deliveryMark,
  mayMark,
  mayWrite,
  NO_KEY,
  primaryKey,
  quoted,
  tableParts,
  typeOf,
} from './names.ts'
import { describeTable, type Table } from './postgresql-catalog.ts'
import { openPostgres, type PostgresConfig, postgresError } from './postgresql-session.ts'

type Columns = WriteTarget['columns']

/** Longest name that the server does not cut, bytes. */
const LONGEST_NAME = 63

/**
 * Writes a CSV with a header line, in one transaction, so that readers see all of it or nothing:
 * `create` a new table, `replace` all rows of a table, or `update` the rows of the same key. What does not fit is refused
 * and the target stays as it was.
 */
export async function writePostgres(
  context: SourceContext,
  config: PostgresConfig,
  target: WriteTarget,
  body: Readable,
): Promise<Written> {
  const [schema, name] = tableParts(target.name, 2) as [string, string]
  if (config.schemas && !config.schemas.includes(schema)) throw new SourceError('source_not_found')
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new SourceError('source_unsupported', 'The name of the new table is too long')
  const { names, rest } = await readHeader(body)
  const session = await openPostgres(context, config, { writes: true })
  const { client } = session
  try {
    await client.query('begin')
    // An attempt whose worker is gone may still be under way in the server: its end decides what there is to do.
    if (target.delivery) await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [target.delivery])
    const sql = `${quoted(schema)}.${quoted(name)}`
    const { rows: existing } = await client.query(
      `select to_regclass($1) is not null as there, obj_description(to_regclass($1), 'pg_class') as mark`,
      [sql],
    )
    const there = existing[0].there === 't'
    const mark = deliveryMark(target)
    if (there && mark !== undefined && existing[0].mark === mark) {
      rest.destroy()
      return { name: target.name, bytes: 0 }
    }
    mayWrite(target, there)
    const written = there
      ? await intoExisting(client, await describeTable(client, target.name), target.mode, names, rest)
      : await intoNew(client, sql, target.columns, names, rest)
    // Only the owner of a table may say what it is; whoever replaces all of it mostly is that.
    if (mark !== undefined && (!there || (target.mode === 'replace' && mayMark(existing[0].mark))))
      await attempt(client, `comment on table ${sql} is '${mark}'`)
    await client.query('commit')
    return { name: target.name, ...written }
  } catch (error) {
    rest.destroy()
    await client.query('rollback').catch(() => {})
    throw context.signal.aborted ? context.signal.reason : postgresError(error)
  } finally {
    session.close()
  }
}

/** Runs what a transaction can do without: false, and nothing lost, when it fails. */
async function attempt(client: Client, sql: string): Promise<boolean> {
  await client.query('savepoint attempt')
  try {
    await client.query(sql)
    return true
  } catch {
    await client.query('rollback to savepoint attempt')
    return false
  }
}

const type = /^[\p{L}\p{N}_ .,"()[\]]+$/u

async function intoNew(client: Client, sql: string, columns: Columns, names: string[], rest: Readable) {
  const types: string[] = []
  for (const name of names) types.push(await knownType(client, typeOf(columns, name, type, 'text')))
  await client.query(`create table ${sql} (${names.map((name, at) => `${quoted(name)} ${types[at]}`).join(', ')})`)
  const written = await copyIn(client, sql, names, rest)
  const key = primaryKey(columns, names)
  // Replacements may have made two keys alike: the table then has none.
  if (key) await attempt(client, `alter table ${sql} add primary key (${key.map(name => quoted(name)).join(', ')})`)
  return written
}

/** A type that this server has and knows by this name, else text. */
async function knownType(client: Client, name: string): Promise<string> {
  return name === 'text' || (await attempt(client, `select '${name}'::regtype`)) ? name : 'text'
}

async function intoExisting(client: Client, table: Table, mode: string, names: string[], rest: Readable) {
  const columns = columnsNamed(table.columns, names).map(({ name }) => quoted(name))
  const stage = `pg_temp.${quoted(`stage_${randomUUID().slice(0, 8)}`)}`
  await client.query(`create temp table ${stage.slice('pg_temp.'.length)} on commit drop as
    select ${columns.join(', ')} from ${table.sql} with no data`)
  const { bytes, rows } = await copyIn(client, stage, names, rest)
  if (mode === 'replace') {
    await client.query(`truncate ${table.sql}`)
    await client.query(`insert into ${table.sql} (${columns.join(', ')}) overriding system value
      select ${columns.join(', ')} from ${stage}`)
    return { bytes, rows }
  }
  const keys = table.columns.filter(({ key }) => key !== undefined).map(({ name }) => name)
  const values = names.filter(name => !keys.includes(name)).map(name => quoted(name))
  if (!keys.length || !keys.every(key => names.includes(key)) || !values.length)
    throw new SourceError('source_unsupported', NO_KEY)
  const key = keys.map(name => quoted(name))
  const { rows: doubled } = await client.query(
    `select 1 from ${stage} group by ${key.join(', ')} having count(*) > 1 limit 1`,
  )
  if (doubled.length) throw new SourceError('source_unsupported', 'The result has two rows of the same key')
  await client.query(`analyze ${stage}`)
  const { rowCount } = await client.query(
    `update ${table.sql} as t set ${values.map(column => `${column} = s.${column}`).join(', ')} from ${stage} as s
    where ${key.map(column => `t.${column} = s.${column}`).join(' and ')}`,
  )
  return { bytes, rows: rowCount ?? 0 }
}

async function copyIn(client: Client, sql: string, names: string[], rest: Readable) {
  const { from } = await import('pg-copy-streams')
  const columns = names.map(name => quoted(name)).join(', ')
  const copy = client.query(from(`copy ${sql} (${columns}) from stdin (format csv, header true)`))
  let bytes = 0
  rest.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await pipeline(rest, copy)
  return { bytes, rows: copy.rowCount }
}
