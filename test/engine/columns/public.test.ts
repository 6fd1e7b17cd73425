import { expect, test } from 'vitest'
import { classifyColumns } from '../../../shared/engine/columns/table.ts'
import { readPublicTables } from './public-tables.ts'
import { scoreOf, told } from './score.ts'

const tables = readPublicTables()
const columns = tables.flatMap(table =>
  classifyColumns(table.columns).map((column, n) => ({
    set: table.set,
    column,
    is: told(column),
    gold: table.columns[n]!.gold,
  })),
)

test('columns of public tables are told for what they are', () => {
  expect(tables.length).toBeGreaterThan(80)
  expect(scoreOf(columns).f1).toBeGreaterThan(0.9)
})

test.each(['development', 'held-out', 'later'])('so they are in the set %s', set => {
  const { precision, recall } = scoreOf(columns.filter(one => one.set === set))
  expect(precision).toBeGreaterThan(0.92)
  expect(recall).toBeGreaterThan(0.85)
})

test('columns without a value are said to be unknown', () => {
  const empty = columns.filter(({ column }) => column.values === 0)
  expect(empty.length).toBeGreaterThan(10)
  expect(new Set(empty.map(({ column }) => column.status))).toEqual(new Set(['unknown']))
})

test('a score counts columns that are something by either', () => {
  const found = [
    { is: 'ID', gold: 'ID' },
    { is: '-', gold: 'DATE' },
    { is: 'ID', gold: '-' },
    { is: '-', gold: '-' },
  ]
  expect(scoreOf(found)).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 })
})
