import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { bytesOf } from './csv.ts'
import { csvBatches } from './csv-batches.ts'
import { describeTable, findTables, projection, type Selected, type Table } from './mysql-catalog.ts'
import { type MysqlConfig, mysqlError, openMysql, type Session } from './mysql-session.ts'
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

const name = (text: string) => quoted(text, '`')

/**
 * Writes a CSV with a header line. `create` and `replace` fill a table beside the target and then rename it, which the
 * server does at once; `update` sets the rows of the same key in one transaction. What does not fit is refused and the
 * target stays as it was.
 */
export async function writeMysql(
  context: SourceContext,
  config: MysqlConfig,
  target: WriteTarget,
  body: Readable,
): Promise<Written> {
  const [table] = tableParts(target.name, 1) as [string]
  const session = await openMysql(context, config, { writes: true })
  const stage = `stage_${(target.delivery ?? randomUUID()).replaceAll('-', '')}`
  try {
    // An attempt whose worker is gone may still be under way in the server: its end decides what there is to do.
    if (target.delivery && (await session.query('select get_lock(?, 10)', [stage]))[0]?.[0] !== '1')
      throw new SourceError('source_timeout')
    // What an attempt that crashed has left.
    if (target.delivery) await session.query(`drop table if exists ${name(stage)}, ${name(oldOf(stage))}`)
    const [there] = await findTables(session, [target.name])
    const mark = deliveryMark(target)
    const comment = there && (await commentOf(session, table))
    if (mark !== undefined && comment === mark) {
      body.destroy()
      return { name: target.name, bytes: 0 }
    }
    mayWrite(target, there)
    const { names, batches, bytes } = await csvBatches(body)
    const columns = there
      ? columnsIn(await describeTable(session, target.name), names)
      : names.map(column => newColumn(target.columns, column))
    const exchanged = {
      there: !!there,
      mark: mayMark(comment) ? mark : undefined,
      key: primaryKey(target.columns, names),
    }
    const rows =
      target.mode === 'update'
        ? await update(session, name(table), stage, columns, batches)
        : await exchange(session, name(table), stage, columns, batches, exchanged)
    return { name: target.name, bytes: bytes(), rows }
  } catch (error) {
    body.destroy()
    // Its locks would be in the way.
    session.close()
    await removeStage(context, config, stage)
    throw context.signal.aborted ? context.signal.reason : mysqlError(error)
  } finally {
    session.close()
  }
}

const oldOf = (stage: string) => `${stage}_old`

/** Drops what a failed or cancelled write left behind, over a connection of its own: that of the write may be gone. */
async function removeStage(context: SourceContext, config: MysqlConfig, stage: string) {
  const own = { ...context, signal: AbortSignal.timeout(10_000) }
  const session = await openMysql(own, config, { writes: true }).catch(() => undefined)
  await session?.query(`drop table if exists ${name(stage)}`).catch(() => {})
  session?.close()
}

type Target = Pick<Selected, 'name' | 'type' | 'nativeType' | 'key' | 'encoding' | 'generated'>

function columnsIn({ columns }: Table, names: string[]): Target[] {
  return columnsNamed(columns, names).map(known => {
    if (known.sql.startsWith('st_')) throw new SourceError('source_unsupported', 'Shapes cannot be written back')
    return known
  })
}

const safeType = /^[a-z][a-z0-9_]*(\((\d+(,\d+)?|'(?:[^'\\]|'')*'(?:,'(?:[^'\\]|'')*')*)\))?( unsigned)?( zerofill)?$/i

/** A column of a new table. What the server once computed is a plain value there, and a shape the text of it. */
function newColumn(columns: WriteTarget['columns'], column: string): Target {
  const native = typeOf(columns, column, safeType, 'longtext')
  const type = /^[a-z0-9_]+/i.exec(native)![0].toLowerCase()
  const { sql, encoding } = projection(column, type)
  const nativeType = sql.startsWith('st_') ? 'longtext' : native
  return { name: column, type, nativeType, encoding, generated: false }
}

type Batches = AsyncIterable<(string | null)[][]>

/** Inserts the rows; values the server computes itself are left to it. */
async function fill({ query }: Session, stage: string, columns: Target[], batches: Batches) {
  const kept = columns.map((column, at) => ({ ...column, at })).filter(({ generated }) => !generated)
  const into = `insert into ${name(stage)} (${kept.map(column => name(column.name)).join(', ')}) values ?`
  let rows = 0
  await query('start transaction')
  for await (const batch of batches) {
    await query(into, [batch.map(row => kept.map(({ type, encoding, at }) => literal(row[at]!, type, encoding)))])
    rows += batch.length
  }
  await query('commit')
  return rows
}

function literal(cell: string | null, type: string, encoding: string) {
  if (cell === null) return null
  if (encoding === 'hex') return bytesOf(cell)
  // A text would be taken for the bits of its characters.
  return type === 'bit' && /^\d+$/.test(cell) ? BigInt(cell) : cell
}

async function commentOf({ query }: Session, table: string): Promise<string | null | undefined> {
  const [row] = await query(
    'select table_comment from information_schema.tables where table_schema = database() and table_name = ?',
    [table],
  )
  return row?.[0]
}

async function exchange(
  session: Session,
  table: string,
  stage: string,
  columns: Target[],
  batches: Batches,
  { there, mark, key }: { there: boolean; mark?: string; key?: string[] },
) {
  const { query } = session
  const definitions = columns.map(column => `${name(column.name)} ${column.nativeType} null`)
  await query(
    there
      ? `create table ${name(stage)} like ${table}`
      : `create table ${name(stage)} (${definitions.join(', ')}) default character set utf8mb4`,
  )
  if (mark !== undefined) await query(`alter table ${name(stage)} comment = '${mark}'`)
  const rows = await fill(session, stage, columns, batches)
  // Replacements may have made two keys alike: the table then has none.
  if (!there && key)
    await query(`alter table ${name(stage)} add primary key (${key.map(name).join(', ')})`).catch(() => {})
  const old = oldOf(stage)
  await query(`rename table ${there ? `${table} to ${name(old)}, ` : ''}${name(stage)} to ${table}`)
  if (there) await query(`drop table ${name(old)}`)
  return rows
}

async function update(session: Session, table: string, stage: string, columns: Target[], batches: Batches) {
  const { query } = session
  const keys = columns.filter(({ key }) => key !== undefined)
  const values = columns.filter(({ key, generated }) => key === undefined && !generated)
  const [[wanted]] = (await query(
    `select count(*) from information_schema.key_column_usage
    where table_schema = database() and table_name = ? and constraint_name = 'PRIMARY'`,
    [table.slice(1, -1).replaceAll('``', '`')],
  )) as [[string]]
  if (!keys.length || Number(wanted) !== keys.length || !values.length)
    throw new SourceError('source_unsupported', NO_KEY)
  const all = columns.map(column => name(column.name)).join(', ')
  const key = keys.map(column => name(column.name))
  await query(
    `create temporary table ${name(stage)} (primary key (${key.join(', ')})) select ${all} from ${table} limit 0`,
  )
  await fill(session, stage, columns, batches)
  await query('start transaction')
  const [[rows]] = (await query(
    `select count(*) from ${table} as t join ${name(stage)} as s on ${key.map(k => `t.${k} = s.${k}`).join(' and ')}`,
  )) as [[string]]
  await query(
    `update ${table} as t join ${name(stage)} as s on ${key.map(k => `t.${k} = s.${k}`).join(' and ')}
    set ${values.map(column => `t.${name(column.name)} = s.${name(column.name)}`).join(', ')}`,
  )
  await query('commit')
  return Number(rows)
}
