import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { presentReview } from '../../shared/jobs/review/present-review.ts'
import { releaseReview } from '../../shared/jobs/review/review.ts'

export const handler = handle(jobs.release)(async ({ params, body, user, write }) => {
  const job = await releaseReview(params.job_id, body.version, user, write)
  return { id: job.id, status: job.status, review: presentReview(job)! }
})
