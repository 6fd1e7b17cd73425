import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** A SQLite file with prepared statements by their text; synchronous, so whatever runs between two awaits is atomic. */
export interface Database {
  /** The first row of a query, undefined if there is none. */
  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined
  all<T>(sql: string, ...values: SQLInputValue[]): T[]
  /** Rows one by one, for queries that stop early. */
  iterate<T>(sql: string, ...values: SQLInputValue[]): IterableIterator<T>
  /** The number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number
  /** Does all of it or, if it throws or the process dies, nothing. */
  transaction<T>(work: () => T): T
  close(): void
}

/**
 * Opens (and makes) a database that belongs to this process alone and survives its sudden death: what was committed
 * is in the write-ahead log before the call returns.
 */
export function openDatabase(directory: string, name: string, schema: string): Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, name)
  const database = new DatabaseSync(path)
  chmodSync(path, 0o600)
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(schema)
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  /** Statements for iterating that nobody iterates now: one in use can't be used a second time meanwhile. */
  const idle = new Map<string, StatementSync>()
  return {
    get: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).get(...values) as T | undefined,
    all: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).all(...values) as T[],
    *iterate<T>(sql: string, ...values: SQLInputValue[]) {
      const statement = idle.get(sql) ?? database.prepare(sql)
      idle.delete(sql)
      try {
        yield* statement.iterate(...values) as IterableIterator<T>
      } finally {
        idle.set(sql, statement)
      }
    },
    run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
    transaction(work) {
      prepared('BEGIN IMMEDIATE').run()
      try {
        const result = work()
        prepared('COMMIT').run()
        return result
      } catch (error) {
        prepared('ROLLBACK').run()
        throw error
      }
    },
    close: () => database.close(),
  }
}
