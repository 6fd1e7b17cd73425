import { ProblemError } from '../api/problems.ts'
import type { JobError } from '../api/results.ts'
import { startDelivery } from '../jobs/deliver/delivery.ts'
import { findNamedSource } from '../sources/find.ts'
import { findDelivery, listDelivered } from '../store/deliveries.ts'
import { idFrom } from '../store/ids.ts'
import type { JobRecord } from '../store/job-record.ts'
import { JOB, listResults, type ResultRecord } from '../store/jobs.ts'
import { findRecord } from '../store/records.ts'
import { giveBack, listTaken, park, type Taken } from '../store/schedule-entries.ts'
import { changeRun, type RunRecord } from '../store/schedule-runs.ts'
import type { ScheduleRecord } from '../store/schedules.ts'
import { failRun, finishRun } from './end.ts'
import { gone } from './execute-run.ts'
import { ownerAsCaller } from './owner.ts'
import { assetIdOf } from './take.ts'

const all = Number.POSITIVE_INFINITY
const failed: JobError = { loc: [], msg: 'It could not be processed', type: 'internal' }

/** Has the results of a run's job delivered once it has ended, and parks what failed in it. */
export async function deliverResults(run: RunRecord, schedule: ScheduleRecord): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, run.jobId!)
  if (!job) return failRun(run, schedule, gone, 'park')
  if (job.finishedAt === null) return
  const results = job.status === 'CANCELLED' ? [] : await listResults(job.id, all)
  await settleFailures(run, job, results)
  const succeeded = results.filter(({ status }) => status === 'SUCCEEDED').length
  const { deliver } = schedule
  if (!deliver || succeeded === 0 || job.mode === 'INSPECT') return finishRun(run, schedule, { succeeded })
  const deliveryId = idFrom('delivery', run.id)
  if (!(await findDelivery(job.id, deliveryId))) {
    const caller = await ownerAsCaller(schedule)
    const target = await findNamedSource(deliver.sourceId, caller)
    try {
      await startDelivery(job, target, { ...deliver, place: 'copy' }, { id: deliveryId })
    } catch (error) {
      // Somebody delivers the job elsewhere: it is tried again later.
      if (error instanceof ProblemError && error.detail[0]!.type === 'delivery_in_progress') return
      throw error
    }
  }
  await changeRun(run, { step: 'delivering', deliveryId, counts: { ...run.counts, succeeded } })
}

/** Parks what failed in a job. Of one that failed as a whole, what is not to blame is given back. */
async function settleFailures(run: RunRecord, job: JobRecord, results: readonly ResultRecord[]): Promise<void> {
  const byAsset = new Map(results.map(result => [result.assetId, result]))
  const blamed = new Map((job.errors ?? []).flatMap(error => (error.assetId ? [[error.assetId, error]] : [])))
  const why = job.errors?.[0] ?? { loc: [], msg: 'The job was cancelled', type: 'job_cancelled' }
  await eachOpen(run, async (name, id) => {
    const result = byAsset.get(id)
    if (result?.status === 'SUCCEEDED') return
    if (result) return park(run, name, result.errors[0] ?? failed)
    if (blamed.size > 0 && !blamed.has(id)) return giveBack(run, name)
    await park(run, name, blamed.get(id) ?? why)
  })
}

/** Does something about everything that a run took and of which nothing has been said yet. */
async function eachOpen(run: RunRecord, act: (name: string, assetId: string) => Promise<void>): Promise<void> {
  const open = (await listTaken(run.id)).filter(({ outcome }: Taken) => !outcome)
  for (const { name } of open) await act(name, assetIdOf(run.jobId!, name))
}

/** Ends a run whose delivery has ended, and parks what could not be delivered. */
export async function endDelivered(run: RunRecord, schedule: ScheduleRecord): Promise<void> {
  const delivery = await findDelivery(run.jobId!, run.deliveryId!)
  if (!delivery) return failRun(run, schedule, gone, 'park')
  if (delivery.status === 'IN_PROGRESS') return
  const outcomes = new Map(
    (await listDelivered(run.jobId!, delivery.id, all)).map(outcome => [outcome.assetId, outcome]),
  )
  const why = delivery.errors[0] ?? { loc: [], msg: 'The delivery was cancelled', type: 'delivery_cancelled' }
  await eachOpen(run, async (name, id) => {
    const outcome = outcomes.get(id)
    if (outcome?.status !== 'SUCCEEDED') await park(run, name, outcome?.errors[0] ?? why)
  })
  const { succeeded } = run.counts
  await finishRun(run, schedule, { succeeded, delivered: delivery.done })
}
