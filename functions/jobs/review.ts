import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { reviewAhead, showReviewed } from '../../shared/jobs/review/list-waiting.ts'
import { findReviewed } from '../../shared/jobs/review/review.ts'

export const handler = handle(jobs.review)(
  async ({ params, user }) => showReviewed(await findReviewed(params.job_id, user)),
  { ahead: ({ params }) => reviewAhead(params.job_id) },
)
