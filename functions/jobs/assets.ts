import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { listAssets } from '../../shared/store/assets.ts'

export const handler = handle(jobs.assets)(async call => {
  const job = await findJob(call.params.job_id, call.user)
  return listed(call, pageOf(await listAssets(job.id), call.page))
})
