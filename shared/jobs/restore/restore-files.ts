import { randomUUID } from 'node:crypto'
import type { Plan } from 'anonymisation-engine'
import { restoring, tokenPattern } from 'anonymisation-engine/tokens'
import { ProblemError } from '../../api/problems.ts'
import { type AssetRecord, getAsset, listAllOutputs, listAssetsNamed, newAsset } from '../../store/assets.ts'
import type { Write } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { changingJob, createJob, getJob, newJob, savePlan } from '../../store/jobs.ts'
import { trackingRun } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import type { ReidentificationRecord } from '../../store/reidentifications.ts'

/** A job that restores files, not started yet. */
export type Restoration = { job: JobRecord; planKey: string; tokens: number }

/** The outputs that a request is about, with the job that made them. */
async function outputsOf({
  jobId,
  assetId,
}: ReidentificationRecord): Promise<{ job: JobRecord; outputs: AssetRecord[] }> {
  if (!assetId) return { job: await getJob(jobId!), outputs: await listAllOutputs(jobId!) }
  const { job, asset } = await getAsset(assetId)
  return { job, outputs: asset.derivedFrom ? [asset] : [] }
}

/** Makes the job with its plan, owned by who asks. Its files are read where they are: they are the outputs of another job. */
export async function prepareRestoration(request: ReidentificationRecord): Promise<Restoration> {
  const { job: source, outputs } = await outputsOf(request)
  const { tokenKeys } = source
  if (!tokenKeys || outputs.length === 0) throw new ProblemError({ type: 'nothing_reversible' })
  const id = randomUUID()
  const inputs = new Map<string, AssetRecord>()
  for (const input of await listAssetsNamed(
    source.id,
    outputs.map(({ derivedFrom }) => derivedFrom!),
  ))
    inputs.set(input.id, input)
  const assets = outputs.map(({ id: outputId, derivedFrom, name, type, contentType, size, sha256 }) => {
    const table = inputs.get(derivedFrom!)?.table
    const restores = { jobId: source.id, assetId: derivedFrom!, outputId }
    return newAsset({
      ...{ jobId: id, name, type, contentType, size, sha256, restores },
      status: 'READY',
      ...(table && { table }),
    })
  })
  const named = { id, ownerId: request.ownerId, name: `Restored: ${source.name}`.slice(0, 200), description: '' }
  const job: JobRecord = { ...newJob(named, assets.length), tokenKeys, restores: { ownerId: source.ownerId } }
  const planKey = await savePlan(id, job.revision, restoringPlan(request, assets[0]!.type))
  await createJob(job, assets)
  return { job, planKey, tokens: source.findings }
}

/** A plan by which only tokens of the approved kinds are looked for. */
const restoringPlan = ({ id: ruleId, labels }: ReidentificationRecord, assetType: Plan['assetType']): Plan => ({
  rules: [
    {
      ruleId,
      name: 'Tokens',
      detection: { type: 'REGEX', pattern: tokenPattern(labels) },
      replacement: restoring,
    },
  ],
  assetType,
})

/** The writes that start it: part of the change that opens the request. */
export function startingRestoration({ job, planKey }: Restoration): Write[] {
  const now = new Date().toISOString()
  const running = { status: 'IN_PROGRESS' as const, startedAt: now, heartbeatAt: now, planKey }
  return [changingJob(job, running, { status: ['PENDING'], revision: job.revision }).write, trackingRun(job)]
}

/** Has it worked on; should the message be lost, the sweeper sends it. */
export const planRestoration = ({ job }: Restoration): Promise<void> =>
  sendMessages('jobs', job.ownerId, [{ type: 'PLAN', jobId: job.id }])
