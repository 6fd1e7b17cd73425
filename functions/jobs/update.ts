import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { isVisible } from '../../shared/http/authorise.ts'
import type { Caller } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { checkPlan, findWorkflows } from '../../shared/jobs/lifecycle/workflows-of-job.ts'
import { newReview } from '../../shared/jobs/review/present-review.ts'
import { checkPreset } from '../../shared/rules/presets.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'
import { changeJob } from '../../shared/store/jobs.ts'
import { findRecord } from '../../shared/store/records.ts'
import { addReferences } from '../../shared/store/references.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

/** How often a change is tried that others come before: each asset that is loaded, for one, changes its job. */
const ATTEMPTS = 10

export const handler = handle(jobs.update)(async ({ params, body, user }) => {
  checkPreset(body.presetId)
  if (body.workflowId && body.presetId)
    throw new ProblemError({
      type: 'conflicting_values',
      msg: 'A job has a workflow or a preset, not both',
      loc: ['body', 'presetId'],
    })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const job = await findJob(params.job_id, user)
    if (job.status !== 'PENDING') break
    const { review, ...fields } = body
    await useWorkflows(body, job.id, user)
    await checkTogether({ ...job, ...onlyOne(fields) })
    const asked = review === undefined ? {} : { review: review === null ? null : newReview(review) }
    const changes = { ...onlyOne(fields), ...asked, revision: job.revision + 1 }
    const changed = await changeJob(job.id, changes, { status: ['PENDING'], revision: job.revision })
    if (changed) return showJob(changed)
  }
  throw new ProblemError({ type: 'job_not_pending' })
})

/** What is attached takes the place of what was. */
const onlyOne = <Body extends { workflowId?: string | null; presetId?: string | null }>(body: Body) => ({
  ...body,
  ...(body.workflowId && { presetId: null, presetVersion: null }),
  ...(body.presetId && { workflowId: null, presetVersion: null }),
})

type Attached = Pick<JobRecord, 'workflowId' | 'plan'>

/** Notes that the job uses the workflows that are named; refuses those that the caller can't see. */
async function useWorkflows({ workflowId, plan }: Partial<Attached>, jobId: string, user: Caller): Promise<void> {
  if (workflowId) await useWorkflow(workflowId, jobId, user, ['body', 'workflowId'])
  for (const [n, entry] of (plan ?? []).entries())
    await useWorkflow(entry.workflowId, jobId, user, ['body', 'plan', String(n), 'workflowId'])
}

async function useWorkflow(id: string, jobId: string, user: Caller, loc: string[]): Promise<void> {
  const workflow = await findRecord<WorkflowRecord>(WORKFLOW, id)
  const visible = workflow && isVisible(user, 'workflows', workflow.ownerId)
  if (!visible || !(await addReferences(WORKFLOW, [workflow.id], jobId))) {
    throw new ProblemError({ type: 'workflow_not_found', loc })
  }
}

/** Refuses workflows that would not serve one job, whichever of them is attached last. */
async function checkTogether(job: Attached): Promise<void> {
  if (job.plan) checkPlan(job.plan, await findWorkflows(job), ['body'])
}
