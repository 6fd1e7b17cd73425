import type { KeyObject } from 'node:crypto'
import { EngineError } from '../errors.ts'
import type { Edit, Input, Output, Segment } from '../formats/format.ts'
import { suppressed } from '../operators/suppress.ts'
import type { Plan, RiskPlan } from '../plan.ts'
import { type ClassTree, createTally } from './equivalence-classes.ts'
import { createRecords, sheetOf } from './record-assembler.ts'

/** Most records of a table whose classes must keep a bound: each is remembered. */
const maxRecords = 5_000_000

/** Rows to suppress, by sheet. */
export type Rows = Map<string, Set<number>>

/** One pass of editing, as the measure of risk sees it. */
export type RiskPass = {
  /** The edits of a cell that is to be suppressed whatever the rules say; undefined for all others. */
  suppress(segment: Segment): Edit[] | undefined
  /** Takes a segment with its text after editing. */
  add(segment: Segment, edited: string): void
  /** Writes out what is held once it is much; called between batches. */
  relieve(): Promise<void>
  /** Ends the pass and gives its tally. */
  end(): Promise<Input>
  /** The rows of the records of some classes. */
  rowsOf(classes: ReadonlySet<string>): Rows
}

const suppress =
  ({ quasiIdentifiers }: RiskPlan, rows: Rows | undefined): RiskPass['suppress'] =>
  ({ text, before, place }) => {
    const { kind, column, row } = place
    if (!rows || kind !== 'cell' || row === undefined || column === undefined) return undefined
    if (!quasiIdentifiers.includes(column) || !rows.get(sheetOf(place))?.has(row)) return undefined
    return [{ start: 0, end: text.length, text: before === undefined ? suppressed : '' }]
  }

/** A pass that suppresses and counts nothing, to find out what will change. */
export const suppressingOnly = (risk: RiskPlan, rows: Rows): Pick<RiskPass, 'suppress' | 'add' | 'relieve'> => ({
  suppress: suppress(risk, rows),
  add() {},
  async relieve() {},
})

/** By quasi-identifier: what its values stand for, where a rule generalises the column by a hierarchy. */
function leavesOf({ rules }: Plan, { quasiIdentifiers }: RiskPlan): (ClassTree | undefined)[] {
  return quasiIdentifiers.map(column => {
    for (const { columns, replacement } of rules) {
      if (!columns?.includes(column) || !('generalise' in replacement) || !('hierarchy' in replacement.generalise))
        continue
      const { level, rows } = replacement.generalise.hierarchy
      const counts = new Map<string, number>()
      const groups: number[] = []
      const numbers = new Map<string, number>()
      for (const row of rows) {
        const value = row[level] ?? suppressed
        counts.set(value, (counts.get(value) ?? 0) + 1)
        if (!numbers.has(value)) numbers.set(value, numbers.size)
        groups.push(numbers.get(value)!)
      }
      const index = new Map(rows.map(([value], n) => [value!, n]))
      return { of: value => counts.get(value ?? '') ?? rows.length, index, groups }
    }
    return undefined
  })
}

/** Starts a pass that counts the records of a table into `target`; those in `rows` are suppressed. */
export function createRiskPass(
  plan: Plan & { risk: RiskPlan },
  secret: KeyObject,
  target: { output: Output; input(): Promise<Input> },
  { rows, columns }: { rows?: Rows; columns?: readonly string[] },
): RiskPass {
  const { risk } = plan
  const tally = createTally(risk, secret.export().toString('hex'), target.output, leavesOf(plan, risk))
  const classes: string[] = []
  const places: { sheet: string; row: number }[] = []
  const records = createRecords(risk, (before, after, place) => {
    const name = tally.add(before, after)
    if (!risk.require || rows) return
    if (classes.length >= maxRecords) {
      throw new EngineError('limit_exceeded', `Suppressing records is limited to tables of ${maxRecords} records`, [
        'risk',
      ])
    }
    classes.push(name)
    places.push(place)
  })
  return {
    suppress: suppress(risk, rows),
    add: records.add,
    relieve: tally.relieve,
    async end() {
      records.end()
      await tally.end([...new Set([...(columns ?? []), ...records.seen])])
      return target.input()
    },
    rowsOf(wanted) {
      const found: Rows = new Map()
      classes.forEach((name, index) => {
        if (!wanted.has(name)) return
        const { sheet, row } = places[index]!
        const known = found.get(sheet)
        if (known) known.add(row)
        else found.set(sheet, new Set([row]))
      })
      return found
    },
  }
}
