import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { EngineError } from 'anonymisation-engine'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import { type AssetRecord, listAssetsNamed, newOutput, objectOf } from '../../store/assets.ts'
import { abandonChunks } from '../../store/chunks.ts'
import type { Item } from '../../store/dynamo.ts'
import type { EngineFacts, Evidence } from '../../store/evidence.ts'
import { placesObject } from '../../store/found-places.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { findResult, JOB, type ResultRecord, recordResult } from '../../store/jobs.ts'
import { deleteObjects, putFile } from '../../store/objects.ts'
import { forgetOcrRounds } from '../../store/ocr-rounds.ts'
import { claimName } from '../../store/output-names.ts'
import { attributesOfAsset } from '../../store/progress.ts'
import { findRecord } from '../../store/records.ts'
import { endingOf } from '../lifecycle/finish-job.ts'
import { storeProposals } from '../review/propose.ts'
import { together } from '../together.ts'
import type { Isolated } from '../worker/worker-host.ts'

/** SHA-256 of a file on disk, hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * Stores the output of an asset and records it, or what is proposed for it; an output that comes too late to count is removed
 * again. Answers whether the job has ended with it.
 */
export async function recordSuccess(
  { job, asset, engine }: { job: JobRecord; asset: AssetRecord; engine: () => Promise<EngineFacts> },
  made: Isolated,
): Promise<boolean> {
  if (job.review?.state === 'preparing') {
    await storeProposals(job, asset, made.places!.path, await engine())
    return false
  }
  const { format, findings, bytesOut, risk, places, path } = made
  const [placesSize, output] = await together([
    places && storePlaces(asset, 0, places.path),
    path === undefined ? undefined : storeOutput(job, asset, { ...made, path }),
  ])
  const kept = placesSize !== undefined && { places: placesSize > 0 ? 1 : 0 }
  const report = { format, ...made.report }
  const told = { findings, report, bytesOut, engines: [await engine()], ...(risk && { risk }), ...kept }
  return recordOutput(job, asset, output, told)
}

async function storeOutput(
  job: JobRecord,
  asset: AssetRecord,
  { path, name, mediaType }: Isolated & { path: string },
): Promise<AssetRecord> {
  const { size } = await stat(path)
  const output = newOutput(asset, {
    name: await claimName(job, asset.id, name),
    contentType: mediaType,
    size,
    sha256: await digestOf(path),
  })
  await using file = await open(path)
  await putFile(objectOf(output), file, size, mediaType)
  return output
}

/** Keeps a file that tells where something was found in an asset, unless it is empty; answers its size, bytes. */
export async function storePlaces(asset: AssetRecord, part: number, path: string): Promise<number> {
  const { size } = await stat(path)
  if (size === 0) return 0
  await using file = await open(path)
  await putFile(placesObject(asset, part), file, size, 'application/x-ndjson')
  return size
}

/**
 * Records an output that has been stored, or that there is none to be; one that comes too late to count is removed again. The
 * job ends by the same stroke if it has no other asset; answers whether it did.
 */
export async function recordOutput(
  job: JobRecord,
  asset: AssetRecord,
  output: AssetRecord | undefined,
  {
    engines,
    ...made
  }: Pick<ResultRecord, 'findings' | 'report' | 'risk' | 'bytesOut' | 'places'> & Pick<Evidence, 'engines'>,
): Promise<boolean> {
  const named = { assetId: asset.id, name: output?.name ?? asset.name, status: 'SUCCEEDED' as const }
  const outputAssetId = output?.id ?? null
  const evidence = { input: asset.sha256, output: output?.sha256 ?? null, engines }
  const outputType = output?.contentType
  const result = {
    ...named,
    outputAssetId,
    outputType,
    url: null,
    errors: [],
    bytesIn: asset.size ?? 0,
    ...made,
    evidence,
  }
  const found = result.findings.reduce((sum, { count }) => sum + count, 0)
  const counted = { ...job, done: 1, findings: found }
  const ending = job.assetCount === 1 ? endingOf(counted, 'SUCCEEDED') : undefined
  if (await recordResult(job, result, { output, ending })) {
    const { bytesIn: BytesIn, bytesOut: BytesOut } = result
    measure({ Assets: 1, Findings: found, BytesIn, BytesOut }, { outcome: 'SUCCEEDED' })
    await ending?.follow()
    return ending !== undefined
  }
  if (output) await removeUnrecorded(asset, output)
  return false
}

/** Removes an output that came too late, unless another attempt has recorded this very one. */
async function removeUnrecorded(asset: AssetRecord, output: AssetRecord): Promise<void> {
  const recorded = await findResult(asset.jobId, asset.id)
  const { bucket, key } = objectOf(output)
  if (recorded?.outputAssetId !== output.id) await deleteObjects(bucket, key)
}

/** Records that an asset failed, and why; of an attempt, only while its job is the one `begun`. */
export async function recordFailure(
  { jobId, assetId, begun }: { jobId: string; assetId: string; begun?: JobRecord },
  { type, message, loc }: EngineError,
): Promise<void> {
  const [[asset], job] = await Promise.all([
    listAssetsNamed(jobId, [assetId]),
    findRecord<JobRecord & Item>(JOB, jobId),
  ])
  if (!job) return
  await abandonChunks(jobId, assetId)
  await forgetOcrRounds(jobId, assetId)
  const result: ResultRecord = {
    assetId,
    name: asset?.name ?? '',
    status: 'FAILED',
    outputAssetId: null,
    url: null,
    findings: [],
    errors: [{ loc, msg: message, type, assetId }],
    bytesIn: asset?.size ?? 0,
    bytesOut: 0,
    evidence: { input: asset?.sha256 ?? null, output: null, engines: [] },
  }
  // Some of its chunks may still be under way.
  if (!(await recordResult(begun ?? job, result, { told: attributesOfAsset(job, assetId) }))) return
  log.warn('asset failed', { assetId, failure: type })
  measure({ Assets: 1, BytesIn: asset?.size ?? 0 }, { outcome: 'FAILED' })
  measure({ Failures: 1 }, { type })
}
