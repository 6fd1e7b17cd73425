import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { eraseJob } from '../../shared/jobs/lifecycle/erase-job.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'

export const handler = handle(jobs.delete)(async ({ params, user, write }) => {
  const job = await findJob(params.job_id, user)
  await eraseJob(job, write)
  return { id: job.id, deleted: true as const }
})
