import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { cancelJob } from '../../shared/jobs/lifecycle/cancel-job.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'

export const handler = handle(jobs.cancel)(async ({ params, user, write }) =>
  showJob(await cancelJob(await findJob(params.job_id, user), write)),
)
