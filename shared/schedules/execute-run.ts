import { ProblemError } from '../api/problems.ts'
import type { JobError } from '../api/results.ts'
import type { Caller } from '../http/caller.ts'
import { cancelJob } from '../jobs/lifecycle/cancel-job.ts'
import { executeJob } from '../jobs/lifecycle/execute-job.ts'
import { removeFile } from '../jobs/lifecycle/remove-file.ts'
import { workflowIdsOf } from '../jobs/lifecycle/workflows-of-job.ts'
import { roomExceeded } from '../jobs/load/room.ts'
import { type AssetRecord, listAssets, removeAssets } from '../store/assets.ts'
import type { JobRecord } from '../store/job-record.ts'
import { changeJob, getJob, JOB } from '../store/jobs.ts'
import { findRecord } from '../store/records.ts'
import { addReferences } from '../store/references.ts'
import { giveBack, park } from '../store/schedule-entries.ts'
import { changeRun, type RunRecord } from '../store/schedule-runs.ts'
import type { ScheduleRecord } from '../store/schedules.ts'
import { WORKFLOW } from '../store/workflows.ts'
import { checkProcessing } from './check.ts'
import { errorOf, failRun, finishRun } from './end.ts'
import { ownerAsCaller } from './owner.ts'

/** Executes the job of a run once all of it is loaded; what cannot be processed is parked first. */
export async function executeLoaded(loaded: RunRecord, schedule: ScheduleRecord): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, loaded.jobId!)
  if (!job) return failRun(loaded, schedule, gone, 'park')
  if (job.status !== 'PENDING') return void (await changeRun(loaded, { step: 'executing' }))
  const assets = await listAssets(job.id)
  if (assets.some(({ status }) => status === 'LOADING')) return
  const failed = assets.filter(({ status }) => status === 'FAILED')
  const run = await noteQuota(loaded, failed)
  if (!run) return
  await parkAssets(
    run,
    failed,
    ({ errors = [] }) => errors[0] ?? { loc: [], msg: 'It was not loaded', type: 'internal' },
  )
  try {
    const caller = await ownerAsCaller(schedule)
    await checkProcessing(schedule, caller)
    await attach(job.id, schedule)
    await execute(run, schedule, caller)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await cancelJob(job)
    const mayBeAllowed = error.detail[0]!.type === 'permission_denied'
    await failRun(run, schedule, errorOf(error), mayBeAllowed ? 'giveBack' : 'park')
  }
}

/** What is said of a run whose job somebody has deleted. */
export const gone: JobError = { loc: [], msg: 'The job of the run was deleted', type: 'not_found' }

const isForAnotherDay = ({ errors = [] }: AssetRecord): boolean => errors[0]?.type === 'quota_exceeded'

/** A run that says so where the quota of the owner has left something for another day; undefined when it has gone on. */
const noteQuota = async (run: RunRecord, failed: readonly AssetRecord[]): Promise<RunRecord | undefined> =>
  failed.some(isForAnotherDay) ? changeRun(run, { errors: [errorOf(roomExceeded())] }) : run

/**
 * Parks assets, or gives back what only the quota of the owner was too small for, and removes them from their job, which is
 * PENDING.
 */
async function parkAssets(
  run: RunRecord,
  assets: readonly AssetRecord[],
  reason: (asset: AssetRecord) => JobError,
): Promise<void> {
  for (const asset of assets) {
    if (isForAnotherDay(asset)) await giveBack(run, asset.sourceName!)
    else await park(run, asset.sourceName!, reason(asset))
  }
  await removeAssets(run.jobId!, [...assets])
  for (const asset of assets) await removeFile(asset)
}

/** Gives the job of a run what it is processed by. */
async function attach(jobId: string, { workflowId, presetId, plan }: ScheduleRecord): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, jobId)
  if (!job || job.workflowId || job.presetId || job.plan) return
  const ids = workflowIdsOf({ workflowId, plan })
  if (!(await addReferences(WORKFLOW, ids, jobId))) throw new ProblemError({ type: 'workflow_not_found' })
  const { revision } = job
  await changeJob(jobId, { workflowId, presetId, plan, revision: revision + 1 }, { status: ['PENDING'], revision })
}

/** Refusals that are over later. */
const passing: readonly string[] = ['too_many_running', 'job_not_pending']

/** Executes a job, without the assets that its workflows cannot process, as long as some are left. */
async function execute(run: RunRecord, schedule: ScheduleRecord, caller: Caller): Promise<void> {
  const jobId = run.jobId!
  for (;;) {
    const assets = new Map((await listAssets(jobId)).map(asset => [asset.id, asset]))
    if (assets.size === 0) {
      await cancelJob((await findRecord<JobRecord>(JOB, jobId))!)
      return finishRun(run, schedule, {})
    }
    try {
      await executeJob(await getJob(jobId), caller)
      await changeRun(run, { step: 'executing' })
      return
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      if (passing.includes(error.detail[0]!.type)) return
      const refused = new Map(
        error.detail.flatMap(({ loc: [what, id], ...detail }) =>
          what === 'assets' ? [[id!, { ...detail, loc: [] }]] : [],
        ),
      )
      const unfit = [...assets.values()].filter(({ id }) => refused.has(id))
      if (unfit.length === 0) throw error
      await parkAssets(run, unfit, ({ id }) => refused.get(id)!)
    }
  }
}
