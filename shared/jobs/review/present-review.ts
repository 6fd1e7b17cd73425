import type { NewReview, Review } from '../../api/reviews.ts'
import type { JobRecord } from '../../store/job-record.ts'
import type { ReviewRecord } from '../../store/review-record.ts'

/** A review that was asked for. */
export const newReview = ({ approvers, expiresInDays }: NewReview): ReviewRecord => ({
  ...{ approvers, expiresInDays },
  ...{ state: 'requested', deadline: null, version: 0, approvals: [], changes: 0 },
})

/** A review as callers see it. */
export const presentReview = ({ review }: JobRecord): Review | null => review ?? null
