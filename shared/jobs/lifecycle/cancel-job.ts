import { ProblemError } from '../../api/problems.ts'
import type { Transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { getJob } from '../../store/jobs.ts'
import { sendMessages } from '../../store/queue.ts'
import { cancelDelivery } from '../deliver/delivery.ts'
import { endJob } from './finish-job.ts'
import { awaitedAssets, takeBackAwaited } from './within-quota.ts'

/**
 * Cancels a job at once, or, once it has finished, the delivery of its results; again is fine. Workers notice within two seconds and their late results don't count; what
 * they have stored is removed through the queue. Refuses a job that has finished (400).
 */
export async function cancelJob(job: JobRecord, write?: Transact): Promise<JobRecord> {
  const awaited = await awaitedAssets(job)
  if (await endJob(job, 'CANCELLED', { write })) await takeBackAwaited(job, awaited)
  const current = await getJob(job.id)
  if (current.status !== 'CANCELLED' && (await cancelDelivery(current))) return getJob(job.id)
  if (current.status !== 'CANCELLED')
    throw new ProblemError({ type: 'job_finished', msg: `The job is ${current.status}` })
  await sendMessages('jobs', job.ownerId, [{ type: 'CLEAN', jobId: job.id, erase: false }])
  return current
}
