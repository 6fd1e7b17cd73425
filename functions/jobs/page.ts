import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showPage } from '../../shared/jobs/review/list-proposals.ts'
import { findReviewed } from '../../shared/jobs/review/review.ts'
import { proposalsAhead } from '../../shared/store/reviews.ts'

export const handler = handle(jobs.page)(
  async ({ params, query, user }) => showPage(await findReviewed(params.job_id, user), query.assetId, query.page),
  { ahead: ({ params, query }) => proposalsAhead(params.job_id, { only: query.assetId }) },
)
