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
import { failJob } from '../lifecycle/finish-job.ts'

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

/** Releases a job, once as many persons as it asks for have done so: its files are then made with what was decided. */
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
  const changed: ReviewRecord = { ...review, approvals, ...(isLast && { state: 'released' as const }) }
  if (!(await changeReview(job, changed, isLast ? { heartbeatAt: at } : {}, write)))
    throw new ProblemError({ type: 'review_changed' })
  // Should this fail, the sweeper sends it.
  if (isLast) await sendMessages('jobs', job.ownerId, [{ type: 'PLAN', jobId: id }])
  return getJob(id)
}

/** Ends a job whose proposals are rejected: it FAILS, and nothing of it is made. */
export async function rejectReview(id: string, user: Caller, write: Transact): Promise<JobRecord & Item> {
  const job = await findReviewed(id, user)
  const review = requireWaiting(job)
  if (!(await changeReview(job, { ...review, state: 'rejected' }, {}, write)))
    throw new ProblemError({ type: 'review_changed' })
  await endWithout(job, { type: 'review_rejected', msg: 'The review rejected the job' })
  return getJob(id)
}

/** Ends the job if the time of its review is over. */
export async function expireReview(job: JobRecord, now: number): Promise<void> {
  const { review } = job
  if (review?.state !== 'waiting' || !isOver(review, now)) return
  if (!(await changeReview(job, { ...review, state: 'expired' }))) return
  await endWithout(job, { type: 'review_expired', msg: 'Nobody released the job in time' })
}

const endWithout = ({ id }: JobRecord, error: { type: string; msg: string }): Promise<void> =>
  failJob(id, { ...error, loc: [] })
