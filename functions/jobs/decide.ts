import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { presentReview } from '../../shared/jobs/review/present-review.ts'
import { findReviewed } from '../../shared/jobs/review/review.ts'
import { takeDecisions } from '../../shared/jobs/review/take-decisions.ts'
import { keyedDigest } from '../../shared/store/keys.ts'

export const handler = handle(jobs.decide)(
  async ({ params, body, user, note, write }) => {
    note({ subject: (await keyedDigest('review', JSON.stringify(body))).slice(0, 32) })
    const job = await takeDecisions(await findReviewed(params.job_id, user), body, user, write)
    return { id: job.id, review: presentReview(job)! }
  },
  { tellsSubject: true },
)
