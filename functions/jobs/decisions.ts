import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listDecisions } from '../../shared/jobs/review/list-proposals.ts'
import { findReviewed, requireWaiting } from '../../shared/jobs/review/review.ts'

export const handler = handle(jobs.decisions)(async ({ params, user }) => {
  const job = await findReviewed(params.job_id, user)
  const { version } = requireWaiting(job)
  return { version, decisions: await listDecisions(job) }
})
