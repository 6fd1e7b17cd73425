import type { Asset } from '../../api/assets.ts'
import type { Delivery } from '../../api/deliveries.ts'
import type { Job, JobSummary } from '../../api/job.ts'
import type { AssetResult, JobResult } from '../../api/results.ts'
import { type AssetRecord, listAssets, listOutputs, objectOf } from '../../store/assets.ts'
import { listDelivered, listDeliveries } from '../../store/deliveries.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { listResults, type ResultRecord } from '../../store/jobs.ts'
import { labelsOf } from '../../store/label-counts.ts'
import { downloadUrl } from '../../store/objects.ts'
import { presentReview } from '../review/present-review.ts'
import { countsOf, progressOf } from './progress.ts'

/** Assets and results shown with a job: an answer of the gateway holds 6 MB. Lists show them all. */
const SHOWN = 1000
/** Results that come with a download URL, and with the labels of what was found. */
const IN_FULL = 100

/** The assets that are shown with a job. */
export const shownAssets = (jobId: string): Promise<AssetRecord[]> => listAssets(jobId, SHOWN)

/** What of a job every view of it shows. */
const shownOf = (job: JobRecord) => ({
  ...job,
  mode: job.mode ?? 'ANONYMISE',
  plan: job.plan?.map(({ match, workflowId }) => ({ match, workflowId })) ?? null,
  review: presentReview(job),
  progress: progressOf(job),
})

/** A job as lists show it. */
export const summarise = (job: JobRecord): JobSummary => shownOf(job)

/**
 * A job as its owner sees it: with its assets (read, unless given) and, once it has finished, its result; with the download
 * URLs of the result only for those who may download.
 */
export async function showJob(
  job: JobRecord,
  { assets: given, urls = false }: { assets?: Asset[]; urls?: boolean } = {},
): Promise<Job> {
  const finished = job.finishedAt !== null
  const [assets, results, deliveries] = await Promise.all([
    given?.slice(0, SHOWN) ?? shownAssets(job.id),
    // What a cancelled job had finished is removed, so it shows no assets.
    finished && job.status !== 'CANCELLED' ? listResults(job.id, SHOWN) : [],
    // Only a finished job can have been delivered.
    finished ? showDeliveries(job.id) : [],
  ])
  return {
    ...shownOf(job),
    Assets: assets,
    result: finished ? await showResult(job, results, urls) : null,
    deliveries,
    errors: [
      ...(job.errors ?? []),
      ...results.flatMap(({ assetId, errors }) => errors.map(error => ({ ...error, assetId }))),
    ],
  }
}

/** The preset that a job ran with, as results name it. */
export const usedPreset = ({ presetId, presetVersion }: JobRecord): Pick<JobResult, 'preset'> =>
  presetId && presetVersion ? { preset: { id: presetId, version: presetVersion } } : {}

/** The deliveries of a job, each with what came of its first assets. */
async function showDeliveries(jobId: string): Promise<Delivery[]> {
  const shown: Delivery[] = []
  let room = SHOWN
  for (const delivery of await listDeliveries(jobId)) {
    const assets = room > 0 ? await listDelivered(jobId, delivery.id, room) : []
    room -= assets.length
    shown.push({ ...delivery, progress: countsOf(delivery), assets })
  }
  return shown
}

/** A result without what only the first hundred of a job come with; the report of each asset has it. */
const inBrief = (result: ResultRecord): ResultRecord => ({
  ...result,
  findings: result.findings.map(({ labels: _, ...finding }) => finding),
})

/** What the download of an output is made from. */
type Output = Pick<AssetRecord, 'id' | 'jobId' | 'name' | 'contentType' | 'derivedFrom'>

/** The output of a result, as far as the result tells it: none where it was deleted. */
const outputOf = (jobId: string, { assetId, name, outputAssetId, outputType, outputGone }: ResultRecord): Output[] =>
  outputAssetId && outputType && !outputGone
    ? [{ id: outputAssetId, jobId, name, contentType: outputType, derivedFrom: assetId }]
    : []

/**
 * The outputs of results that are still there: none of a cancelled job. Results of older versions don't tell of them, so that
 * they are looked up.
 */
async function outputsOf({ id: jobId, status }: JobRecord, results: ResultRecord[]): Promise<Output[]> {
  if (status === 'CANCELLED') return []
  const untold = results.flatMap(({ outputAssetId, outputType }) => (outputAssetId && !outputType ? outputAssetId : []))
  return [...results.flatMap(result => outputOf(jobId, result)), ...(await listOutputs(jobId, untold))]
}

/** Results with the download URLs of their outputs, for the first hundred. */
export async function withUrls(job: JobRecord, results: ResultRecord[]): Promise<AssetResult[]> {
  const outputs = new Map((await outputsOf(job, results.slice(0, IN_FULL))).map(output => [output.id, output]))
  const withUrl = async (result: ResultRecord): Promise<AssetResult> => {
    const output = outputs.get(result.outputAssetId ?? '')
    return {
      ...result,
      url: output ? (await downloadUrl(objectOf(output), output.name, output.contentType)).url : null,
    }
  }
  return Promise.all(results.map(withUrl))
}

async function showResult(job: JobRecord, results: ResultRecord[], urls: boolean): Promise<JobResult> {
  const { status, startedAt, finishedAt, assetCount, done, failed, findings, bytesIn, bytesOut } = job
  const more = assetCount > SHOWN
  const shown = results.map((result, n) => (n < IN_FULL ? result : inBrief(result)))
  return {
    outcome: status as JobResult['outcome'],
    startedAt,
    finishedAt: finishedAt!,
    ...usedPreset(job),
    counts: { assets: assetCount, succeeded: done, failed, findings, labels: labelsOf(job), bytesIn, bytesOut },
    assets: urls ? await withUrls(job, shown) : shown.map(result => ({ ...result, url: null })),
    warnings: more ? [`Only the first ${SHOWN} assets are shown; POST /jobs/{job_id}/assets lists them all`] : [],
  }
}
