/**
 * How well the columns of public tables are told for what they are: `node bench/columns.ts` on values of their shape,
 * `node bench/columns.ts FOLDER` on the rows of those that lie there as `<table>.csv`, by the names in
 * test/engine/columns/public/tables.csv. With `--misses`, also which are not.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { classifyColumns } from '../shared/engine/columns/table.ts'
import { type PublicTable, readPublicTables } from '../test/engine/columns/public-tables.ts'
import { scoreOf, told } from '../test/engine/columns/score.ts'

/** Rows that are looked at, as in a table of a database. */
const mostRows = 200

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { misses: { type: 'boolean' } } })
const [folder] = positionals

/** The table with the values that it has in the folder; nothing where it isn't there. */
function withRows(table: PublicTable): PublicTable[] {
  const file = join(folder!, `${table.name}.csv`)
  if (!existsSync(file)) return []
  const rows: string[][] = parse(readFileSync(file), { from: 2, to: mostRows + 1, relax_column_count: true })
  const valuesAt = (n: number) => rows.map(row => row[n] ?? '').filter(text => text.trim() !== '')
  return [{ ...table, columns: table.columns.map((column, n) => ({ ...column, values: valuesAt(n) })) }]
}

const judged = (table: PublicTable) =>
  classifyColumns(table.columns).map((column, n) => ({
    table: table.name,
    name: column.name,
    status: column.status,
    is: told(column),
    gold: table.columns[n]!.gold,
  }))

const all = readPublicTables()
const tables = folder ? all.flatMap(withRows) : all
for (const set of ['development', 'held-out', 'later', undefined]) {
  const chosen = tables.filter(table => set === undefined || table.set === set)
  const columns = chosen.flatMap(judged)
  const { precision, recall, f1 } = scoreOf(columns)
  const figures = [precision, recall, f1].map(figure => figure.toFixed(3)).join('  ')
  const unknown = columns.filter(({ status }) => status === 'unknown').length
  console.log(
    `${(set ?? 'all').padEnd(12)} ${chosen.length} tables, ${columns.length} columns: ${figures}, ${unknown} unknown`,
  )
  if (set === undefined && options.misses)
    for (const { table, name, is, gold } of columns.filter(column => column.is !== column.gold))
      console.log(`${table}\t${name}\t${gold} told as ${is}`)
}
