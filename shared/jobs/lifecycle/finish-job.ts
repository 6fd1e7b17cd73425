import type { JobError } from '../../api/results.ts'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import type { Item, Transact } from '../../store/dynamo.ts'
import { eraseFound, hasFoundValues } from '../../store/found-values.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { changeJobWith, JOB } from '../../store/jobs.ts'
import { announce, type Event, telling } from '../../store/notifications.ts'
import { untrackingRun } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { eraseReview } from '../../store/reviews.ts'
import { isCertified } from '../certificate/certified.ts'
import { beginWaiting } from '../review/begin-waiting.ts'
import { together } from '../together.ts'

const KINDS = { SUCCEEDED: 'job.succeeded', FAILED: 'job.failed', CANCELLED: 'job.cancelled' } as const

/**
 * Ends a job whose assets all have a result, opens the review of one whose assets all have proposals, and goes on with one
 * whose tables have all been looked through; nothing happens while some are missing or when it has ended before. Answers the status that the job had.
 */
export async function endIfDone(jobId: string): Promise<JobRecord['status'] | undefined> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status === 'IN_PROGRESS' && job.done + job.failed >= job.assetCount) {
    await endJob(job, job.failed > 0 ? 'FAILED' : 'SUCCEEDED')
  } else if (isProposed(job)) await beginWaiting(job!)
  else if (job?.status === 'IN_PROGRESS' && hasFoundValues(job)) {
    // Not all who may end a job have the queue for work.
    await sendMessages('jobs', job.ownerId, [{ type: 'PLAN', jobId }])
  } else if (job) await eraseWorking(job)
  return job?.status
}

/**
 * Removes the values that a job which has ended was still working with, as far as there are any. Whoever is late, or handles a
 * message that came twice, may have written some when they had been removed before.
 */
export async function eraseWorking({ id, status, review, values }: JobRecord): Promise<void> {
  if (status !== 'SUCCEEDED' && status !== 'FAILED') return
  if (review) await eraseReview(id)
  if (values) await eraseFound(id)
}

/** Whether all that a review is to decide on is proposed. */
const isProposed = (job: JobRecord | undefined): boolean =>
  job?.status === 'IN_PROGRESS' &&
  job.review?.state === 'preparing' &&
  (job.proposed ?? 0) + job.failed >= job.assetCount

/** Ends a job that can't go on, with the reasons. */
export async function failJob(jobId: string, ...errors: JobError[]): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status === 'IN_PROGRESS') await endJob(job, 'FAILED', { errors })
}

/** What is told of the end of a job. */
function eventOf({ id, name, assetCount, done, failed, findings }: JobRecord, status: keyof typeof KINDS): Event {
  const counts = { assets: assetCount, succeeded: done, failed, findings }
  return { kind: KINDS[status], resource: { type: 'job', id }, name, counts }
}

/** What ends a job: the changes of its record, the writes that go with them, and what follows once they are made. */
export function endingOf(job: JobRecord, status: keyof typeof KINDS, errors?: JobError[]) {
  const { id, ownerId, startedAt, restores } = job
  const changes = { status, errors, finishedAt: new Date().toISOString() }
  const event = eventOf(job, status)
  const follow = async () => {
    const seconds = startedAt ? (Date.parse(changes.finishedAt) - Date.parse(startedAt)) / 1000 : 0
    log.info('job ended', { jobId: id, status, seconds })
    measure({ Jobs: 1, JobSeconds: Math.max(0, seconds) }, { outcome: status })
    for (const { type } of errors ?? []) measure({ Failures: 1 }, { type })
    await together([
      announce(ownerId, event),
      // What a cancelled job leaves is removed by the queue.
      eraseWorking({ ...job, status }),
      // Should this fail, the certificate is made when it is first asked for.
      isCertified({ status, restores }) && sendMessages('jobs', ownerId, [{ type: 'CERTIFY', jobId: id }]),
    ])
  }
  return { changes, writes: [...telling(ownerId, event), untrackingRun(job)], follow }
}

/**
 * Ends a job, tells its owner and lets the sweeper forget it, all or nothing. Of several callers one ends it; false when it has ended before. Only
 * a cancellation ends a job that has not been started.
 */
export async function endJob(
  job: JobRecord,
  status: keyof typeof KINDS,
  { errors, write }: { errors?: JobError[]; write?: Transact } = {},
): Promise<boolean> {
  const from = status === 'CANCELLED' ? (['PENDING', 'IN_PROGRESS'] as const) : (['IN_PROGRESS'] as const)
  const { changes, writes: others, follow } = endingOf(job, status, errors)
  if (!(await changeJobWith(job.id, changes, { status: [...from] }, others, write))) return false
  await follow()
  return true
}
