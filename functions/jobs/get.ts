import { jobs } from '../../shared/api/jobs.ts'
import { hasPermission } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'

export const handler = handle(jobs.get)(async ({ params, user, note }) => {
  const job = await showJob(await findJob(params.job_id, user), { urls: hasPermission(user, 'assets:read') })
  note({ disclosed: job.result?.assets.some(({ url }) => url !== null) })
  return job
})
