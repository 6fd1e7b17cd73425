import type { Readable } from 'node:stream'
import type { Column, SourceContext, WriteTarget, Written } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { bytesOf } from './csv.ts'
import { csvBatches } from './csv-batches.ts'
import { columnsNamed, deliveryMark, mayWrite, NO_KEY, primaryKey, quoted, tableParts, typeOf } from './names.ts'
import { describeTable, literal } from './sqlserver-catalog.ts'
import { DOUBLED_QUOTE, openSqlServer, type SqlServerConfig, sqlServerError } from './sqlserver-session.ts'

const name = (text: string) => quoted(text, '[', ']')
/** Where the rows wait as text: of this session only, so nothing of it is left when that ends. */
const STAGE = '#anonymised'

type Target = Pick<Column, 'name' | 'nativeType' | 'encoding' | 'key'>

/**
 * Writes a CSV with a header line: into a table of text that only this session sees, and from there in one transaction
 * with a conversion per column. What does not fit is refused and the target stays as it was.
 */
export async function writeSqlServer(
  context: SourceContext,
  config: SqlServerConfig,
  target: WriteTarget,
  body: Readable,
): Promise<Written> {
  const [schema, table] = tableParts(target.name, 2) as [string, string]
  if (config.schemas && !config.schemas.includes(schema)) throw new SourceError('source_not_found')
  const session = await openSqlServer(context, config, { writes: true })
  const sql = `${name(schema)}.${name(table)}`
  try {
    const [[there, marked]] = (await session.query(existsSql(sql))) as [[unknown, unknown]]
    const mark = deliveryMark(target)
    if (mark !== undefined && marked === mark) {
      body.destroy()
      return { name: target.name, bytes: 0 }
    }
    mayWrite(target, there)
    const { names, batches, bytes } = await csvBatches(body)
    const model = there ? (await describeTable(session, target.name)).columns : target.columns
    const columns = there ? columnsIn(model!, names) : names.map(column => newColumn(model, column))
    const key = primaryKey(model, names)
    if (target.mode === 'update' && !key) throw new SourceError('source_unsupported', NO_KEY)
    const kept = columns.map((column, at) => ({ ...column, at })).filter(({ nativeType }) => !computed.test(nativeType))
    await session.query(`create table ${STAGE} (${columns.map((_, at) => `c${at} nvarchar(max) null`).join(', ')})`)
    const rows = await session.load(STAGE, columns.length, cellsOf(columns, batches))
    await session.query('set xact_abort on; begin transaction')
    const updated = target.mode === 'update' ? await session.query(updateSql(sql, kept)) : undefined
    if (!updated) {
      await session.query(there ? `truncate table ${sql}` : createSql(sql, columns))
      await session.query(insertSql(sql, kept, Boolean(there)))
      if (mark !== undefined) await session.query(markSql(schema, table, mark, Boolean(marked)))
      await session.query('commit transaction')
      // Replacements may have made two keys alike: the table then has none.
      if (key && !there) await session.query(keySql(sql, columns, key)).catch(() => {})
    } else await session.query('commit transaction')
    return { name: target.name, bytes: bytes(), rows: updated ? Number(updated[0]?.[0] ?? 0) : rows }
  } catch (error) {
    body.destroy()
    // A session that ends takes its transaction and its stage with it.
    throw context.signal.aborted ? context.signal.reason : sqlServerError(error)
  } finally {
    session.close()
  }
}

const PROPERTY = 'anonymisation_delivery'

/** Whether a table is there, and which delivery made it: a property of its own, which nobody else's comment is lost to. */
export const existsSql = (sql: string): string => `
select cast(object_id(${literal(sql)}) as varchar(20)), (select cast(value as nvarchar(200)) from sys.extended_properties
  where major_id = object_id(${literal(sql)}) and minor_id = 0 and class = 1 and name = ${literal(PROPERTY)})`

/** Notes which delivery made a table. */
export const markSql = (schema: string, table: string, mark: string, again: boolean): string =>
  `exec sys.${again ? 'sp_updateextendedproperty' : 'sp_addextendedproperty'} @name = ${literal(PROPERTY)}, @value = ${literal(mark)}, ` +
  `@level0type = N'SCHEMA', @level0name = ${literal(schema)}, @level1type = N'TABLE', @level1name = ${literal(table)}`

const computed = /^(timestamp|rowversion)$/
const shapes = /^(geometry|geography)$/
const safeType = /^[a-z0-9_]+(\((max|\d+(,\d+)?)\))?$/

const columnsIn = (columns: readonly Column[], names: string[]): Target[] =>
  columnsNamed(columns, names).map(known => {
    if (shapes.test(known.nativeType)) throw new SourceError('source_unsupported', 'Shapes cannot be written back')
    return known
  })

/** A column of a new table. What the server once computed, or keeps in a form of its own, is text there. */
function newColumn(columns: WriteTarget['columns'], column: string): Target {
  const native = typeOf(columns, column, safeType, 'nvarchar(max)')
  const plain = !computed.test(native) && !shapes.test(native) && native !== 'sql_variant'
  const nativeType = plain ? native : 'nvarchar(max)'
  return { name: column, nativeType, encoding: bytes.test(nativeType) ? 'hex' : 'text' }
}

const bytes = /^(binary|varbinary|image)/

/** The cells as the stage takes them: bytes in the form that the server reads. */
async function* cellsOf(columns: Target[], batches: AsyncIterable<(string | null)[][]>) {
  for await (const batch of batches)
    for (const row of batch)
      yield row.map((cell, at) =>
        cell === null || columns[at]!.encoding === 'text' ? cell : `0x${bytesOf(cell).toString('hex')}`,
      )
}

/** How the exact text of a value becomes one of its type again; texts are left to the server, which refuses long ones. */
export function conversion(type: string, cell: string): string {
  const [base] = /^[a-z0-9_]+/.exec(type)!
  if (/^(n?varchar|n?char|n?text|sysname)$/.test(base)) return cell
  if (bytes.test(base)) return `convert(${base === 'image' ? 'varbinary(max)' : type}, ${cell}, 1)`
  const style = { date: 23, time: 121, datetime: 126, smalldatetime: 126, datetime2: 126, datetimeoffset: 121 }[base]
  return style === undefined ? `cast(${cell} as ${type})` : `convert(${type}, ${cell}, ${style})`
}

export const createSql = (sql: string, columns: Target[]): string =>
  `create table ${sql} (${columns.map(column => `${name(column.name)} ${column.nativeType} null`).join(', ')})`

const keySql = (sql: string, columns: Target[], key: string[]): string => {
  const required = columns.filter(column => key.includes(column.name))
  const alters = required.map(
    column => `alter table ${sql} alter column ${name(column.name)} ${column.nativeType} not null; `,
  )
  return `set xact_abort on; begin transaction; ${alters.join('')}alter table ${sql} add primary key (${key.map(name).join(', ')}); commit transaction`
}

type Placed = Target & { at: number }

/** Fills a table from the stage; numbers that the server would give by itself are taken as they are. */
export const insertSql = (sql: string, columns: Placed[], identity: boolean): string => {
  const insert = `insert into ${sql} (${columns.map(column => name(column.name)).join(', ')}) select ${columns
    .map(({ nativeType, at }) => conversion(nativeType, `c${at}`))
    .join(', ')} from ${STAGE}`
  if (!identity) return insert
  const has = `objectproperty(object_id(${literal(sql)}), 'TableHasIdentity') = 1`
  return `if ${has} set identity_insert ${sql} on; ${insert}; if ${has} set identity_insert ${sql} off`
}

/** Sets the rows of the same key from the stage and answers how many; fails where the result has two of one key. */
export function updateSql(sql: string, columns: Placed[]): string {
  const keys = columns.filter(({ key }) => key !== undefined)
  const values = columns.filter(({ key }) => key === undefined)
  if (!values.length) throw new SourceError('source_unsupported', NO_KEY)
  const at = (column: Placed) => conversion(column.nativeType, `s.c${column.at}`)
  return (
    `if exists (select 1 from ${STAGE} s group by ${keys.map(at).join(', ')} having count(*) > 1) ` +
    `throw ${DOUBLED_QUOTE}, 'two rows of the same key', 1; ` +
    `update t set ${values.map(column => `t.${name(column.name)} = ${at(column)}`).join(', ')} from ${sql} t ` +
    `join ${STAGE} s on ${keys.map(column => `t.${name(column.name)} = ${at(column)}`).join(' and ')}; ` +
    'select cast(@@rowcount as varchar(20))'
  )
}
