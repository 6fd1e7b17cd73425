import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { isVisible } from '../../shared/http/authorise.ts'
import type { Caller } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob, shownAssets } from '../../shared/jobs/lifecycle/present-job.ts'
import { checkPlan, findWorkflows } from '../../shared/jobs/lifecycle/workflows-of-job.ts'
import { newReview } from '../../shared/jobs/review/present-review.ts'
import { together } from '../../shared/jobs/together.ts'
import { checkPreset } from '../../shared/rules/presets.ts'
import type { Transact } from '../../shared/store/dynamo.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'
import { changingJob } from '../../shared/store/jobs.ts'
import { findRecord } from '../../shared/store/records.ts'
import { writeUsing } from '../../shared/store/references.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

/** How often a change is tried that others come before: each asset that is loaded, for one, changes its job. */
const ATTEMPTS = 10

export const handler = handle(jobs.update)(async ({ params, body, user, write }) => {
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
    // Read once, so that what is tried again is written as soon as the job was read.
    const [used, assets] = await together([visibleWorkflows(body, user), attempt === 0 && shownAssets(job.id)])
    await checkTogether({ ...job, ...onlyOne(fields) })
    const asked = review === undefined ? {} : { review: review === null ? null : newReview(review) }
    const changed = await change(job, { ...onlyOne(fields), ...asked }, { used, write })
    if (changed) return showJob(changed, assets ? { assets } : {})
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

/** Workflows that the job is to use, and how each is refused. */
type Used = Parameters<typeof writeUsing>[1]

/** The workflows that are named; refuses those that the caller can't see. */
async function visibleWorkflows({ workflowId, plan }: Partial<Attached>, user: Caller): Promise<Used> {
  const named = [
    ...(workflowId ? [{ id: workflowId, loc: ['body', 'workflowId'] }] : []),
    ...(plan ?? []).map(({ workflowId: id }, n) => ({ id, loc: ['body', 'plan', String(n), 'workflowId'] })),
  ]
  const found = await Promise.all(named.map(({ id }) => findRecord<WorkflowRecord>(WORKFLOW, id)))
  return named.map(({ id, loc }, n) => {
    const otherwise = new ProblemError({ type: 'workflow_not_found', loc })
    if (!found[n] || !isVisible(user, 'workflows', found[n].ownerId)) throw otherwise
    return { kind: WORKFLOW, ids: [id], otherwise }
  })
}

/** Changes a job as it was read, and notes with it which workflows it uses; undefined when others came before. */
async function change(
  job: JobRecord,
  fields: Partial<JobRecord>,
  { used, write }: { used: Used; write: Transact },
): Promise<JobRecord | undefined> {
  const { revision } = job
  const changes = { ...fields, revision: revision + 1 }
  const { after, write: changing } = changingJob(job, changes, { status: ['PENDING'], revision })
  return (await writeUsing(job.id, used, [changing], write)) ? after : undefined
}

/** Refuses workflows that would not serve one job, whichever of them is attached last. */
async function checkTogether(job: Attached): Promise<void> {
  if (job.plan) checkPlan(job.plan, await findWorkflows(job), ['body'])
}
