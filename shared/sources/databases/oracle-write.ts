import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Column, SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { bytesOf } from './csv.ts'
import { csvBatches } from './csv-batches.ts'
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
import { describeTable, findTables } from './oracle-catalog.ts'
import { type OracleConfig, type OracleDriver, openOracle, oracleError, type Session } from './oracle-session.ts'

type Target = Pick<Column, 'name' | 'nativeType' | 'encoding'>

/**
 * Writes a CSV with a header line into a table beside the target. `create` renames that; `replace` and `update` take its
 * rows over in one transaction. What does not fit is refused and the target stays as it was. The empty text is NULL here.
 */
export async function writeOracle(
  context: SourceContext,
  config: OracleConfig,
  target: WriteTarget,
  body: Readable,
  load: () => Promise<OracleDriver>,
): Promise<Written> {
  const [owner, table] = tableParts(target.name, 2) as [string, string]
  if (config.schemas && !config.schemas.includes(owner)) throw new SourceError('source_not_found')
  const session = await openOracle(context, config, load, { writes: true })
  // Names are bytes, thirty of them in old versions.
  const stage = `${quoted(owner)}.${quoted(`ANON_${(target.delivery ?? randomUUID()).replaceAll('-', '').slice(0, 24)}`)}`
  const drop = () => session.query(`drop table ${stage} purge`).catch(() => [])
  try {
    const [there] = await findTables(session, [target.name])
    const mark = deliveryMark(target)
    const comment = there && (await session.query(commentSql, { owner, name: table }))[0]?.[0]
    if (mark !== undefined && comment === mark) {
      body.destroy()
      return { name: target.name, bytes: 0 }
    }
    mayWrite(target, there)
    const { names, batches, bytes } = await csvBatches(body)
    const model = there ? (await describeTable(session, target.name)).columns : target.columns
    const columns = there ? columnsIn(model!, names) : names.map(column => newColumn(model, column))
    const key = primaryKey(model, names)
    if (target.mode === 'update' && (!key || key.length === names.length))
      throw new SourceError('source_unsupported', NO_KEY)
    // What an attempt that crashed has left.
    if (target.delivery) await drop()
    await session.query(createSql(stage, columns))
    const rows = await fill(session, stage, columns, batches)
    const sql = `${quoted(owner)}.${quoted(table)}`
    const marking = (on: string) => session.query(`comment on table ${on} is '${mark}'`)
    if (!there) {
      // Replacements may have made two keys alike: the table then has none.
      if (key)
        await session
          .query(`alter table ${stage} add primary key (${key.map(one => quoted(one)).join(', ')})`)
          .catch(() => [])
      if (mark !== undefined) await marking(stage)
      await session.query(`alter table ${stage} rename to ${quoted(table)}`)
      return { name: target.name, bytes: bytes(), rows }
    }
    const changed =
      target.mode === 'replace'
        ? await replace(session, sql, stage, columns)
        : await merge(session, sql, stage, columns, key!)
    // A definition of data ends the transaction before it, so it comes last.
    if (mark !== undefined && target.mode === 'replace' && mayMark(comment)) await marking(sql).catch(() => [])
    return { name: target.name, bytes: bytes(), rows: changed }
  } catch (error) {
    body.destroy()
    await session.rollback().catch(() => {})
    throw context.signal.aborted ? context.signal.reason : oracleError(error)
  } finally {
    await drop()
    session.close()
  }
}

const commentSql = 'select comments from all_tab_comments where owner = :owner and table_name = :name'
const TEXT = 'CLOB'
const safeType =
  /^(NUMBER|FLOAT|N?CHAR|N?VARCHAR2|RAW)(\(\d+(,-?\d+)?\))?$|^(DATE|N?CLOB|BLOB|BINARY_FLOAT|BINARY_DOUBLE|XMLTYPE|JSON|BOOLEAN)$|^TIMESTAMP\(\d\)( WITH( LOCAL)? TIME ZONE)?$|^INTERVAL (YEAR\(\d\) TO MONTH|DAY\(\d\) TO SECOND\(\d\))$/

const columnsIn = (columns: readonly Column[], names: string[]): Target[] =>
  columnsNamed(columns, names).map(known => {
    if (!safeType.test(known.nativeType))
      throw new SourceError('source_unsupported', 'The target has a column of a type that cannot be written')
    return known
  })

function newColumn(columns: WriteTarget['columns'], column: string): Target {
  const nativeType = typeOf(columns, column, safeType, TEXT)
  return { name: column, nativeType, encoding: /^(RAW|BLOB)/.test(nativeType) ? 'hex' : 'text' }
}

const list = (columns: Target[], of = (column: Target) => quoted(column.name)) => columns.map(of).join(', ')

export const createSql = (stage: string, columns: Target[]): string =>
  `create table ${stage} (${list(columns, column => `${quoted(column.name)} ${column.nativeType} null`)})`

const DATE = 'SYYYY-MM-DD"T"HH24:MI:SS'

/** How the exact text of a value becomes one of its type again. */
export function conversion(type: string, bind: string): string {
  if (/^(NUMBER|FLOAT)/.test(type)) return `to_number(${bind})`
  if (type === 'BINARY_FLOAT' || type === 'BINARY_DOUBLE') return `to_${type.toLowerCase()}(${bind})`
  if (type === 'DATE') return `to_date(${bind}, '${DATE}')`
  if (/^TIMESTAMP\(\d\) WITH TIME ZONE/.test(type)) return `to_timestamp_tz(${bind}, '${DATE}.FF9 TZH:TZM')`
  if (/^TIMESTAMP/.test(type)) return `to_timestamp(${bind}, '${DATE}.FF9')`
  if (/^INTERVAL YEAR/.test(type)) return `to_yminterval(${bind})`
  if (/^INTERVAL DAY/.test(type)) return `to_dsinterval(${bind})`
  if (type === 'XMLTYPE') return `xmltype(${bind})`
  return bind
}

export const insertSql = (stage: string, columns: Target[]): string =>
  `insert into ${stage} (${list(columns)}) values (${columns
    .map(({ nativeType }, at) => conversion(nativeType, `:${at + 1}`))
    .join(', ')})`

async function fill(session: Session, stage: string, columns: Target[], batches: AsyncIterable<(string | null)[][]>) {
  const sql = insertSql(stage, columns)
  const forms = columns.map(({ nativeType, encoding }) =>
    encoding === 'hex' ? 'bytes' : /LOB$|^XML|^JSON/.test(nativeType) ? 'long' : 'text',
  )
  let rows = 0
  for await (const batch of batches) {
    const values = batch.map(row =>
      row.map((cell, at) => (cell === null || columns[at]!.encoding === 'text' ? cell : bytesOf(cell))),
    )
    await session.many(sql, values, forms)
    rows += batch.length
  }
  await session.commit()
  return rows
}

async function replace(session: Session, sql: string, stage: string, columns: Target[]) {
  await session.change(`delete from ${sql}`)
  const rows = await session.change(`insert into ${sql} (${list(columns)}) select ${list(columns)} from ${stage}`)
  await session.commit()
  return rows
}

/** The statement that sets the rows of the same key; the server refuses two rows of one key (ORA-30926). */
export const mergeSql = (sql: string, stage: string, columns: Target[], key: string[]): string =>
  `merge into ${sql} t using ${stage} s on (${key.map(one => `t.${quoted(one)} = s.${quoted(one)}`).join(' and ')}) ` +
  `when matched then update set ${list(
    columns.filter(({ name }) => !key.includes(name)),
    ({ name }) => `t.${quoted(name)} = s.${quoted(name)}`,
  )}`

async function merge(session: Session, sql: string, stage: string, columns: Target[], key: string[]) {
  const rows = await session.change(mergeSql(sql, stage, columns, key))
  await session.commit()
  return rows
}
