import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { estimateJob } from '../../shared/jobs/estimate/estimate-job.ts'

export const handler = handle(jobs.estimate)(({ body, user }) => estimateJob(body, user))
