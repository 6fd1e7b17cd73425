import { columnMatcher } from './detect/columns.ts'
import { EngineError } from './errors.ts'
import type { Plan } from './plan.ts'
import { checkRiskColumns } from './risk/measure.ts'

/** What the columns of a table without header row are called, as many as any program writes. */
const numbers = Array.from({ length: 16_384 }, (_, column) => String(column + 1))

/** Refuses a plan that names columns which a table has not (`invalid_workflow`), with the names of those that it has. */
export function checkColumns(plan: Plan, columns: readonly string[]): void {
  if (plan.risk && columns.length > 0) checkRiskColumns(plan.risk, columns)
  const names = columns.length > 0 ? columns : numbers
  for (const { columns: wanted, ruleId, name } of plan.rules) {
    for (const pattern of wanted ?? []) {
      if (names.some(columnMatcher([pattern]))) continue
      const list =
        columns.length > 0 ? `it has ${columns.join(', ')}` : 'it has no header row, so its columns are 1, 2, 3, ...'
      throw new EngineError('invalid_workflow', `Rule «${name}»: the table has no column ${pattern}; ${list}`, [
        'rules',
        ruleId,
      ])
    }
  }
}
