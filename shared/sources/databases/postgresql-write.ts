import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import type { SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { readHeader } from './csv.ts'
import { deliveryMark, quoted, tableParts } from './names.ts'
import { describeTable, type Table } from './postgresql-catalog.ts'
import { openPostgres, type PostgresConfig, postgresError } from './postgresql-session.ts'

/**
 * Writes a CSV with a header line, in one transaction, so that readers see all of it or nothing:
 * `create` a new table (columns as in `like`, else all text), `replace` all rows of a table, or `update` the rows of the
 * same key. What does not fit is refused and the target stays as it was.
 */
export async function writePostgres(
  context: SourceContext,
  config: PostgresConfig,
  target: WriteTarget,
  body: Readable,
): Promise<Written> {
  const [schema, name] = tableParts(target.name, 2) as [string, string]
  if (config.schemas && !config.schemas.includes(schema)) throw new SourceError('source_not_found')
  const { names, rest } = await readHeader(body)
  const session = await openPostgres(context, config, { writes: true })
  const { client } = session
  try {
    await client.query('begin')
    const sql = `${quoted(schema)}.${quoted(name)}`
    const { rows: existing } = await client.query(
      `select to_regclass($1) is not null as there, obj_description(to_regclass($1), 'pg_class') as mark`,
      [sql],
    )
    const there = existing[0].there === 't'
    const mark = deliveryMark(target)
    if (there && target.mode === 'create') {
      if (mark === undefined || existing[0].mark !== mark) throw new SourceError('source_conflict')
      rest.destroy()
      return { name: target.name, bytes: 0 }
    }
    if (!there && target.mode === 'update') throw new SourceError('source_not_found')
    const written = there
      ? await intoExisting(client, await describeTable(client, target.name), target.mode, names, rest)
      : await intoNew(client, sql, target.like, names, rest)
    if (!there && mark !== undefined) await client.query(`comment on table ${sql} is '${mark}'`)
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

async function intoNew(client: Client, sql: string, like: string | undefined, names: string[], rest: Readable) {
  const model = like === undefined ? undefined : await describeTable(client, like)
  const types = new Map(model?.columns.map(column => [column.name, column.nativeType]))
  const columns = names.map(column => `${quoted(column)} ${types.get(column) ?? 'text'}`)
  await client.query(`create table ${sql} (${columns.join(', ')})`)
  return copyIn(client, sql, names, rest)
}

async function intoExisting(client: Client, table: Table, mode: string, names: string[], rest: Readable) {
  const known = new Set(table.columns.map(({ name }) => name))
  if (names.some(name => !known.has(name)))
    throw new SourceError('source_unsupported', 'The target lacks a column of the result')
  const columns = names.map(name => quoted(name))
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
    throw new SourceError('source_unsupported', 'An update needs the whole primary key and a column besides it')
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
