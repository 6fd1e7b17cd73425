import type { Plan } from 'anonymisation-engine'
import type { JobRecord } from '../../store/job-record.ts'
import { loadPlan } from '../../store/jobs.ts'
import { findRuleNames, type NamedRules, saveRuleNames } from '../../store/reviews.ts'

const namesIn = ({ rules }: Plan): NamedRules => rules.map(({ ruleId, name }) => ({ ruleId, name }))

/** Keeps how the rules are called that a job under review runs with, so that no snapshot has to be read for that. */
export const keepRuleNames = (jobId: string, plans: ReadonlyMap<string, Plan>): Promise<void> =>
  saveRuleNames(jobId, Object.fromEntries([...plans].map(([key, plan]) => [key, namesIn(plan)])))

/** How the rules of some snapshots of a job are called. */
export async function ruleNamesOf({ id }: JobRecord, planKeys: readonly string[]): Promise<NamedRules[]> {
  const kept = await findRuleNames(id)
  return Promise.all(planKeys.map(async key => kept[key] ?? namesIn(await loadPlan(key))))
}
