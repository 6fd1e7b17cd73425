import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { executeJob } from '../../shared/jobs/execute.ts'
import { findJob } from '../../shared/jobs/find.ts'
import { showJob } from '../../shared/jobs/show.ts'

export const handler = handle(jobs.execute)(async ({ params, user }) => {
  const job = await findJob(params.job_id, user)
  return showJob(await executeJob(job.id, user))
})
