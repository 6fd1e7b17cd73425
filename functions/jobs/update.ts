import { jobs } from '../../shared/api/jobs.ts'
import { Refusal } from '../../shared/api/problems.ts'
import { isVisible } from '../../shared/http/authorise.ts'
import type { Caller } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { changeJob } from '../../shared/store/jobs.ts'
import { findRecord } from '../../shared/store/records.ts'
import { noteUses } from '../../shared/store/references.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

/** How often a change is tried that others come before: each asset that is loaded, for one, changes its job. */
const ATTEMPTS = 10

export const handler = handle(jobs.update)(async ({ params, body, user }) => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const job = await findJob(params.job_id, user)
    if (job.status !== 'PENDING') break
    if (body.workflowId) await useWorkflow(body.workflowId, job.id, user)
    const changes = { ...body, revision: job.revision + 1 }
    const changed = await changeJob(job.id, changes, { status: ['PENDING'], revision: job.revision })
    if (changed) return showJob(changed)
  }
  throw new Refusal({ type: 'job_not_pending' })
})

async function useWorkflow(id: string, jobId: string, user: Caller): Promise<void> {
  const workflow = await findRecord<WorkflowRecord>(WORKFLOW, id)
  const visible = workflow && isVisible(user, 'workflows', workflow.ownerId)
  if (!visible || !(await noteUses(WORKFLOW, [workflow.id], jobId))) {
    throw new Refusal({ type: 'workflow_not_found', loc: ['body', 'workflowId'] })
  }
}
