import { ANNOUNCED_SECONDS } from '../../api/bounds.ts'
import { describeFailure } from '../../failure.ts'
import { log } from '../../log.ts'
import { settings } from '../../settings.ts'
import { type AssetRecord, failUpload, listAssets, objectOf } from '../../store/assets.ts'
import { findDelivery } from '../../store/deliveries.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB } from '../../store/jobs.ts'
import { abortMultipart, deleteObjects, listObjects } from '../../store/objects.ts'
import { countSweep, type OpenWork, openWork, untrackFound } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { failDelivery } from '../deliver/delivery.ts'
import { endUnreleased, isUnreleased } from '../review/review.ts'
import { failJob } from './finish-job.ts'

const HOUR = 3_600_000

/** When files that nobody waits for any more are looked for first: by then the URLs of single files have expired. */
const STRAY_MS = HOUR / 3
/** How long a job may go without any sign of life. */
const HOPELESS_MS = 24 * HOUR

/**
 * Looks after every job that is under way: sends lost messages again, ends what can't go on any more. What fails with one holds up no
 * other, and is thrown in the end.
 */
export async function sweep(now = Date.now()): Promise<void> {
  let failure: unknown
  for await (const row of openWork()) {
    try {
      await sweepOne(row, now)
    } catch (error) {
      log.error('job not looked after', { jobId: row.jobId, kind: row.kind, failure: describeFailure(error) })
      failure ??= error
    }
  }
  if (failure) throw failure
}

async function sweepOne(row: OpenWork, now: number): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, row.jobId)
  if (row.kind === 'UPLOAD') await sweepUpload(row, job, now)
  else if (!job) await untrackFound(row)
  else if (row.kind === 'DELIVERY') await sweepDelivery(row, job, now)
  else await sweepStalled(row, job, now)
}

/**
 * A job without a sign of life is sent to the planner again, which sends what is still open; each time the wait
 * doubles, because a long queue is no sign of a loss.
 */
async function sweepStalled(row: OpenWork, job: JobRecord, now: number): Promise<void> {
  const { kind, jobId, since, sweeps } = row
  const open = kind === 'RUN' ? job.status === 'IN_PROGRESS' : job.status === 'PENDING'
  const silence = now - Date.parse(job.heartbeatAt ?? since)
  const stalled = settings().STALLED_SECONDS * 1000
  if (!open) {
    // The row is written before the job starts, so a fresh one may be right.
    if (now - Date.parse(since) > stalled) await untrackFound(row)
  } else if (isUnreleased(job)) {
    await endUnreleased(job, now)
  } else if (kind === 'RUN' && silence > HOPELESS_MS) {
    await failJob(jobId, { loc: [], msg: 'The job has made no progress for a day', type: 'timeout' })
  } else if (silence > stalled * 2 ** sweeps) {
    log.warn('job stalled', { jobId, kind, sweeps })
    await countSweep(row)
    await sendMessages('jobs', job.ownerId, [{ type: kind === 'RUN' ? 'PLAN' : 'PLAN_LOAD', jobId }])
  }
}

/** A delivery without a sign of life is planned again, as a job is. */
async function sweepDelivery(row: OpenWork, job: JobRecord, now: number): Promise<void> {
  const { jobId, since, sweeps } = row
  const deliveryId = row.deliveryId!
  const delivery = await findDelivery(jobId, deliveryId)
  const silence = now - Date.parse(delivery?.heartbeatAt ?? since)
  const stalled = settings().STALLED_SECONDS * 1000
  if (delivery?.status !== 'IN_PROGRESS') {
    if (now - Date.parse(since) > stalled) await untrackFound(row)
  } else if (silence > HOPELESS_MS) {
    const msg = 'The delivery has made no progress for a day'
    await failDelivery(jobId, deliveryId, { loc: [], msg, type: 'timeout' })
  } else if (silence > stalled * 2 ** sweeps) {
    await countSweep(row)
    await sendMessages('jobs', job.ownerId, [{ type: 'PLAN_DELIVERY', jobId, deliveryId }])
  }
}

/**
 * Files that were announced and never came: their assets fail, and the parts that did come are let go. What comes after
 * its asset was removed, or its job erased, is removed: an upload that began before its URL expired may last, so that is
 * looked for until a day is over, each time after twice as long.
 */
async function sweepUpload(row: OpenWork, job: JobRecord | undefined, now: number): Promise<void> {
  const age = now - Date.parse(row.since)
  const late = age > ANNOUNCED_SECONDS * 1000
  const assets = job ? await listAssets(job.id) : []
  if (job && (job.status !== 'PENDING' || late)) await failUploads(assets)
  if (!late && age < STRAY_MS * 2 ** row.sweeps) return
  await removeStrays(row.jobId, assets)
  await (late ? untrackFound(row) : countSweep(row))
}

async function failUploads(assets: AssetRecord[]): Promise<void> {
  for (const asset of assets) {
    if (asset.status !== 'UPLOADING') continue
    if (asset.uploadId) await abortMultipart(objectOf(asset), asset.uploadId)
    await failUpload(asset, [{ loc: [], msg: 'The file was announced and never uploaded', type: 'timeout' }])
  }
}

/** Removes the files of a job that belong to none of its assets. */
async function removeStrays(jobId: string, assets: AssetRecord[]): Promise<void> {
  const kept = new Set(assets.flatMap(({ id, status }) => (status === 'FAILED' ? [] : [id])))
  const prefix = `${jobId}/`
  for await (const { key } of listObjects('uploads', prefix, Number.POSITIVE_INFINITY)) {
    if (!kept.has(key.slice(prefix.length).split('.')[0]!)) await deleteObjects('uploads', key)
  }
}
