import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { executeJob } from '../../shared/jobs/lifecycle/execute-job.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'

export const handler = handle(jobs.execute)(async ({ params, user, write }) => {
  const { job, assets } = await executeJob(await findJob(params.job_id, user), user, write)
  return showJob(job, { assets })
})
