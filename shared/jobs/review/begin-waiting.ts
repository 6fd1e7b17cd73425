import type { JobRecord } from '../../store/job-record.ts'
import { announce, telling } from '../../store/notifications.ts'
import { changeReview, inRound } from '../../store/reviews.ts'

const DAY = 24 * 3_600_000

/** Opens the review of a job for which all is proposed and tells its owner, both or neither; of several callers one does. */
export async function beginWaiting(job: JobRecord): Promise<void> {
  const { id, ownerId, name, review, assetCount, failed } = job
  const deadline = new Date(Date.now() + review!.expiresInDays * DAY).toISOString()
  const counts = { assets: assetCount, failed }
  const occasion = inRound(job, '')
  const event = { kind: 'review.waiting', resource: { type: 'job', id }, name, counts, occasion } as const
  const waiting = { ...review!, state: 'waiting' as const, deadline }
  if (await changeReview(job, waiting, { with: telling(ownerId, event) })) await announce(ownerId, event)
}
