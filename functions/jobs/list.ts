import { jobs } from '../../shared/api/jobs.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { summarise } from '../../shared/jobs/lifecycle/present-job.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'
import { JOB } from '../../shared/store/jobs.ts'
import { listRecords } from '../../shared/store/lists.ts'

export const handler = handle(jobs.list)(async call => {
  const page = await listRecords<JobRecord>(JOB, scopeOf(call.user, 'jobs'), call.page)
  return listed(call, page).map(summarise)
})
