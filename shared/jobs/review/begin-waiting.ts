import type { JobRecord } from '../../store/job-record.ts'
import { notify } from '../../store/notifications.ts'
import { changeReview } from '../../store/reviews.ts'

const DAY = 24 * 3_600_000

/** Opens the review of a job for which all is proposed; of several callers one does. */
export async function beginWaiting(job: JobRecord): Promise<void> {
  const { id, ownerId, name, review } = job
  const deadline = new Date(Date.now() + review!.expiresInDays * DAY).toISOString()
  if (!(await changeReview(job, { ...review!, state: 'waiting', deadline }))) return
  await notify(ownerId, { kind: 'review.waiting', resource: { type: 'job', id }, name })
}
