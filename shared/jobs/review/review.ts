import { notFound, ProblemError } from '../../api/problems.ts'
import { isVisible } from '../../http/authorise.ts'
import { type Caller, hasPermission } from '../../http/caller.ts'
import type { Item, Transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { getJob, JOB } from '../../store/jobs.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import type { ReviewRecord } from '../../store/review-record.ts'
import { changeReview } from '../../store/reviews.ts'
import { endingOf, failJob } from '../lifecycle/finish-job.ts'

/** A job under review, for its owner and for all who review; another's answers as if it were not there (404). */
export async function findReviewed(id: string, user: Caller): Promise<JobRecord & Item> {
  const job = await findRecord<JobRecord & Item>(JOB, id)
  const mayReview = hasPermission(user, 'jobs:review') && Boolean(job?.review)
  if (!job || !(mayReview || isVisible(user, 'jobs', job.ownerId))) throw notFound('job')
  return job
}

/** Whether a job waits for its review, and its time is not over. */
export const isWaiting = ({ status, review }: JobRecord): boolean =>
  status === 'IN_PROGRESS' && review?.state === 'waiting' && !isOver(review)

/** The review of a job, while it waits and its time is not over (400 otherwise). */
export function requireWaiting(job: JobRecord): ReviewRecord {
  const { status, review } = job
  if (isWaiting(job)) return review!
  const state = review && status === 'IN_PROGRESS' ? review.state : status
  throw new ProblemError({ type: 'not_in_review', msg: `The job is ${state}` })
}

const isOver = ({ deadline }: ReviewRecord, now = Date.now()): boolean =>
  deadline !== null && Date.parse(deadline) <= now

/**
 * Releases a job, once as many persons as it asks for have done so: its files are then made with what was decided, unless the
 * program has changed since.
 */
export async function releaseReview(
  id: string,
  version: number,
  user: Caller,
  write: Transact,
): Promise<JobRecord & Item> {
  const job = await findReviewed(id, user)
  const review = requireWaiting(job)
  if (review.version !== version) throw new ProblemError({ type: 'review_changed', loc: ['body', 'version'] })
  if (review.approvals.some(({ userId }) => userId === user.id)) throw new ProblemError({ type: 'already_decided' })
  const at = new Date().toISOString()
  const approvals = [...review.approvals, { userId: user.id, at }]
  const isLast = approvals.length >= review.approvers
  const changed: ReviewRecord = { ...review, approvals, ...(isLast && { state: 'releasing' as const }) }
  if (!(await changeReview(job, changed, isLast ? { changes: { heartbeatAt: at } } : {}, write)))
    throw new ProblemError({ type: 'review_changed' })
  // Should this fail, the sweeper sends it.
  if (isLast) await sendMessages('jobs', job.ownerId, [{ type: 'PLAN', jobId: id }])
  return getJob(id)
}

/** Ends a job whose proposals are rejected: it FAILS, and nothing of it is made. */
export async function rejectReview(id: string, user: Caller, write: Transact): Promise<JobRecord & Item> {
  const job = await findReviewed(id, user)
  const review = requireWaiting(job)
  if (!(await endWithout(job, { ...review, state: 'rejected' }, write)))
    throw new ProblemError({ type: 'review_changed' })
  return getJob(id)
}

/** Whether a review is open, or should have ended its job. */
export const isUnreleased = ({ review }: JobRecord): boolean =>
  review?.state === 'waiting' || review?.state === 'rejected' || review?.state === 'expired'

/** Ends a job whose review has not released it: one that was rejected before, or one whose time is over. */
export async function endUnreleased(job: JobRecord, now: number): Promise<void> {
  const { id, review } = job
  if (review?.state === 'rejected' || review?.state === 'expired') await failJob(id, endings[review.state])
  else if (review?.state === 'waiting' && isOver(review, now)) await endWithout(job, { ...review, state: 'expired' })
}

/** Why a job fails that was not released. */
const endings = {
  rejected: { loc: [], type: 'review_rejected', msg: 'The review rejected the job' },
  expired: { loc: [], type: 'review_expired', msg: 'Nobody released the job in time' },
}

/** Ends a job and its review by one stroke; false when somebody has changed it since it was read. */
async function endWithout(
  job: JobRecord,
  review: ReviewRecord & { state: keyof typeof endings },
  write?: Transact,
): Promise<boolean> {
  const { changes, writes, follow } = endingOf(job, 'FAILED', [endings[review.state]])
  if (!(await changeReview(job, review, { changes, with: writes }, write))) return false
  await follow()
  return true
}
