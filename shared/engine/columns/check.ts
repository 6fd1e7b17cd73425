import { EngineError } from '../errors.ts'
import type { Format, FormatContext, Input } from '../formats/format.ts'
import { registry, sniff } from '../formats/index.ts'
import { defaultLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import { columnsNamed } from '../plan-facts.ts'
import { checkRiskColumns } from '../risk/measure.ts'
import { columnMatcher } from './match.ts'

/** What the columns of a table without header row are called, as many as any program writes. */
const numbers = Array.from({ length: 16_384 }, (_, column) => String(column + 1))

/** Refuses a plan that names columns which a table has not (`invalid_workflow`), with the names of those that it has. */
export function checkColumns(plan: Plan, columns: readonly string[]): void {
  if (plan.risk && columns.length > 0) checkRiskColumns(plan.risk, columns)
  const names = columns.length > 0 ? columns : numbers
  for (const rule of plan.rules) {
    const { ruleId, name } = rule
    for (const pattern of columnsNamed(rule)) {
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

/**
 * Looks whether a table has the columns that a plan names, reading no more of it than that needs. Gives the error if it has
 * not; nothing if it has, or if only reading all of it, as anonymising does first, can tell.
 */
export async function missingColumns({
  input,
  plan,
  options = {},
  signal,
}: {
  input: Input
  plan: Plan
  options?: Record<string, unknown>
  signal: AbortSignal
}): Promise<EngineError | undefined> {
  try {
    const format = await sniff(input)
    if (format.type !== 'TABLE') return undefined
    const context: FormatContext = { registry, limits: defaultLimits, signal, options }
    const first = await format.names?.(input, context)
    if (first && lacks(plan, first.columns) === undefined) return undefined
    const columns = first?.whole ? first.columns : await columnsByOpening(format, input, context)
    return columns && lacks(plan, columns)
  } catch (error) {
    // What is wrong with the file itself is named when it is worked on.
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}

/** The error of a plan that names columns which are not among these. */
function lacks(plan: Plan, columns: readonly string[]): EngineError | undefined {
  try {
    checkColumns(plan, columns)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  return undefined
}

async function columnsByOpening(format: Format, input: Input, context: FormatContext): Promise<string[] | undefined> {
  const file = await format.open(input, context)
  try {
    return file.choices?.columns as string[] | undefined
  } finally {
    await file.close()
  }
}
