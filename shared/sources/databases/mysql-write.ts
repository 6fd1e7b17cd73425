import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { csvBatches } from './csv-batches.ts'
import { describeTable, findTables, type Selected, type Table } from './mysql-catalog.ts'
import { type MysqlConfig, mysqlError, openMysql, type Session } from './mysql-session.ts'
import { deliveryMark, quoted, tableParts } from './names.ts'

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
  const stage = `stage_${randomUUID().replaceAll('-', '')}`
  try {
    const [there] = await findTables(session, [target.name])
    const mark = deliveryMark(target)
    if (there && target.mode === 'create') {
      if (mark === undefined || (await commentOf(session, table)) !== mark) throw new SourceError('source_conflict')
      body.destroy()
      return { name: target.name, bytes: 0 }
    }
    if (!there && target.mode === 'update') throw new SourceError('source_not_found')
    const { names, batches, bytes } = await csvBatches(body)
    const model = there ? target.name : target.like
    const columns = columnsFor(model === undefined ? undefined : await describeTable(session, model), names, !!there)
    const rows =
      target.mode === 'update'
        ? await update(session, name(table), stage, columns, batches)
        : await exchange(session, name(table), stage, columns, batches, { there: !!there, mark })
    return { name: target.name, bytes: bytes(), rows }
  } catch (error) {
    body.destroy()
    throw context.signal.aborted ? context.signal.reason : mysqlError(error)
  } finally {
    session.close()
    await removeStage(context, config, stage)
  }
}

/** Drops what a failed or cancelled write left behind, over a connection of its own: that of the write may be gone. */
async function removeStage(context: SourceContext, config: MysqlConfig, stage: string) {
  const own = { ...context, signal: AbortSignal.timeout(10_000) }
  const session = await openMysql(own, config, { writes: true }).catch(() => undefined)
  await session?.query(`drop table if exists ${name(stage)}`).catch(() => {})
  session?.close()
}

type Target = Pick<Selected, 'name' | 'type' | 'nativeType' | 'key' | 'encoding' | 'generated'>

function columnsFor(model: Table | undefined, names: string[], must: boolean): Target[] {
  return names.map(column => {
    const known = model?.columns.find(one => one.name === column)
    if (!known && must) throw new SourceError('source_unsupported', 'The target lacks a column of the result')
    if (known?.sql.startsWith('st_')) throw new SourceError('source_unsupported', 'Shapes cannot be written back')
    return known ?? { name: column, type: 'longtext', nativeType: 'longtext', encoding: 'text', generated: false }
  })
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
  if (encoding === 'hex') return Buffer.from(cell.replace(/^\\x/, ''), 'hex')
  // A text would be taken for the bits of its characters.
  return type === 'bit' ? BigInt(cell) : cell
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
  { there, mark }: { there: boolean; mark?: string },
) {
  const { query } = session
  const definitions = columns.map(column => `${name(column.name)} ${column.nativeType} null`)
  await query(
    there
      ? `create table ${name(stage)} like ${table}`
      : `create table ${name(stage)} (${definitions.join(', ')}) default character set utf8mb4${mark ? ` comment '${mark}'` : ''}`,
  )
  const rows = await fill(session, stage, columns, batches)
  const old = `${stage}_old`.slice(0, 64)
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
    throw new SourceError('source_unsupported', 'An update needs the whole primary key and a column besides it')
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
