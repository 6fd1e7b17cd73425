import { jobs } from '../../shared/api/jobs.ts'
import { Refusal } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { isVisible } from '../../shared/http/owned.ts'
import { findJob } from '../../shared/jobs/find.ts'
import { showJob } from '../../shared/jobs/show.ts'
import { changeJob } from '../../shared/store/jobs.ts'
import { findRecord } from '../../shared/store/records.ts'
import { noteUses } from '../../shared/store/uses.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(jobs.update)(async ({ params, body, user }) => {
  const job = await findJob(params.job_id, user)
  if (body.workflowId) {
    const workflow = await findRecord<WorkflowRecord>(WORKFLOW, body.workflowId)
    const visible = workflow && isVisible(user, 'workflows', workflow.ownerId)
    if (!visible || !(await noteUses(WORKFLOW, [workflow.id], job.id))) {
      throw new Refusal({ type: 'workflow_not_found', loc: ['body', 'workflowId'] })
    }
  }
  const changes = { ...body, revision: job.revision + 1 }
  const changed = await changeJob(job.id, changes, { status: ['PENDING'], revision: job.revision })
  if (!changed) throw new Refusal({ type: 'job_not_pending' })
  return showJob(changed)
})
