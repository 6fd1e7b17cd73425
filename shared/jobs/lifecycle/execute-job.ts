import { type AssetType, namesColumns } from 'anonymisation-engine'
import { ProblemError, type ProblemType } from '../../api/problems.ts'
import type { Caller } from '../../http/caller.ts'
import { measure } from '../../metrics.ts'
import { namedPreset } from '../../rules/presets.ts'
import { settings } from '../../settings.ts'
import { type AssetRecord, listAssets } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { changeJob, getJob, savePlan } from '../../store/jobs.ts'
import { countRunning, trackOpen } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { WORKFLOW, type WorkflowRecord } from '../../store/workflows.ts'
import { provideJobKeys } from '../../tokens/job-keys.ts'
import { reviewOf } from '../review/present-review.ts'
import { completeUploads } from './complete-uploads.ts'
import { freezeLists } from './freeze-lists.ts'
import { inspecting, planOf, presetPlan } from './plan-of-workflow.ts'

/**
 * Starts a job: freezes its workflow and rules, moves it from PENDING to IN_PROGRESS and hands it to the planner. The
 * move is conditional on what was checked, so neither a second call nor a change in between gets through.
 */
export async function executeJob(id: string, user: Caller): Promise<JobRecord & Item> {
  await completeUploads(id)
  const job = await getJob(id)
  if (job.status !== 'PENDING') throw new ProblemError({ type: 'job_not_pending', msg: `The job is ${job.status}` })
  await checkShare(job.ownerId)
  const workflow = job.workflowId ? await findRecord<WorkflowRecord>(WORKFLOW, job.workflowId) : undefined
  const preset = job.presetId ? namedPreset(job.presetId) : undefined
  if (!workflow && !preset) throw new ProblemError({ type: 'workflow_required' })
  const assets = await listAssets(id)
  checkAssets(assets, workflow?.supportedAssetType)
  const whole = workflow ? await planOf(workflow, user) : presetPlan(preset!)
  const plan = await freezeLists(id, job.revision, job.mode === 'INSPECT' ? inspecting(whole) : whole)
  const tokenKeys = await provideJobKeys(job.ownerId, plan, workflow?.config.project)
  const planKey = await savePlan(id, job.revision, plan)
  const bytes = assets.reduce((sum, { size }) => sum + (size ?? 0), 0)
  await trackOpen('RUN', job)
  const now = new Date().toISOString()
  const started = await changeJob(
    id,
    {
      status: 'IN_PROGRESS',
      startedAt: now,
      heartbeatAt: now,
      planKey,
      namesColumns: namesColumns(plan),
      bytes,
      tokenKeys,
      presetVersion: preset?.version ?? null,
      review: reviewOf(job, workflow?.config.review),
    },
    { status: ['PENDING'], revision: job.revision },
  )
  if (!started)
    throw new ProblemError({ type: 'job_not_pending', msg: 'The job was changed or started at the same time' })
  try {
    await sendMessages('jobs', job.ownerId, [{ type: 'PLAN', jobId: id }])
  } catch (error) {
    // Nothing was sent, so nothing works on it: the caller may try again. Should this fail too, the sweeper sends it.
    await changeJob(id, { status: 'PENDING', startedAt: null }, { status: ['IN_PROGRESS'] })
    throw error
  }
  measure({ JobsStarted: 1 })
  return started
}

/** How long whoever has too many jobs running should wait before the next try, seconds. */
const WAIT_SECONDS = '60'

/** Refuses one job more of a user who has as many running as is allowed (429); a few that come at once may get through. */
async function checkShare(ownerId: string): Promise<void> {
  if ((await countRunning(ownerId)) < settings().RUNNING_JOBS_PER_USER) return
  throw new ProblemError({ type: 'too_many_running' }, { 'Retry-After': WAIT_SECONDS })
}

/** Refuses assets that can't be processed, all of them at once (400). */
function checkAssets(assets: AssetRecord[], supported: AssetType | undefined): void {
  if (assets.length === 0) throw new ProblemError({ type: 'job_empty' })
  const wrong = assets.flatMap(({ id, name, type, status }): { type: ProblemType; msg: string; loc: string[] }[] => {
    const loc = ['assets', id]
    if (status !== 'READY') return [{ type: 'asset_not_ready', msg: `${name} is ${status}`, loc }]
    if (type === (supported ?? type)) return []
    return [
      {
        type: 'asset_type_mismatch',
        msg: `${name} is a ${type}, the workflow is for ${supported}`,
        loc,
      },
    ]
  })
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
}
