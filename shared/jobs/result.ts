import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { EngineError } from '../engine/errors.ts'
import { type AssetRecord, listAssetsNamed, objectOf } from '../store/assets.ts'
import { recordResult } from '../store/jobs.ts'
import { deleteObjects, putFile } from '../store/objects.ts'
import type { Isolated } from './isolate.ts'

/** SHA-256 of a file on disk, hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Stores the output of an asset and records it; an output that comes too late to count is removed again. */
export async function recordSuccess(asset: AssetRecord, made: Isolated): Promise<void> {
  const now = new Date().toISOString()
  const { size } = await stat(made.path)
  const output: AssetRecord = {
    id: randomUUID(),
    jobId: asset.jobId,
    name: asset.name,
    type: asset.type,
    contentType: made.mediaType,
    size,
    sha256: await digestOf(made.path),
    status: 'READY',
    derivedFrom: asset.id,
    createdAt: now,
    updatedAt: now,
  }
  const object = objectOf(output)
  await using file = await open(made.path)
  await putFile(object, file, size, made.mediaType)
  const { format, findings, bytesIn, bytesOut } = made
  const report = { format, ...made.report }
  const result = {
    assetId: asset.id,
    name: asset.name,
    status: 'SUCCEEDED' as const,
    outputAssetId: output.id,
    url: null,
  }
  const recorded = await recordResult(
    asset.jobId,
    { ...result, findings, report, errors: [], bytesIn, bytesOut },
    output,
  )
  if (!recorded) await deleteObjects(object.bucket, object.key)
}

/** Records that an asset failed, and why. */
export async function recordFailure(
  jobId: string,
  assetId: string,
  { type, message, loc }: EngineError,
): Promise<void> {
  const [asset] = await listAssetsNamed(jobId, [assetId])
  await recordResult(jobId, {
    assetId,
    name: asset?.name ?? '',
    status: 'FAILED',
    outputAssetId: null,
    url: null,
    findings: [],
    errors: [{ loc, msg: message, type, assetId }],
    bytesIn: asset?.size ?? 0,
    bytesOut: 0,
  })
}
