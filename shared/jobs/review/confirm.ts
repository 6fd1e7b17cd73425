import { EngineError } from 'anonymisation-engine'
import { fetchModels } from '../../models/fetch.ts'
import { listAssets } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import type { EngineFacts } from '../../store/evidence.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { getJob, JOB, loadPlan, planKeyOf, planKeysOf } from '../../store/jobs.ts'
import { findRecord } from '../../store/records.ts'
import type { ReviewRecord } from '../../store/review-record.ts'
import { changeReview, isProposedBy, proposalsOf, roundOf } from '../../store/reviews.ts'
import { fanOut } from '../lifecycle/plan-job.ts'
import { engineFacts } from '../worker/engine-facts.ts'

/**
 * Goes on with a job that was released. Where its files would be made by another program or model than what was proposed, nothing
 * is made: everything is proposed anew, and the job waits for its release again. Again is fine.
 */
export async function confirmRelease(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status !== 'IN_PROGRESS' || job.review?.state !== 'releasing') return
  await heartbeat(jobId)
  const isSame = await isProposedAsMade(job)
  const review: ReviewRecord = isSame ? { ...job.review, state: 'released' } : inNextRound(job.review)
  const heartbeatAt = new Date().toISOString()
  const changes = { heartbeatAt, ...(!isSame && { proposed: 0, gone: 0 }) }
  if (await changeReview(job, review, { changes })) await fanOut(await getJob(jobId))
}

/** Whoever released it has to do so again, in the version that is to come. */
const inNextRound = (review: ReviewRecord): ReviewRecord => ({
  ...review,
  ...{ state: 'preparing', deadline: null, approvals: [] },
  ...{ version: review.version + 1, round: roundOf({ review }) + 1 },
})

/** Whether everything was proposed by what would make the files now. */
async function isProposedAsMade(job: JobRecord): Promise<boolean> {
  const engines = await enginesOf(job)
  if (!engines) return false
  const assets = new Map((await listAssets(job.id)).map(asset => [asset.id, asset]))
  for await (const proposed of proposalsOf(job)) {
    const asset = assets.get(proposed.assetId)
    if (asset && !isProposedBy(proposed, engines.get(planKeyOf(job, asset))!)) return false
  }
  return true
}

/** What this worker makes outputs with, by the snapshots of a job; undefined when a model of them can't be had. */
async function enginesOf(job: JobRecord): Promise<Map<string, EngineFacts> | undefined> {
  const engines = new Map<string, EngineFacts>()
  try {
    for (const key of planKeysOf(job)) {
      const plan = await loadPlan(key)
      await fetchModels(plan)
      engines.set(key, await engineFacts(plan))
    }
  } catch (error) {
    // The assets that need it fail, and say so.
    if (error instanceof EngineError) return undefined
    throw error
  }
  return engines
}
