import type { NewReview, Review } from '../../api/reviews.ts'
import type { JobRecord } from '../../store/job-record.ts'
import type { ReviewRecord } from '../../store/review-record.ts'
import { roundOf } from '../../store/reviews.ts'

/** A review that was asked for. */
export const newReview = ({ approvers, expiresInDays }: NewReview): ReviewRecord => ({
  ...{ approvers, expiresInDays },
  ...{ state: 'requested', deadline: null, version: 0, approvals: [], changes: 0 },
})

/** The review that a job is executed with: of what was asked for of the job itself and by its workflows, the strictest. */
export function reviewOf(
  { review, mode }: JobRecord,
  byWorkflows: readonly (NewReview | undefined)[],
): ReviewRecord | undefined {
  const asked = [review, ...byWorkflows].filter(one => one != null)
  if (mode === 'INSPECT' || asked.length === 0) return undefined
  const approvers = Math.max(...asked.map(one => one.approvers))
  const expiresInDays = Math.min(...asked.map(one => one.expiresInDays))
  return { ...newReview({ approvers, expiresInDays }), state: 'preparing' }
}

/** A review as callers see it. */
export const presentReview = ({ review, gone = 0 }: JobRecord): Review | null =>
  review ? { ...review, round: roundOf({ review }), gone } : null
