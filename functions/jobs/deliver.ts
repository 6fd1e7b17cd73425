import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { hasPermission } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { startDelivery } from '../../shared/jobs/deliver/delivery.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { findNamedSource } from '../../shared/sources/find.ts'

export const handler = handle(jobs.deliver)(async ({ params, body, user, write }) => {
  const job = await findJob(params.job_id, user)
  if (!hasPermission(user, 'sources:read')) {
    throw new ProblemError({ type: 'permission_denied', msg: 'This needs the permission sources:read' })
  }
  await startDelivery(job, await findNamedSource(body.sourceId, user), body, { write })
  return showJob(await findJob(job.id, user))
})
