import { type AssetType, comparedBy, namesColumns, type Plan } from 'anonymisation-engine'
import { ProblemError, type ProblemType } from '../../api/problems.ts'
import type { Caller } from '../../http/caller.ts'
import { measure } from '../../metrics.ts'
import { namedPreset } from '../../rules/presets.ts'
import { settings } from '../../settings.ts'
import { type AssetRecord, listAssets } from '../../store/assets.ts'
import { type Item, type Transact, transact } from '../../store/dynamo.ts'
import { entryFor } from '../../store/job-plan.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { changeJob, changingJob, getJob, savePlan } from '../../store/jobs.ts'
import { countRunning, trackingRun } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import type { WorkflowRecord } from '../../store/workflows.ts'
import { provideJobKeys } from '../../tokens/job-keys.ts'
import { reviewOf } from '../review/present-review.ts'
import { keepRuleNames } from '../review/rule-names.ts'
import { together } from '../together.ts'
import { completeUploads, isAnnounced } from './complete-uploads.ts'
import { freezerOf } from './freeze-lists.ts'
import { inspecting, planOf, presetPlan } from './plan-of-workflow.ts'
import { checkPlan, findWorkflows, workflowFor, workflowIdsOf } from './workflows-of-job.ts'

/** A job with the assets that it was given. */
type WithAssets = { job: JobRecord & Item; assets: AssetRecord[] }

/**
 * Starts a job: freezes its workflow and rules, moves it from PENDING to IN_PROGRESS and has it worked on. The
 * move is conditional on what was checked, so neither a second call nor a change in between gets through.
 * @param found the job as it was just read.
 * @param write how the move is written.
 */
export async function executeJob(
  found: JobRecord & Item,
  user: Caller,
  write: Transact = transact,
): Promise<WithAssets> {
  const { id, ownerId } = found
  const [{ job, assets }, running, known] = await together([takeIn(found), countRunning(ownerId), findWorkflows(found)])
  if (job.status !== 'PENDING') throw new ProblemError({ type: 'job_not_pending', msg: `The job is ${job.status}` })
  checkShare(running)
  const workflows = job === found ? known : await findWorkflows(job)
  const preset = job.presetId ? namedPreset(job.presetId) : undefined
  checkAttached(job, workflows)
  checkAssets(assets, asset => workflowFor(job, asset, workflows) ?? (preset && {}))
  const { plans, ...snapshots } = await makeSnapshots(job, workflows, user)
  const bytes = assets.reduce((sum, { size }) => sum + (size ?? 0), 0)
  const review = reviewOf(
    job,
    [...workflows.values()].map(({ config }) => config.review),
  )
  if (review) await keepRuleNames(id, plans)
  const now = new Date().toISOString()
  const { after: started, write: move } = changingJob(
    job,
    {
      status: 'IN_PROGRESS',
      startedAt: now,
      heartbeatAt: now,
      ...snapshots,
      values: valuesOf({ ...snapshots, plans }, assets),
      bytes,
      presetVersion: preset?.version ?? null,
      review,
    },
    { status: ['PENDING'], revision: job.revision },
  )
  // Before the work begins, so that a lost message is noticed.
  if (!(await write([move, trackingRun(job)])))
    throw new ProblemError({ type: 'job_not_pending', msg: 'The job was changed or started at the same time' })
  try {
    await beginWork(started, assets)
  } catch (error) {
    // The caller may try again, unless only the answer was lost and something has come of it. Should this fail too, the sweeper sends it.
    await changeJob(id, { status: 'PENDING', startedAt: null }, { status: ['IN_PROGRESS'], heartbeatAt: now })
    throw error
  }
  measure({ JobsStarted: 1 })
  return { job: started, assets }
}

/** A job and its assets, once those announced files that have arrived are taken in. What changes after the job was read changes its revision. */
async function takeIn(job: JobRecord & Item): Promise<WithAssets> {
  const assets = await listAssets(job.id)
  if (!assets.some(isAnnounced)) return { job, assets }
  await completeUploads(job.id, assets)
  return { job: await getJob(job.id), assets: await listAssets(job.id) }
}

/**
 * Has a job worked on: its only asset at once, or else as the planner shares it out. Either takes one message, so that it is
 * begun or not.
 */
function beginWork(job: JobRecord, [first, ...others]: AssetRecord[]): Promise<void> {
  const { id: jobId, ownerId } = job
  if (others.length > 0 || job.namesColumns) return sendMessages('jobs', ownerId, [{ type: 'PLAN', jobId }])
  return sendMessages('work', ownerId, [{ type: 'ANONYMISE', jobId, assetId: first!.id }])
}

/** How long whoever has too many jobs running should wait before the next try, seconds. */
const WAIT_SECONDS = '60'

/** Refuses one job more of a user who has as many running as is allowed (429); a few that come at once may get through. */
function checkShare(running: number): void {
  if (running < settings().RUNNING_JOBS_PER_USER) return
  throw new ProblemError({ type: 'too_many_running' }, { 'Retry-After': WAIT_SECONDS })
}

/** Refuses a job that names no workflow, one that is gone, or some that don't fit together (400). */
function checkAttached(job: JobRecord, workflows: ReadonlyMap<string, WorkflowRecord>): void {
  const { workflowId, presetId, plan } = job
  if (!presetId && !plan && !workflows.has(workflowId ?? '')) throw new ProblemError({ type: 'workflow_required' })
  if (workflowIdsOf(job).some(id => !workflows.has(id))) throw new ProblemError({ type: 'workflow_not_found' })
  if (plan) checkPlan(plan, workflows, [])
}

/** Freezes the workflows and rules of a job: what of its record says with what it is worked on. */
async function makeSnapshots(
  job: JobRecord,
  workflows: ReadonlyMap<string, WorkflowRecord>,
  user: Caller,
): Promise<Pick<JobRecord, 'planKey' | 'plan' | 'namesColumns' | 'tokenKeys'> & { plans: ReadonlyMap<string, Plan> }> {
  const { id, revision, mode, workflowId, presetId } = job
  const freeze = freezerOf(id, revision)
  const plans = new Map<string, Plan>()
  const keep = async (whole: Plan) => {
    const plan = await freeze(mode === 'INSPECT' ? inspecting(whole) : whole)
    const key = await savePlan(id, revision, plan, plans.size)
    plans.set(key, plan)
    return key
  }
  const entries: NonNullable<JobRecord['plan']> = []
  for (const entry of job.plan ?? [])
    entries.push({ ...entry, planKey: await keep(await planOf(workflows.get(entry.workflowId)!, user)) })
  const rest = workflowId
    ? await planOf(workflows.get(workflowId)!, user)
    : presetId && presetPlan(namedPreset(presetId))
  const planKey = rest ? await keep(rest) : undefined
  const [project] = [...workflows.values()].map(({ config }) => config.project)
  return {
    planKey,
    ...(job.plan && { plan: entries }),
    namesColumns: [...plans.values()].some(namesColumns),
    tokenKeys: await provideJobKeys(job.ownerId, [...plans.values()], project),
    plans,
  }
}

/** What the surrogates of a job must not be; null where it makes none that depend on it, or of one document. */
function valuesOf(
  { plan, planKey, plans }: Awaited<ReturnType<typeof makeSnapshots>>,
  assets: AssetRecord[],
): NonNullable<JobRecord['values']> | null {
  const tables = assets.filter(({ type }) => type === 'TABLE').length
  const documents = assets.length - tables
  const used = new Set(assets.map(asset => entryFor(plan, asset)?.planKey ?? planKey!))
  const compared = [...new Set([...used].flatMap(key => comparedBy(plans.get(key)!)))]
  // A document alone is looked through by whoever anonymises it.
  return compared.length > 0 && (tables > 0 || documents > 1) ? { compared, tables, documents } : null
}

/** Refuses assets that can't be processed, all of them at once (400); `choose` says by what an asset is. */
function checkAssets(
  assets: AssetRecord[],
  choose: (asset: AssetRecord) => { supportedAssetType?: AssetType } | undefined,
): void {
  if (assets.length === 0) throw new ProblemError({ type: 'job_empty' })
  const wrong = assets.flatMap((asset): { type: ProblemType; msg: string; loc: string[] }[] => {
    const { id, name, type, status } = asset
    const loc = ['assets', id]
    if (status !== 'READY') return [{ type: 'asset_not_ready', msg: `${name} is ${status}`, loc }]
    const chosen = choose(asset)
    if (!chosen) return [{ type: 'workflow_required', msg: `No entry of the plan is for ${name}`, loc }]
    const supported = chosen.supportedAssetType ?? type
    if (type === supported) return []
    return [{ type: 'asset_type_mismatch', msg: `${name} is a ${type}, the workflow is for ${supported}`, loc }]
  })
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
}
