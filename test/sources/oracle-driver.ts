import { Readable } from 'node:stream'
import oracledb from 'oracledb'
import { expect } from 'vitest'
import { columnsSql } from '../../shared/sources/databases/oracle-catalog.ts'
import type { OracleDriver } from '../../shared/sources/databases/oracle-session.ts'

type Changes = {
  /** Instead of a login. */
  login?(): void
  /** Instead of a statement, where it throws. */
  execute?(sql: string): void
  /** The rows of a whole table. */
  rows?(): Iterable<unknown[]> | AsyncIterable<unknown[]>
}

/** An error as the driver has it, whose code is in its message too. */
export const oracleFailure = (code: string) => Object.assign(new Error(`${code}: secret value`), { code })

/** A stand-in for the driver with the methods that are used, which answers what a catalog of one table would. */
export function standIn(changes: Changes = {}) {
  const executed: { sql: string; binds: object }[] = []
  let settings: Record<string, unknown> = {}
  let closed = 0
  const rows = [
    ['1', 'Ada', '2026-11-20T00:00:00', Buffer.of(0, 255)],
    ['2', null, 'x"y', null],
  ]
  const driver: OracleDriver = {
    OUT_FORMAT_ARRAY: oracledb.OUT_FORMAT_ARRAY,
    DB_TYPE_CLOB: oracledb.DB_TYPE_CLOB,
    DB_TYPE_NCLOB: oracledb.DB_TYPE_NCLOB,
    DB_TYPE_BLOB: oracledb.DB_TYPE_BLOB,
    STRING: oracledb.STRING,
    BUFFER: oracledb.BUFFER,
    async getConnection(given) {
      changes.login?.()
      settings = given
      return {
        oracleServerVersionString: '23.5.0.24.7',
        async execute(sql, binds, options) {
          executed.push({ sql, binds })
          changes.execute?.(sql)
          expect(options).toMatchObject({ outFormat: oracledb.OUT_FORMAT_ARRAY })
          if (sql === columnsSql)
            return {
              rows: [
                ['ID', 'NUMBER', 22, 10, 0, 'N', 1],
                ['NAME', 'VARCHAR2', 50, null, null, 'Y', null],
                ['AT', 'DATE', 7, null, null, 'Y', null],
                ['RAW_', 'RAW', 16, null, null, 'Y', null],
              ],
            }
          if (sql.includes('all_tables')) {
            const { name, owner } = binds as { name?: string; owner?: string }
            const all = [
              ['CLINIC', 'PATIENTS', 'T', 2],
              ['CLINIC', 'odd.name', 'V', null],
            ]
            if (sql.includes('name > :name')) return { rows: all.filter(([, one]) => String(one) > name!) }
            return { rows: owner ? all.filter(([, one]) => one === name) : all }
          }
          if (/^(delete|insert|merge)/.test(sql)) return { rowsAffected: 2 }
          return { rows: sql.includes('fetch first 20') ? rows : [] }
        },
        queryStream(sql) {
          executed.push({ sql, binds: {} })
          return Readable.from(changes.rows?.() ?? rows)
        },
        async executeMany(sql, binds, options) {
          executed.push({ sql, binds: { rows: binds, options } })
        },
        async commit() {
          executed.push({ sql: 'commit', binds: {} })
        },
        async rollback() {
          executed.push({ sql: 'rollback', binds: {} })
        },
        async close() {
          closed++
        },
      }
    },
  }
  return { driver, executed, settings: () => settings, closed: () => closed }
}
