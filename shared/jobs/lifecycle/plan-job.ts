import { listAssets } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { assetsWithResult, JOB } from '../../store/jobs.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { assetsWithProposals } from '../../store/reviews.ts'
import { endIfDone } from './finish-job.ts'

/** Has a running job shared out, after a look at its tables where the workflow names columns. Again is fine. */
export async function planJob(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status !== 'IN_PROGRESS') return
  if (!job.namesColumns) return fanOut(job)
  await heartbeat(jobId)
  await sendMessages('work', job.ownerId, [{ type: 'CHECK', jobId }])
}

/** Sends one message for each asset of a running job that has no result yet. Again is fine. */
export async function fanOut({ id: jobId, ownerId, review }: JobRecord): Promise<void> {
  const ids = (await listAssets(jobId)).map(({ id }) => id)
  // What waits for a review is gone on with when it is released.
  if (review?.state === 'waiting') return
  const finished = await assetsWithResult(jobId, ids)
  const proposed = review?.state === 'preparing' ? await assetsWithProposals(jobId, ids) : new Set()
  const open = ids.filter(id => !finished.has(id) && !proposed.has(id))
  await heartbeat(jobId)
  await sendMessages(
    'work',
    ownerId,
    open.map(assetId => ({ type: 'ANONYMISE', jobId, assetId })),
  )
  if (open.length === 0) await endIfDone(jobId)
}
