import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { presentDecisions } from '../../shared/jobs/review/list-proposals.ts'
import { findReviewed, requireWaiting } from '../../shared/jobs/review/review.ts'
import { loadDecisions } from '../../shared/store/reviews.ts'

export const handler = handle(jobs.decisions)(async ({ params, user }) => {
  const job = await findReviewed(params.job_id, user)
  const { version } = requireWaiting(job)
  return { version, decisions: presentDecisions(await loadDecisions(job)) }
})
