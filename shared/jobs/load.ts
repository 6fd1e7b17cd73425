import { describe } from '../engine/formats/index.ts'
import type { Entry } from '../sources/connector.ts'
import { contextFor } from '../sources/context.ts'
import { SourceError } from '../sources/errors.ts'
import { openFromSource } from '../sources/sources.ts'
import { type AssetRecord, listAssets, listAssetsNamed, objectOf, settleLoad } from '../store/assets.ts'
import { JOB, type JobRecord } from '../store/jobs.ts'
import { notify } from '../store/notifications.ts'
import { objectSize, putStream, readHead } from '../store/objects.ts'
import { sendMessages } from '../store/queue.ts'
import { findRecord } from '../store/records.ts'
import { openSource, SOURCE, type SourceRecord } from '../store/sources.ts'
import { unwatch } from '../store/watch.ts'
import { newAsset } from './upload.ts'

/** How often a worker looks whether the job still waits for what it copies, milliseconds. */
const LOOK_MS = 1000
/** What is left of an invocation for settling the asset, milliseconds. */
const RESERVE_MS = 20_000

/** An asset that is to be copied from a file or table of the job's source. */
export const newLoad = ({ id, sourceId }: JobRecord, { name, type, assetType, size }: Entry): AssetRecord =>
  newAsset(
    id,
    { name: type === 'file' ? name.split('/').at(-1)! : `${name}.csv` },
    { status: 'LOADING', sourceId, sourceName: name, type: assetType ?? 'DOCUMENT', size: size ?? null },
  )

/** Sends one message for each asset of a job that is still to be loaded; lets a job go that has none. Again is fine. */
export async function planLoad(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, jobId)
  const open = job?.status === 'PENDING' ? (await listAssets(jobId)).filter(({ status }) => status === 'LOADING') : []
  if (!job || open.length === 0) return unwatch('LOAD', jobId)
  await sendMessages(
    'work',
    job.ownerId,
    open.map(({ id: assetId }) => ({ type: 'LOAD', jobId, assetId })),
  )
}

/** The job and the asset, while it is still to be loaded. */
async function waiting(jobId: string, assetId: string) {
  const [job, [asset]] = await Promise.all([findRecord<JobRecord>(JOB, jobId), listAssetsNamed(jobId, [assetId])])
  return job?.status === 'PENDING' && asset?.status === 'LOADING' ? { job, asset } : undefined
}

/**
 * Copies one asset from its source, once, however often it is asked. What is wrong with the source fails the asset;
 * what may pass is thrown, so that the message comes again.
 */
export async function loadAsset(jobId: string, assetId: string, remainingMs: number): Promise<void> {
  const found = await waiting(jobId, assetId)
  if (!found) return
  const { asset } = found
  const gone = new AbortController()
  const look = setInterval(async () => {
    // A look that fails is no reason to stop: the next one may not.
    if (!(await waiting(jobId, assetId).catch(() => 'unknown'))) gone.abort()
  }, LOOK_MS)
  try {
    const time = AbortSignal.timeout(Math.max(1000, remainingMs - RESERVE_MS))
    const sha256 = await copy(asset, AbortSignal.any([gone.signal, time]))
    const size = (await objectSize(objectOf(asset)))!
    const { type, mediaType } = describe(await readHead(objectOf(asset), size), asset.name)
    await settleLoad(asset, { status: 'READY', type, contentType: mediaType, size, sha256: sha256 ?? null })
  } catch (error) {
    if (gone.signal.aborted) return
    if (!(error instanceof SourceError) || error.retryable) throw error
    await failLoad(jobId, assetId, error)
  } finally {
    clearInterval(look)
  }
}

/** Copies the file; answers its digest, or undefined when an earlier call had copied it already. */
async function copy(asset: AssetRecord, signal: AbortSignal): Promise<string | undefined> {
  const object = objectOf(asset)
  if ((await objectSize(object)) !== undefined) return undefined
  const stored = await findRecord<SourceRecord>(SOURCE, asset.sourceId!)
  if (!stored) throw new SourceError('source_not_found', 'The source has been deleted')
  const [source, context] = await Promise.all([openSource(stored), contextFor(stored.ownerId, signal)])
  const { body, contentType } = await openFromSource(source, context, asset.sourceName!)
  return putStream(object, body, contentType)
}

/** Ends an asset that cannot be loaded, with the reason, and tells the owner of the job, once. */
export async function failLoad(
  jobId: string,
  assetId: string,
  { type, message }: Pick<SourceError, 'type' | 'message'>,
): Promise<void> {
  const found = await waiting(jobId, assetId)
  if (!found) return
  const { job, asset } = found
  if (!(await settleLoad(asset, { status: 'FAILED', errors: [{ loc: [], msg: message, type }] }))) return
  await notify(job.ownerId, { kind: 'load.failed', resource: { type: 'job', id: jobId }, name: job.name })
}

/** Fails every asset of a job that is still to be loaded. */
export async function failLoads(jobId: string, reason: Pick<SourceError, 'type' | 'message'>): Promise<void> {
  for (const { id, status } of await listAssets(jobId)) if (status === 'LOADING') await failLoad(jobId, id, reason)
}
