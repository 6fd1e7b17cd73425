import { notFound, ProblemError } from '../../api/problems.ts'
import { listAssets, objectOf } from '../../store/assets.ts'
import { abandonChunks } from '../../store/chunks.ts'
import { deleteItem, type Item, queryItems, type Transact, transact, type Write } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB } from '../../store/jobs.ts'
import { abortMultipart, deleteObjects } from '../../store/objects.ts'
import { untrack } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord, keyOf, removing } from '../../store/records.ts'
import { awaitedAssets, takeBackAwaited } from './within-quota.ts'

/** Assets that one request may erase by itself; more are left to the queue. */
const AT_ONCE = 100

/** Erases a job with its assets and their files. Refuses a job that is IN_PROGRESS (400). */
export async function eraseJob(job: JobRecord, write: Transact = transact): Promise<void> {
  if (job.status === 'IN_PROGRESS') throw new ProblemError({ type: 'job_in_progress' })
  // Sent first and late: should the rest fail half-way, the queue finishes it.
  await sendMessages('jobs', job.ownerId, [{ type: 'CLEAN', jobId: job.id, erase: true }], 60)
  const awaited = await awaitedAssets(job)
  const [removal, ...totals] = removing(JOB, job)
  const idle = {
    condition: 'attribute_exists(pk) AND #status <> :running',
    names: { '#status': 'status' },
    values: { ':running': 'IN_PROGRESS' },
  }
  if (!(await write([{ ...removal, condition: idle } as Write, ...totals]))) {
    throw (await findRecord(JOB, job.id)) ? new ProblemError({ type: 'job_in_progress' }) : notFound('job')
  }
  await takeBackAwaited(job, awaited)
  if (job.assetCount <= AT_ONCE) await eraseRemains(job.id)
}

/** Removes the files and rows of a job whose record is gone. May be called again. */
export async function eraseRemains(jobId: string): Promise<void> {
  await abandonChunks(jobId)
  for (const { uploadId, ...asset } of await listAssets(jobId)) {
    if (uploadId && asset.status !== 'READY') await abortMultipart(objectOf(asset), uploadId)
  }
  await deleteObjects('uploads', `${jobId}/`)
  await deleteObjects('results', `${jobId}/`)
  for await (const { pk, sk } of queryItems<Item>({ table: 'jobs', key: keyOf(JOB, jobId).pk })) {
    const assetId = /^(?:ASSET|OUTPUT)#(.+)$/.exec(sk)?.[1]
    if (assetId) await deleteItem('jobs', { pk: `ASSET#${assetId}`, sk: 'ASSET' })
    await deleteItem('jobs', { pk, sk })
  }
}

/**
 * Removes what a job leaves behind: everything once its record is gone, the outputs of one that was cancelled. A job
 * whose deletion never happened keeps everything.
 */
export async function cleanJob(jobId: string, erase: boolean): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, jobId)
  if (!job) return eraseRemains(jobId)
  if (erase || job.status !== 'CANCELLED') return
  await abandonChunks(jobId)
  await deleteObjects('results', `${jobId}/`)
  for await (const { pk, sk } of queryItems<Item>({ table: 'jobs', key: keyOf(JOB, jobId).pk, prefix: 'OUTPUT#' })) {
    await deleteItem('jobs', { pk: `ASSET#${sk.slice('OUTPUT#'.length)}`, sk: 'ASSET' })
    await deleteItem('jobs', { pk, sk })
  }
  await untrack('RUN', job)
}
