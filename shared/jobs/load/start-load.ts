import type { AssetRecord } from '../../store/assets.ts'
import type { Transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { createJob } from '../../store/jobs.ts'
import { trackOpen } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'

/** Creates a job whose assets are LOADING, and has them loaded. */
export async function startLoad(job: JobRecord, assets: AssetRecord[], write?: Transact): Promise<void> {
  await trackOpen('LOAD', job)
  await createJob(job, assets, write)
  await sendMessages('jobs', job.ownerId, [{ type: 'PLAN_LOAD', jobId: job.id }])
}
