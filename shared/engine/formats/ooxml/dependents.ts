import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import { cellsOf, columnKey, endOf, noRuns, type Run, readers, runOf } from './formula-runs.ts'
import type { CellNames } from './references.ts'
import type { WrittenFormula } from './slow-rows.ts'
import { addRows, meets, type Stretches } from './stretches.ts'

/** What the report calls results that go. */
export const results = 'results of formulas'

/** Rows of a column of a sheet. */
type Stretch = { sheet: number; column: number; from: number; to: number }

/** Bounds of what is kept and done. Beyond them every formula counts as one that depends on what was replaced. */
const most = { runs: 100_000, references: 500_000, masters: 20_000, steps: 5_000_000 }
/** Columns that formulas may fill in all, each of its own, where they depend on what was replaced. */
const mostFilled = 2_000_000
/** Times that rows of a run are found to depend by the same cells before all of them count so. */
const often = 32

/**
 * Which cells of a workbook were replaced, and which depend on one of them by their formulas, directly or through others. A
 * workbook is gone through as often as it is written: what is known stays. Sheets are told by their place in the workbook,
 * rows and columns from 1. What is kept does not grow with the number of rows where formulas are filled down.
 */
export class Dependents {
  readonly #names: CellNames
  readonly #found = new Map<number, Map<number, Stretches>>()
  /** Rows with cells that are filled by the formula of another. */
  readonly #filled = new Map<number, Stretches>()
  /** What was found and whose readers are not looked for yet; of what was replaced, the last rows of each column. */
  readonly #queue: Stretch[] = []
  readonly #pending = new Map<number, Stretch>()
  #runs = noRuns()
  /** The last sheet of which cells are written, and the last of its rows: others may follow that stand before it. */
  #written = { sheet: 0, row: 0 }
  /** The last row with a formula that was noted since. */
  #lastNoted = 0
  #isAny = false
  #isBeyond = false
  #isLate = false
  #steps = 0
  #columns = 0
  #settled = 0

  constructor(names: CellNames) {
    this.#names = names
  }

  /** Begins to go through the workbook. */
  begin(): void {
    this.#runs = noRuns()
    this.#written = { sheet: 0, row: 0 }
    this.#lastNoted = 0
    this.#isLate = false
    this.#steps = 0
    this.#columns = 0
  }

  /** Notes a cell that was replaced, or one in each row up to the last. */
  replaced(sheet: number, row: number, column: number, last = row): void {
    if (!this.#mark(sheet, column, row, last)) return
    const stretch = this.#pending.get(column)
    if (stretch?.sheet === sheet && stretch.to === row - 1) stretch.to = last
    else {
      if (stretch !== undefined) this.#queue.push(stretch)
      this.#pending.set(column, { sheet, column, from: row, to: last })
    }
  }

  /** Notes a formula. */
  formula(sheet: number, row: number, column: number, formula: WrittenFormula): void {
    this.#lastNoted = Math.max(this.#lastNoted, row)
    const { count, references, masters } = this.#runs
    const isMuch = count > most.runs || references > most.references || masters.size > most.masters
    if (isMuch && !this.#isBeyond) this.#goBeyond()
    if (this.#isBeyond) {
      const { row: last, column: toColumn } = endOf(row, column, formula)
      if (last > row || toColumn > column) this.#fill(sheet, column, toColumn, row, last)
      return
    }
    const run = runOf(this.#runs, { sheet, row, column }, formula, this.#names)
    if (this.#refersToFound(run)) this.#depends(run, run.last, run.last)
  }

  /** Works out what depends on what was noted so far, up to a row of a sheet, whose cells are about to be written. */
  settle(sheet: number, row: number): void {
    this.#settled++
    pushAll(this.#queue, this.#pending.values())
    this.#pending.clear()
    this.#drain()
    const before = this.#written.sheet === sheet ? this.#written.row : 0
    this.#written = { sheet, row: Math.max(before, row, this.#lastNoted) }
    this.#lastNoted = 0
  }

  /** Whether any cell was replaced. */
  hasAny(): boolean {
    return this.#isAny
  }

  /** Whether a cell with a formula depends on one that was replaced. */
  has(sheet: number, row: number, column: number): boolean {
    return this.#isBeyond ? this.#isAny : this.fills(sheet, row, column)
  }

  /** Whether a cell, or one in any row up to the last, may be one that the formula of another fills, which depends on one that was replaced. */
  fills(sheet: number, row: number, column: number, last = row): boolean {
    return meets(this.#found.get(sheet)?.get(column) ?? [], row, last)
  }

  /** Whether there may be such cells in rows of a sheet. */
  fillsRows(sheet: number, from: number, to: number): boolean {
    return this.#isAny && meets(this.#filled.get(sheet) ?? [], from, to)
  }

  /** Whether a cell that was written before turned out to depend on one that was replaced. */
  areUnfinished(): boolean {
    return this.#isLate && this.#isAny
  }

  #mark(sheet: number, column: number, from: number, to: number): boolean {
    const columns = this.#found.get(sheet) ?? new Map<number, Stretches>()
    const rows = columns.get(column) ?? []
    this.#found.set(sheet, columns.set(column, rows))
    return addRows(rows, from, to)
  }

  /** The same for cells with formulas, which may have been written already. */
  #markFormulas(stretch: Stretch): void {
    const { sheet, column, from, to } = stretch
    const { sheet: current, row } = this.#written
    const until = sheet < current ? to : sheet === current ? Math.min(to, row) : 0
    const isLate = from <= until && this.#mark(sheet, column, from, until)
    const isNew = this.#mark(sheet, column, from, to)
    this.#isLate ||= isLate
    if ((isLate || isNew) && !this.#isBeyond) this.#queue.push(stretch)
  }

  #fill(sheet: number, column: number, toColumn: number, from: number, to: number): void {
    this.#columns += toColumn - column + 1
    if (this.#columns > mostFilled)
      throw new EngineError('limit_exceeded', 'Formulas of the workbook fill too many cells')
    for (let of = column; of <= toColumn; of++) this.#markFormulas({ sheet, column: of, from, to })
    const rows = this.#filled.get(sheet) ?? []
    addRows(rows, from, to)
    this.#filled.set(sheet, rows)
  }

  #depends(run: Run, from: number, to: number): void {
    const { sheet, column, toColumn } = run
    const isWhole = run.isArray || run.times > often
    const [first, last] = isWhole ? [run.first, run.last] : [from, to]
    run.isDone = first === run.first && last === run.last
    if (run.isArray) this.#fill(sheet, column, toColumn, first, last)
    else this.#markFormulas({ sheet, column, from: first, to: last })
  }

  #goBeyond(): void {
    this.#isBeyond = true
    this.#isLate = true
    for (const run of this.#runs.arrays) if (!run.isDone) this.#depends(run, run.first, run.last)
    this.#runs = noRuns()
    this.#queue.length = 0
  }

  #drain(): void {
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (!this.#isAny) {
        this.#isAny = true
        for (const run of this.#runs.anywhere) this.#depends(run, run.first, run.last)
      }
      for (const runs of [this.#runs.byColumn.get(columnKey(next.sheet, next.column)), this.#runs.wide])
        for (const run of runs ?? []) {
          // One of which all rows depend is looked at again when another row is added to it.
          if (run.isDone) {
            runs!.delete(run)
            continue
          }
          this.#steps++
          this.#read(run, next)
        }
      if (this.#steps > most.steps) this.#goBeyond()
    }
  }

  /** Notes which rows of a run depend on rows of a column. */
  #read(run: Run, { sheet, column, from, to }: Stretch): void {
    for (const { first, last } of readers(run, sheet, column, from, to)) {
      run.times = run.settled === this.#settled ? run.times + 1 : 0
      run.settled = this.#settled
      this.#depends(run, first, last)
    }
  }

  /** Whether the last row of a run refers to cells that are known to be replaced or to depend on one. */
  #refersToFound(run: Run): boolean {
    if (!this.#isAny) return false
    const row = run.isArray ? run.first : run.last
    const isFound = (reference: NonNullable<Run['references']>[number]) => {
      const { first, last, from, to } = cellsOf(reference, row, run.column)
      const holds = (columns: ReadonlyMap<number, Stretches> | undefined) => {
        if (columns === undefined) return false
        if (last - first >= columns.size)
          return [...columns].some(([column, rows]) => column >= first && column <= last && meets(rows, from, to))
        for (let column = first; column <= last; column++) if (meets(columns.get(column) ?? [], from, to)) return true
        return false
      }
      const { sheet } = reference
      return sheet === undefined ? [...this.#found.values()].some(holds) : holds(this.#found.get(sheet))
    }
    return run.references?.some(isFound) ?? true
  }
}
