import type { PlannedRule } from 'anonymisation-engine'
import { shippedModels } from 'anonymisation-engine/models'
import type { Estimate, NewEstimate, Reader } from '../../api/estimates.ts'
import { ProblemError } from '../../api/problems.ts'
import { isVisible } from '../../http/authorise.ts'
import type { Caller } from '../../http/caller.ts'
import { detectionOf } from '../../rules/detection.ts'
import { namedPreset } from '../../rules/presets.ts'
import { resolveRules } from '../../rules/resolve.ts'
import { settings } from '../../settings.ts'
import { listAssets } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import type { WorkflowRecord } from '../../store/workflows.ts'
import { findJob } from '../lifecycle/find-job.ts'
import { presetPlan } from '../lifecycle/plan-of-workflow.ts'
import { findWorkflows, workflowFor, workflowIdsOf } from '../lifecycle/workflows-of-job.ts'
import { type EstimatedFile, estimate } from './estimate.ts'
import { kindOf } from './kinds.ts'

type Attached = Pick<JobRecord, 'workflowId' | 'plan' | 'presetId'>
type File = { name: string; contentType?: string; type: 'TABLE' | 'DOCUMENT'; size: number | null }
type Read = { reader: Reader; unmeasured: boolean }

/** What a job, or files that are not there yet, will take and cost. */
export async function estimateJob(asked: NewEstimate, user: Caller): Promise<Estimate> {
  const job = await jobOf(asked, user)
  const named = namedBy(asked)
  const readers = await readersOf(named ?? attachedTo(job), user, named !== undefined)
  const files = job ? (await listAssets(job.id)).map(fileOf) : asked.files!.map(announced)
  if (files.length === 0) throw new ProblemError({ type: 'job_empty' })
  const counted: EstimatedFile[] = []
  let unmeasured = false
  for (const file of files) {
    const kind = kindOf(file)
    const read = readers(file)
    unmeasured ||= read.unmeasured
    if (!kind || file.size === null) continue
    counted.push({ kind, reader: read.reader, bytes: file.size, isTable: file.type === 'TABLE' })
  }
  const mode = asked.mode ?? job?.mode
  const isReviewed = asked.review ?? Boolean(job?.review)
  const { FAN_OUT_BYTES, CHUNK_BYTES } = settings()
  const way = { isInspection: mode === 'INSPECT', isReviewed, chunkBytes: Math.max(CHUNK_BYTES, FAN_OUT_BYTES) }
  return { ...estimate(counted, way), uncounted: files.length - counted.length, unmeasured }
}

/** The job that is asked about, if any; refuses what names both or neither (422). */
async function jobOf({ jobId, files }: NewEstimate, user: Caller): Promise<JobRecord | undefined> {
  if (jobId && files) {
    const msg = 'Give either jobId or files'
    throw new ProblemError({ type: 'conflicting_values', msg, loc: ['body', 'files'] })
  }
  if (!jobId && !files) throw new ProblemError({ type: 'missing', msg: 'Give jobId or files', loc: ['body', 'jobId'] })
  return jobId ? findJob(jobId, user, ['body', 'jobId']) : undefined
}

/** What the files are to be read with, where it is named. */
function namedBy({ workflowId, presetId }: NewEstimate): Attached | undefined {
  if (workflowId && presetId) {
    const msg = 'A job has a workflow or a preset, not both'
    throw new ProblemError({ type: 'conflicting_values', msg, loc: ['body', 'presetId'] })
  }
  if (!workflowId && !presetId) return undefined
  return { workflowId: workflowId ?? null, presetId: presetId ?? null, plan: null }
}

/** What the job has. */
function attachedTo(job: JobRecord | undefined): Attached {
  if (!job?.workflowId && !job?.presetId && !job?.plan) throw new ProblemError({ type: 'workflow_required' })
  return job
}

/** What reads each file; refuses workflows that are not there, and those that the caller names and may not see (400). */
async function readersOf(attached: Attached, user: Caller, isNamed: boolean): Promise<(file: File) => Read> {
  const preset = attached.presetId ? deepest(presetPlan(namedPreset(attached.presetId)).rules) : undefined
  const workflows = await findWorkflows(attached)
  const isUsable = (workflow?: WorkflowRecord) =>
    workflow && (!isNamed || isVisible(user, 'workflows', workflow.ownerId))
  if (!workflowIdsOf(attached).every(id => isUsable(workflows.get(id))))
    throw new ProblemError({ type: 'workflow_not_found' })
  const known = new Map<string, Read>()
  for (const [id, workflow] of workflows) known.set(id, deepest(await rulesOf(workflow, user)))
  // A file that falls under none would be refused; the others are estimated.
  const nothing: Read = { reader: 'patterns', unmeasured: false }
  return file => known.get(workflowFor(attached, file, workflows)?.id ?? '') ?? preset ?? nothing
}

async function rulesOf({ config, ownerId }: WorkflowRecord, user: Caller): Promise<Pick<PlannedRule, 'detection'>[]> {
  const rules = await resolveRules(config.rules, { ...user, id: ownerId })
  return rules.map(rule => ({ detection: detectionOf(rule) }))
}

/** What takes longest of some rules. */
function deepest(rules: readonly Pick<PlannedRule, 'detection'>[]): Read {
  const models = new Set<string>()
  for (const { detection } of rules) if (detection.type === 'AIMODEL') models.add(detection.modelId)
  const isShipped = (id: string) => shippedModels.some(({ modelId }) => modelId === id)
  const unmeasured = [...models].some(id => !isShipped(id))
  models.delete('pii-patterns')
  if (models.size > 0) return { reader: 'models', unmeasured }
  const isOnlyPatterns = rules.every(({ detection }) => detection.type !== 'AIMODEL')
  return { reader: isOnlyPatterns ? 'patterns' : 'recognisers', unmeasured }
}

const fileOf = ({ name, contentType, type, size }: Awaited<ReturnType<typeof listAssets>>[number]): File => ({
  name,
  contentType,
  type,
  size,
})

/** A file that nobody has looked into: tables are those that are called so. */
const announced = ({ filename, size }: NonNullable<NewEstimate['files']>[number]): File => {
  const kind = kindOf({ name: filename })
  return { name: filename, size, type: kind === 'table' || kind === 'workbook' ? 'TABLE' : 'DOCUMENT' }
}
