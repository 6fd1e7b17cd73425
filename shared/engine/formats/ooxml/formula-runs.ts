import { type CellNames, lastRow, type Reference, referencesIn } from './references.ts'
import type { WrittenFormula } from './slow-rows.ts'

/** Formulas that stand below each other and refer to the same cells, as seen from their own. */
export type Run = {
  sheet: number
  /** The columns that they fill. */
  column: number
  toColumn: number
  first: number
  last: number
  key: string
  /** Nothing where they may refer to any cell. */
  references: readonly Reference[] | undefined
  /** Whether they are one formula that fills several cells. */
  isArray: boolean
  /** When and how often some of their rows were found to depend, and whether all of them do. */
  settled: number
  times: number
  isDone: boolean
}

/** The formulas of a workbook: the last run in each column, and those that may be looked at, by the columns they refer to. */
export type FormulaRuns = {
  count: number
  /** The number of references that are kept. */
  references: number
  open: Map<number, Run>
  byColumn: Map<number, Set<Run>>
  wide: Set<Run>
  arrays: Run[]
  anywhere: Run[]
  /** What formulas that several cells share refer to. */
  masters: Map<string, Reference[] | undefined>
}

/** Columns for each of which a reference is noted; wider ones, and those to any sheet, are looked at for any column. */
const narrow = 64

export const noRuns = (): FormulaRuns => ({
  ...{
    count: 0,
    references: 0,
    open: new Map(),
    byColumn: new Map(),
    wide: new Set(),
    arrays: [],
    anywhere: [],
    masters: new Map(),
  },
})

/** The run that a formula begins or goes on with. */
export function runOf(
  runs: FormulaRuns,
  own: { sheet: number; row: number; column: number },
  formula: WrittenFormula,
  names: CellNames,
): Run {
  const { sheet, row, column } = own
  const references = referencesOf(runs, own, formula, names)
  const { row: last, column: toColumn } = endOf(row, column, formula)
  const isArray = last !== row || toColumn !== column
  const above = runs.open.get(column)
  const isSame = above !== undefined && above.references === references
  const key = isSame ? above.key : references === undefined ? '?' : JSON.stringify(references)
  const goesOn = above?.sheet === sheet && above.last === row - 1 && above.key === key && !above.isArray
  if (goesOn && !isArray) {
    above.last = row
    above.references = references
    if (above.isDone) lookedAt(runs, above)
    above.isDone = false
    return above
  }
  const cells = { sheet, column, toColumn, first: row, last }
  const run = { ...cells, key, references, isArray, settled: 0, times: 0, isDone: false }
  addRun(runs, run)
  return run
}

/** The last of the cells that a formula fills. */
export const endOf = (row: number, column: number, { covers }: WrittenFormula) =>
  covers === undefined ? { row, column } : { row: Math.max(row, covers.row), column: Math.max(column, covers.column) }

function addRun(runs: FormulaRuns, run: Run): void {
  runs.count++
  runs.references += run.references?.length ?? 0
  runs.open.set(run.column, run)
  if (run.references === undefined) runs.anywhere.push(run)
  if (run.isArray) runs.arrays.push(run)
  lookedAt(runs, run)
}

/** Has a run looked at when something is found in a column that it refers to. */
function lookedAt(runs: FormulaRuns, run: Run): void {
  const columns = new Set<number>()
  let isWide = false
  for (const { sheet, left, right } of run.references ?? []) {
    const [from, to] = ordered(resolved(left, run.column), resolved(right, run.column))
    if (sheet === undefined || to - from >= narrow) isWide = true
    else for (let column = from; column <= to; column++) columns.add(columnKey(sheet, column))
  }
  if (isWide) runs.wide.add(run)
  else
    for (const column of columns) {
      const known = runs.byColumn.get(column)
      if (known === undefined) runs.byColumn.set(column, new Set([run]))
      else known.add(run)
    }
}

/** What a column of a sheet is known by. */
export const columnKey = (sheet: number, column: number) => sheet * 2 ** 20 + column

/** The references of a formula; those of one that is shared are written in the first cell that has it. */
function referencesOf(
  runs: FormulaRuns,
  own: { sheet: number; row: number; column: number },
  { text, shared }: WrittenFormula,
  names: CellNames,
): Reference[] | undefined {
  const { masters } = runs
  const key = `${own.sheet} ${shared}`
  if (text === '') return shared === undefined ? undefined : masters.get(key)
  const references = referencesIn(text, own, names)
  if (shared !== undefined) {
    masters.set(key, references)
    runs.references += references?.length ?? 0
  }
  return references
}

/** The rows of a run that refer to one of some rows of a column; nothing where none does. */
export function* readers(run: Run, sheet: number, column: number, from: number, to: number) {
  for (const { sheet: of = sheet, left, right, top, bottom } of run.references ?? []) {
    if (of !== sheet) continue
    const [leftmost, rightmost] = ordered(resolved(left, run.column), resolved(right, run.column))
    if (column < leftmost || column > rightmost) continue
    const [low, high] = readingRows(top, bottom, from, to)
    const first = Math.max(run.first, low)
    const last = Math.min(run.isArray ? run.first : run.last, high)
    if (first <= last) yield { first, last }
  }
}

/** The rows of formulas, from the first to the last, that refer to one of some rows. */
function readingRows(top: Reference['top'], bottom: Reference['top'], from: number, to: number): [number, number] {
  const all: [number, number] = [0, lastRow]
  if (top.moves && bottom.moves) return [from - Math.max(top.at, bottom.at), to - Math.min(top.at, bottom.at)]
  if (!top.moves && !bottom.moves) {
    const [first, last] = ordered(top.at, bottom.at)
    return first <= to && last >= from ? all : [0, -1]
  }
  const [fixed, moving] = top.moves ? [bottom.at, top.at] : [top.at, bottom.at]
  if (fixed < from) return [from - moving, lastRow]
  return fixed > to ? [0, to - moving] : all
}

const resolved = ({ at, moves }: Reference['top'], base: number) => (moves ? base + at : at)

const ordered = (from: number, to: number): [number, number] => (from <= to ? [from, to] : [to, from])

/** The cells that a reference of a formula in a row and a column means. */
export function cellsOf({ left, right, top, bottom }: Reference, row: number, column: number) {
  const [first, last] = ordered(resolved(left, column), resolved(right, column))
  const [from, to] = ordered(resolved(top, row), resolved(bottom, row))
  return { first, last, from, to }
}
