import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { copyJob } from '../../shared/jobs/lifecycle/copy-job.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'

export const handler = handle(jobs.copy)(async ({ params, user, ...recording }) => {
  const { job, assets } = await copyJob(await findJob(params.job_id, user), user, recording)
  return showJob(job, { assets })
})
