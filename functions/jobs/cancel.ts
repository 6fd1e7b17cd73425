import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { cancelJob } from '../../shared/jobs/cancel.ts'
import { findJob } from '../../shared/jobs/find.ts'
import { showJob } from '../../shared/jobs/show.ts'

export const handler = handle(jobs.cancel)(async ({ params, user }) =>
  showJob(await cancelJob(await findJob(params.job_id, user))),
)
