import { ProblemError } from '../../shared/api/problems.ts'
import { workflows } from '../../shared/api/workflows.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { excludedBy } from '../../shared/rules/resolve.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'
import { JOB } from '../../shared/store/jobs.ts'
import { findRecord } from '../../shared/store/records.ts'
import { removeUnreferenced } from '../../shared/store/references.ts'
import { RULE } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.delete)(async ({ params, user, write }) => {
  const workflow = await findOwned<WorkflowRecord>(WORKFLOW, params.workflow_id, user, 'workflows')
  const uses = async (jobId: string) => {
    const job = await findRecord<JobRecord>(JOB, jobId)
    if (!job || !['PENDING', 'IN_PROGRESS'].includes(job.status)) return 'never'
    return job.workflowId === workflow.id || (job.plan ?? []).some(({ workflowId }) => workflowId === workflow.id)
  }
  const used = [
    { kind: RULE, ids: workflow.config.rules.map(({ ruleId }) => ruleId) },
    { kind: LIST, ids: excludedBy(workflow.config) },
  ]
  const usedBy = await removeUnreferenced(WORKFLOW, workflow, uses, { used, write })
  if (usedBy.length > 0) throw new ProblemError({ type: 'in_use', msg: `Used by the open jobs ${usedBy.join(', ')}` })
  return { id: workflow.id, deleted: true as const }
})
