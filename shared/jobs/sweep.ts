import { log } from '../log.ts'
import { settings } from '../settings.ts'
import { changeAsset, listAssets, objectOf } from '../store/assets.ts'
import { findDelivery } from '../store/deliveries.ts'
import { JOB, type JobRecord } from '../store/jobs.ts'
import { abortMultipart } from '../store/objects.ts'
import { sendMessages } from '../store/queue.ts'
import { findRecord } from '../store/records.ts'
import { countSweep, dismiss, type Watched, watched } from '../store/watch.ts'
import { failDelivery } from './deliver.ts'
import { failJob } from './end.ts'

const HOUR = 3_600_000

/** How long announced files are waited for, and how long a job may go without any sign of life. */
const UPLOAD_MS = 24 * HOUR
const HOPELESS_MS = 24 * HOUR

/** Looks after every job that is under way: sends lost messages again, ends what can't go on any more. */
export async function sweep(now = Date.now()): Promise<void> {
  for await (const row of watched()) {
    const job = await findRecord<JobRecord>(JOB, row.jobId)
    if (!job) await dismiss(row)
    else if (row.kind === 'UPLOAD') await sweepUpload(row, job, now)
    else if (row.kind === 'DELIVERY') await sweepDelivery(row, job, now)
    else await sweepStalled(row, job, now)
  }
}

/**
 * A job without a sign of life is sent to the planner again, which sends what is still open; each time the wait
 * doubles, because a long queue is no sign of a loss.
 */
async function sweepStalled(row: Watched, job: JobRecord, now: number): Promise<void> {
  const { kind, jobId, since, sweeps } = row
  const open = kind === 'RUN' ? job.status === 'IN_PROGRESS' : job.status === 'PENDING'
  const silence = now - Date.parse(job.heartbeatAt ?? since)
  const stalled = settings().STALLED_SECONDS * 1000
  if (!open) {
    // The row is written before the job starts, so a fresh one may be right.
    if (now - Date.parse(since) > stalled) await dismiss(row)
  } else if (kind === 'RUN' && silence > HOPELESS_MS) {
    await failJob(jobId, { loc: [], msg: 'The job has made no progress for a day', type: 'timeout' })
  } else if (silence > stalled * 2 ** sweeps) {
    log.warn('job stalled', { jobId, kind, sweeps })
    await countSweep(row)
    await sendMessages('jobs', job.ownerId, [{ type: kind === 'RUN' ? 'PLAN' : 'PLAN_LOAD', jobId }])
  }
}

/** A delivery without a sign of life is planned again, as a job is. */
async function sweepDelivery(row: Watched, job: JobRecord, now: number): Promise<void> {
  const { jobId, since, sweeps } = row
  const deliveryId = row.deliveryId!
  const delivery = await findDelivery(jobId, deliveryId)
  const silence = now - Date.parse(delivery?.heartbeatAt ?? since)
  const stalled = settings().STALLED_SECONDS * 1000
  if (delivery?.status !== 'IN_PROGRESS') {
    if (now - Date.parse(since) > stalled) await dismiss(row)
  } else if (silence > HOPELESS_MS) {
    const msg = 'The delivery has made no progress for a day'
    await failDelivery(jobId, deliveryId, { loc: [], msg, type: 'timeout' })
  } else if (silence > stalled * 2 ** sweeps) {
    await countSweep(row)
    await sendMessages('jobs', job.ownerId, [{ type: 'PLAN_DELIVERY', jobId, deliveryId }])
  }
}

/** Files that were announced and never came: their assets fail, and the parts that did come are let go. */
async function sweepUpload(row: Watched, job: JobRecord, now: number): Promise<void> {
  const { jobId, since } = row
  const late = now - Date.parse(since) > UPLOAD_MS
  if (job.status === 'PENDING' && !late) return
  for (const asset of await listAssets(jobId)) {
    if (asset.status !== 'UPLOADING') continue
    if (asset.uploadId) await abortMultipart(objectOf(asset), asset.uploadId)
    const error = { loc: [], msg: 'The file was announced and never uploaded', type: 'timeout' }
    await changeAsset(asset, { status: 'FAILED', errors: [error] })
  }
  await dismiss(row)
}
