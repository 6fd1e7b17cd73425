import { comparisonsOf, subjectOf } from './operators/index.ts'
import type { Plan, PlannedRule } from './plan.ts'
import type { Comparison } from './surrogates/kinds.ts'

/** What a plan says of itself, before any file is read: nothing here knows a format. */

/** How the values of a job are compared that the surrogates of a plan must not be; none where it makes no such surrogates. */
export const comparedBy = ({ rules }: Plan): Comparison[] => [
  ...new Set(
    rules.flatMap(({ detection, replacement }) =>
      comparisonsOf(replacement, detection.type === 'AIMODEL' ? detection.entities : []),
    ),
  ),
]

/** The columns that a rule names, and its replacement; nothing where neither does. */
export function columnsNamed({ columns, replacement }: PlannedRule): string[] {
  const by = subjectOf(replacement)
  return [...(columns ?? []), ...(by && 'column' in by ? [by.column] : [])]
}

/** Whether a plan names columns, so that a table must have them. */
export const namesColumns = ({ rules, risk }: Plan): boolean =>
  risk !== undefined || rules.some(rule => columnsNamed(rule).length > 0)
