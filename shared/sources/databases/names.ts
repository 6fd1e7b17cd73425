import type { Column } from '../connector.ts'
import { SourceError } from '../errors.ts'

const plain = /^[\p{L}\p{N}_$#@ -]+$/u

/** One name for a table in its schema: `clinic.patients`; parts that hold a dot or a quote are quoted as in SQL. */
export const tableName = (...parts: string[]): string =>
  parts.map(part => (plain.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.')

/** The parts of such a name; undefined where it isn't one of `count` parts, so that no table can be called that. */
export function partsOf(name: string, count: number): string[] | undefined {
  const parts: string[] = []
  const part = /(?:"((?:[^"\0]|"")+)"|([^".\0]+))(?:\.|$)/uy
  while (part.lastIndex < name.length) {
    const match = part.exec(name)
    if (!match) return
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
  }
  return parts.length === count && !name.endsWith('.') ? parts : undefined
}

/** The parts of such a name. Throws `source_not_found` where it isn't one. */
export function tableParts(name: string, count: number): string[] {
  const parts = partsOf(name, count)
  if (parts) return parts
  throw new SourceError('source_not_found', 'No such table: tables are named as the preview names them')
}

/** A name as an identifier of SQL, quoted by doubling: by `"` for all but MySQL (a backtick) and SQL Server (`]`). */
export const quoted = (name: string, open = '"', close = open): string =>
  `${open}${name.replaceAll(close, close + close)}${close}`

/** File name of the asset that a table becomes. */
export const csvName = (name: string): string => `${name.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_')}.csv`

/** Comment of a table that a delivery has made; undefined where the delivery has no identifier to tell it by. */
export const deliveryMark = ({ delivery }: { delivery?: string }): string | undefined =>
  delivery !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(delivery) ? `${MARK}${delivery}` : undefined

const MARK = 'anonymisation delivery '

/** Whether a comment may be exchanged for the mark of a delivery: there is none, or it is such a mark. */
export const mayMark = (comment: unknown): boolean => !comment || String(comment).startsWith(MARK)

/** Throws `source_conflict` where a table is in the way of a new one, `source_not_found` where there is none to update. */
export function mayWrite({ mode }: { mode: string }, there: unknown): void {
  if (there && mode === 'create') throw new SourceError('source_conflict')
  if (!there && mode === 'update') throw new SourceError('source_not_found')
}

/** The columns of a table by these names. Throws `source_unsupported` where it lacks one. */
export const columnsNamed = <One extends { name: string }>(columns: readonly One[], names: readonly string[]): One[] =>
  names.map(name => {
    const known = columns.find(one => one.name === name)
    if (!known) throw new SourceError('source_unsupported', `The target lacks a column of the result: column ${name}`)
    return known
  })

/** Why an update is refused. */
export const NO_KEY = 'An update needs the whole primary key and a column besides it'

/** The primary key that columns make up, in its order; undefined unless all of it is among the names. */
export function primaryKey(columns: readonly Column[] | undefined, names: string[]): string[] | undefined {
  const key = (columns ?? []).filter(column => column.key !== undefined).sort((a, b) => a.key! - b.key!)
  return key.length && key.every(({ name }) => names.includes(name)) ? key.map(({ name }) => name) : undefined
}

/** The type of a column of a new table: that of the original where `safe` takes it for one, else `text`. */
export function typeOf(columns: readonly Column[] | undefined, name: string, safe: RegExp, text: string): string {
  const type = columns?.find(column => column.name === name)?.nativeType
  // What another server once said goes into a statement: it must be a type and nothing more.
  return type !== undefined && safe.test(type) ? type : text
}
