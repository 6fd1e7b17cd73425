import type { NewReview, Review, ReviewState } from '../api/reviews.ts'

/** A review as it is stored with its job. */
export type ReviewRecord = NewReview & {
  state: ReviewState
  deadline: string | null
  version: number
  approvals: Review['approvals']
  /** Counts all changes, those without decisions too. */
  changes: number
  /** How often everything was proposed anew, because the program or a model had changed. */
  round?: number
  /** The object with the decisions, if any were taken. */
  decisions?: string
}
