import { Refusal } from '../api/problems.ts'
import { changeJob, getJob, type JobRecord } from '../store/jobs.ts'
import { sendMessages } from '../store/queue.ts'
import { notifyEnd } from './end.ts'

/**
 * Cancels a job at once; again is fine. Workers notice within two seconds and their late results don't count; what
 * they have stored is removed through the queue. Refuses a job that has finished (400).
 */
export async function cancelJob(job: JobRecord): Promise<JobRecord> {
  const finishedAt = new Date().toISOString()
  const cancelled = await changeJob(job.id, { status: 'CANCELLED', finishedAt }, { status: ['PENDING', 'IN_PROGRESS'] })
  if (cancelled) {
    await sendMessages('jobs', job.ownerId, [{ type: 'CLEAN', jobId: job.id, erase: false }])
    await notifyEnd(cancelled)
    return cancelled
  }
  const current = await getJob(job.id)
  if (current.status !== 'CANCELLED') throw new Refusal({ type: 'job_finished', msg: `The job is ${current.status}` })
  return current
}
