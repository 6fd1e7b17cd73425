import type { JobError } from '../api/results.ts'
import type { Item } from '../store/dynamo.ts'
import { changeJobWith, JOB, type JobRecord } from '../store/jobs.ts'
import { notifying } from '../store/notifications.ts'
import { findRecord } from '../store/records.ts'
import { unwatch } from '../store/watch.ts'

const KINDS = { SUCCEEDED: 'job.succeeded', FAILED: 'job.failed', CANCELLED: 'job.cancelled' } as const

/** Ends a job whose assets all have a result; nothing happens while some are missing or when it has ended before. */
export async function endIfDone(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status !== 'IN_PROGRESS' || job.done + job.failed < job.assetCount) return
  await endJob(job, job.failed > 0 ? 'FAILED' : 'SUCCEEDED')
}

/** Ends a job that can't go on, with the reason. */
export async function failJob(jobId: string, error: JobError): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status === 'IN_PROGRESS') await endJob(job, 'FAILED', [error])
}

/**
 * Ends a job and tells its owner, both or neither. Of several callers one ends it; false when it has ended before. Only
 * a cancellation ends a job that has not been started.
 */
export async function endJob(
  { id, ownerId, name }: JobRecord,
  status: keyof typeof KINDS,
  errors?: JobError[],
): Promise<boolean> {
  const from = status === 'CANCELLED' ? (['PENDING', 'IN_PROGRESS'] as const) : (['IN_PROGRESS'] as const)
  const changes = { status, errors, finishedAt: new Date().toISOString() }
  const telling = notifying(ownerId, { kind: KINDS[status], resource: { type: 'job', id }, name })
  const ended = await changeJobWith(id, changes, { status: [...from] }, [telling])
  await unwatch('RUN', id)
  return ended
}
