import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listProposals, pageOfProposalsAhead } from '../../shared/jobs/review/list-proposals.ts'
import { findReviewed } from '../../shared/jobs/review/review.ts'

export const handler = handle(jobs.proposals)(
  async ({ params, query, page, user }) =>
    listProposals(await findReviewed(params.job_id, user), query.assetId, page.after),
  { ahead: ({ params, query, page }) => pageOfProposalsAhead(params.job_id, query.assetId, page.after) },
)
