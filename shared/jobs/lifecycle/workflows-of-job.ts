import { ProblemError } from '../../api/problems.ts'
import type { AssetRecord } from '../../store/assets.ts'
import { entryFor } from '../../store/job-plan.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { findRecord } from '../../store/records.ts'
import { WORKFLOW, type WorkflowRecord } from '../../store/workflows.ts'

type Attached = Pick<JobRecord, 'workflowId' | 'plan'>

/** The ids of all workflows that a job names. */
export const workflowIdsOf = ({ workflowId, plan }: Attached): string[] => [
  ...new Set([...(workflowId ? [workflowId] : []), ...(plan ?? []).map(entry => entry.workflowId)]),
]

/** The workflows that a job names and that there still are, by their ids. */
export async function findWorkflows(job: Attached): Promise<Map<string, WorkflowRecord>> {
  const found = await Promise.all(workflowIdsOf(job).map(id => findRecord<WorkflowRecord>(WORKFLOW, id)))
  return new Map(found.flatMap(workflow => (workflow ? [[workflow.id, workflow]] : [])))
}

/**
 * Refuses workflows that can't serve one job (400 `plan_mismatch`): those of different projects, because one scope
 * reaches over all of its assets, and those named for assets of a type that they don't support. `place` is where the plan
 * stands in what is refused.
 */
export function checkPlan(
  plan: NonNullable<JobRecord['plan']>,
  workflows: ReadonlyMap<string, WorkflowRecord>,
  place: readonly string[],
): void {
  const wrong = plan.flatMap(({ match, workflowId }, n) => {
    const supported = workflows.get(workflowId)?.supportedAssetType
    if (!match.type || !supported || match.type === supported) return []
    const loc = [...place, 'plan', String(n), 'match', 'type']
    return [{ type: 'plan_mismatch' as const, msg: `The workflow is for ${supported}`, loc }]
  })
  if (wrong.length > 0) throw new ProblemError(wrong)
  const projects = new Set(
    [...workflows.values()].map(({ ownerId, config: { project } }) => project && `${ownerId}:${project}`),
  )
  if (projects.size < 2) return
  const msg = 'All workflows of a job must have the same project, or none'
  throw new ProblemError({ type: 'plan_mismatch', msg, loc: [...place, 'plan'] })
}

/** Which workflow each asset of a job falls under: what an asset of a plan without one falls under is undefined. */
export const workflowFor = (
  { plan, workflowId }: Attached,
  asset: Pick<AssetRecord, 'type' | 'name'>,
  workflows: ReadonlyMap<string, WorkflowRecord>,
): WorkflowRecord | undefined => workflows.get(entryFor(plan, asset)?.workflowId ?? workflowId ?? '')
