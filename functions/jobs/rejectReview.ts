import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { presentReview } from '../../shared/jobs/review/present-review.ts'
import { rejectReview } from '../../shared/jobs/review/review.ts'

export const handler = handle(jobs.rejectReview)(async ({ params, user, write }) => {
  const job = await rejectReview(params.job_id, user, write)
  return { id: job.id, status: job.status, review: presentReview(job)! }
})
