import type { JobError } from '../api/results.ts'
import { changeJob, getJob, type JobRecord } from '../store/jobs.ts'
import { notify } from '../store/notifications.ts'
import { unwatch } from '../store/watch.ts'

const KINDS = { SUCCEEDED: 'job.succeeded', FAILED: 'job.failed', CANCELLED: 'job.cancelled' } as const

/** Ends a job whose assets all have a result; nothing happens while some are missing or when it has ended before. */
export async function endIfDone(jobId: string): Promise<void> {
  const job = await getJob(jobId)
  if (job.status !== 'IN_PROGRESS' || job.done + job.failed < job.assetCount) return
  await end(jobId, { status: job.failed > 0 ? 'FAILED' : 'SUCCEEDED' })
}

/** Ends a job that can't go on, with the reason. */
export const failJob = (jobId: string, error: JobError): Promise<void> =>
  end(jobId, { status: 'FAILED', errors: [error] })

/** One of several callers ends the job; a job that has been cancelled meanwhile stays so. */
async function end(jobId: string, changes: Pick<JobRecord, 'status' | 'errors'>): Promise<void> {
  const ended = await changeJob(
    jobId,
    { ...changes, finishedAt: new Date().toISOString() },
    { status: ['IN_PROGRESS'] },
  )
  if (ended) await notifyEnd(ended)
  await unwatch('RUN', jobId)
}

/** Tells the owner how a job ended. */
export const notifyEnd = ({ id, ownerId, name, status }: JobRecord): Promise<void> =>
  notify(ownerId, { kind: KINDS[status as keyof typeof KINDS], resource: { type: 'job', id }, name })
