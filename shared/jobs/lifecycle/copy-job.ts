import { randomUUID } from 'node:crypto'
import { findPreset } from 'anonymisation-engine/presets'
import { ProblemError } from '../../api/problems.ts'
import { isVisible } from '../../http/authorise.ts'
import type { Caller } from '../../http/caller.ts'
import type { Recording } from '../../http/request.ts'
import { type AssetRecord, listAssets, objectOf } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { newJob } from '../../store/jobs.ts'
import { listObjects } from '../../store/objects.ts'
import { addReferences } from '../../store/references.ts'
import { WORKFLOW } from '../../store/workflows.ts'
import { startLoad } from '../load/start-load.ts'
import { newReview } from '../review/present-review.ts'
import { newInput } from './upload.ts'
import { bytesOf, withinQuota } from './within-quota.ts'
import { findWorkflows, workflowIdsOf } from './workflows-of-job.ts'

/**
 * Makes a PENDING job of the caller's from the inputs of a finished one, which are LOADING until they have been copied.
 * Refuses a job that has not finished or whose inputs are not all there (400), and one of somebody else's whose files the
 * caller may not read (403).
 */
export async function copyJob(
  job: JobRecord,
  user: Caller,
  { note, write }: Recording,
): Promise<{ job: JobRecord; assets: AssetRecord[] }> {
  if (!isVisible(user, 'assets', job.ownerId)) {
    const msg = 'To copy the files of others needs the permission assets:any'
    throw new ProblemError({ type: 'permission_denied', msg })
  }
  if (job.finishedAt === null) throw new ProblemError({ type: 'job_not_finished', msg: `The job is ${job.status}` })
  const inputs = await inputsOf(job)
  const { name, description, mode, sourceId, review } = job
  const id = randomUUID()
  const named = { id, ownerId: user.id, name, description, mode, sourceId }
  return withinQuota(user, { jobId: id, bytes: bytesOf(inputs) }, async counted => {
    const copy: JobRecord = {
      ...newJob({ ...named, ...counted }, inputs.length),
      ...(await attachedAgain(job, id, user)),
      ...(review && { review: newReview(review) }),
    }
    const assets = inputs.map(input => copyOf(input, copy.id))
    note({ newId: copy.id })
    await startLoad(copy, assets, write)
    return { job: copy, assets }
  })
}

/** The assets that a job was given. Refuses a job of which some are gone, and one that never had any of its own (400). */
async function inputsOf(job: JobRecord): Promise<AssetRecord[]> {
  if (job.restores) {
    const msg = 'The job restored files of another one, and has none of its own'
    throw new ProblemError({ type: 'inputs_gone', msg })
  }
  const assets = await listAssets(job.id)
  const kept = new Set<string>()
  for await (const { key } of listObjects('uploads', `${job.id}/`, Number.POSITIVE_INFINITY)) kept.add(key)
  const gone = assets.filter(asset => !kept.has(objectOf(asset).key))
  if (gone.length > 0)
    throw new ProblemError(gone.slice(0, 100).map(({ id }) => ({ type: 'inputs_gone' as const, loc: ['assets', id] })))
  // An asset that was deleted after the job had finished is not listed any more, but was counted.
  if (assets.length < job.assetCount) throw new ProblemError({ type: 'inputs_gone' })
  if (assets.length === 0) throw new ProblemError({ type: 'job_empty' })
  return assets
}

/** The asset that an input becomes in another job. */
const copyOf = (
  { jobId, id, etag, name, type, contentType, size, table, sourceId, sourceName }: AssetRecord,
  to: string,
): AssetRecord =>
  newInput(
    to,
    { name, contentType },
    { status: 'LOADING', type, size, sourceId, sourceName, ...(table && { table }), copies: { jobId, id, etag } },
  )

/**
 * What was attached to a job, for the copy to have it again; nothing where any of it is gone or not the caller's to use,
 * because the assets would then fall under other workflows than before.
 */
async function attachedAgain(
  job: JobRecord,
  copyId: string,
  user: Caller,
): Promise<Partial<Pick<JobRecord, 'workflowId' | 'presetId' | 'plan'>>> {
  const { workflowId, presetId, plan } = job
  const ids = workflowIdsOf(job)
  const workflows = await findWorkflows(job)
  const usable = (id: string) => {
    const workflow = workflows.get(id)
    return workflow !== undefined && isVisible(user, 'workflows', workflow.ownerId)
  }
  if (!ids.every(usable) || (presetId && !findPreset(presetId))) return {}
  if (!(await addReferences(WORKFLOW, ids, copyId))) return {}
  return { workflowId, presetId, plan: plan?.map(({ match, workflowId }) => ({ match, workflowId })) ?? null }
}
