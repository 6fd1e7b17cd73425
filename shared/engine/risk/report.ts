import { EngineError } from '../errors.ts'
import type { Input } from '../formats/format.ts'
import type { RiskPlan } from '../plan.ts'
import { measure, type RiskFigures } from './measure.ts'
import type { RiskPass, Rows } from './risk-pass.ts'

/** How identifiable a table is, before and after. Holds names of columns and numbers, no content. */
export type MeasuredRisk = {
  quasiIdentifiers: string[]
  sensitive: string[]
  threshold: number
  before: RiskFigures
  after: RiskFigures
}

/** What came of one pass: the figures, and the rows that must go first where there are some. */
export type Measured = { tally: Input; figures?: MeasuredRisk; rows?: Rows }

/** The figures from the tallies of a table, one for each of its chunks. */
export async function figuresOfTallies(
  plan: RiskPlan,
  tallies: readonly Input[],
  found?: (key: string, count: number) => void,
): Promise<MeasuredRisk> {
  const { quasiIdentifiers, sensitive, threshold } = plan
  return { quasiIdentifiers, sensitive, threshold, ...(await measure(tallies, plan, found)) }
}

/**
 * Measures what a pass has counted. Where classes break what the workflow requires, answers the rows that are to be
 * suppressed in another pass, after which (`before` it) none may be left. Throws `limit_exceeded` when they are too many.
 */
export async function measureRisk(plan: RiskPlan, pass: RiskPass, chunk: boolean, first?: Measured): Promise<Measured> {
  const tally = await pass.end()
  if (chunk) return { tally }
  const broken = new Set<string>()
  let records = 0
  const figures = await figuresOfTallies(plan, [tally], (key, count) => {
    broken.add(key)
    records += count
  })
  if (broken.size === 0) {
    const classes = first?.figures?.after.utility.discernibility
    if (classes !== undefined) figures.after.utility.discernibility = classes
    return { tally, figures }
  }
  if (first) throw new EngineError('internal', 'Records that were to be suppressed are still there')
  const most = Math.floor((plan.require?.suppressAtMost ?? 0) * figures.after.records)
  if (records > most) {
    const why = `${records} of ${figures.after.records} records break what the workflow requires, it lets ${most} be suppressed`
    throw new EngineError('limit_exceeded', why, ['risk', 'require'])
  }
  return { tally, figures, rows: pass.rowsOf(broken) }
}
