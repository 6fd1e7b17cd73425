import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { progressOf } from '../../shared/jobs/lifecycle/progress.ts'

export const handler = handle(jobs.status)(async ({ params, user }) => {
  const job = await findJob(params.job_id, user)
  return { id: job.id, status: job.status, progress: progressOf(job) }
})
