import { listAssets } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import { assetsWithMarks, findsValues, hasFoundValues, isLookedThrough } from '../../store/found-values.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { assetsWithResult, JOB } from '../../store/jobs.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { assetsWithProposals, isHeldBack } from '../../store/reviews.ts'
import { endIfDone } from './finish-job.ts'

/** Has a running job shared out, after a look at its tables where the workflow names columns. Again is fine. */
export async function planJob(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status !== 'IN_PROGRESS') return
  // Files that were looked through for their values had their columns.
  if (!job.namesColumns || hasFoundValues(job)) return fanOut(job)
  await heartbeat(jobId)
  await sendMessages('work', job.ownerId, [{ type: 'CHECK', jobId }])
}

/**
 * Sends one message for each asset of a running job that has no result yet; where its values must be known before, for each
 * in which they were not looked for. Again is fine.
 */
export async function fanOut(job: JobRecord): Promise<void> {
  const { id: jobId, ownerId } = job
  if (job.review?.state === 'releasing') return sendMessages('work', ownerId, [{ type: 'CONFIRM', jobId }])
  // What waits for a review is gone on with when it is released.
  if (isHeldBack(job)) return
  const finds = findsValues(job)
  const assets = await listAssets(jobId)
  const ids = (finds ? assets.filter(asset => isLookedThrough(job, asset)) : assets).map(({ id }) => id)
  const finished = await assetsWithResult(jobId, ids)
  const made = await madeBefore(job, ids)
  const open = ids.filter(id => !finished.has(id) && !made.has(id))
  await heartbeat(jobId)
  await sendMessages(
    'work',
    ownerId,
    open.map(assetId => ({ type: 'ANONYMISE', jobId, assetId })),
  )
  if (open.length > 0) return
  if (finds) await sendMessages('work', ownerId, [{ type: 'UNITE', jobId }])
  else await endIfDone(jobId)
}

/** Which assets have what comes before their results. */
async function madeBefore(job: JobRecord, ids: string[]): Promise<Set<string>> {
  if (job.review?.state === 'preparing') return assetsWithProposals(job, ids)
  return findsValues(job) ? assetsWithMarks(job.id, ids) : new Set()
}
