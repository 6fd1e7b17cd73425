import type { Readable } from 'node:stream'
import { describe } from 'anonymisation-engine'
import { ProblemError, type ProblemType } from '../../api/problems.ts'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import type { Entry } from '../../sources/connector.ts'
import { contextFor } from '../../sources/context.ts'
import { SourceError } from '../../sources/errors.ts'
import { openFromSource } from '../../sources/sources.ts'
import { type AssetRecord, listAssets, listAssetsNamed, objectOf, reportLoad, settleLoad } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB } from '../../store/jobs.ts'
import { notify } from '../../store/notifications.ts'
import { objectFacts, objectSize, putStream, readHead } from '../../store/objects.ts'
import { untrack } from '../../store/open-work.ts'
import { type Message, sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { openSource, SOURCE, type SourceRecord } from '../../store/sources.ts'
import { newInput } from '../lifecycle/upload.ts'
import { takeBackAwaited } from '../lifecycle/within-quota.ts'
import { copyInput } from './copy-input.ts'
import { roomExceeded, roomFor, settleWithin } from './room.ts'
import { loadSchema, saveSchema, schemaOf, tableOptions } from './table-schema.ts'
import { mayPass, withSourceLease } from './with-source-lease.ts'

/** How often it is told how much of a file has come, milliseconds. */
const REPORT_MS = 2000

/** What is known of an asset that is a table of a database. */
const asTable = { table: tableOptions }

/** An asset that is to be copied from a file or table of the job's source. */
export const newLoad = ({ id, sourceId }: JobRecord, { name, type, assetType, size }: Entry): AssetRecord =>
  newInput(
    id,
    { name: type === 'file' ? name.split('/').at(-1)! : `${name}.csv` },
    { status: 'LOADING', sourceId, sourceName: name, type: assetType ?? 'DOCUMENT', size: size ?? null },
  )

/** Sends one message for each asset of a job that is still to be loaded; lets a job go that has none. Again is fine. */
export async function planLoad(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord>(JOB, jobId)
  const open = job?.status === 'PENDING' ? (await listAssets(jobId)).filter(({ status }) => status === 'LOADING') : []
  if (!job) return
  if (open.length === 0) return untrack('LOAD', job)
  await sendMessages(
    'transfers',
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
 * Copies one asset from its source, or from the job that it was given to, once, however often it is asked. What is wrong
 * there fails the asset; what may pass is thrown, so that it is tried again.
 */
export async function loadAsset(message: Extract<Message, { type: 'LOAD' }>, remainingMs: number): Promise<void> {
  const { jobId, assetId } = message
  const found = await waiting(jobId, assetId)
  if (!found) return
  const { asset, job } = found
  const stillWanted = async () => (await waiting(jobId, assetId)) !== undefined
  // As many workers copy from one job as read from one source.
  const sourceId = asset.copies?.jobId ?? asset.sourceId!
  const options = { sourceId, ownerId: job.ownerId, message, remainingMs, stillWanted }
  await withSourceLease(options, async signal => {
    try {
      const copied = await copy(asset, signal, await roomFor(job, asset))
      const { size, etag } = (await objectFacts(objectOf(asset)))!
      const { type, mediaType } = describe(await readHead(objectOf({ ...asset, etag }), size), asset.name)
      const ready = { status: 'READY' as const, etag, type, contentType: mediaType, size, loaded: size, sha256: null }
      await settleWithin(job, asset, size, () => settleLoad(asset, { ...ready, ...copied }))
    } catch (error) {
      if (error instanceof ProblemError) {
        const { type, msg } = error.detail[0]!
        await failLoad(jobId, assetId, { type, message: msg })
      } else if (error instanceof SourceError && !mayPass(error, message)) await failLoad(jobId, assetId, error)
      else throw error
    }
  })
}

/** Copies the file, or the table with its schema; answers what is known of it, less when an earlier call copied it. */
async function copy(asset: AssetRecord, signal: AbortSignal, room: number): Promise<Partial<AssetRecord>> {
  if (asset.copies) return copyInput(asset, asset.copies, signal, body => reporting(asset, body, room))
  const object = objectOf(asset)
  if ((await objectSize(object)) !== undefined) return (await loadSchema(asset)) ? asTable : {}
  const stored = await findRecord<SourceRecord>(SOURCE, asset.sourceId!)
  if (!stored) throw new SourceError('source_not_found', 'The source has been deleted')
  const [source, context] = await Promise.all([openSource(stored), contextFor(stored.ownerId, signal)])
  const { entry, body, contentType, columns } = await openFromSource(source, context, asset.sourceName!)
  // It may fail before anybody reads it; whoever reads it then is told.
  body.on('error', () => {})
  try {
    if (columns) await saveSchema(asset, schemaOf(stored.kind, entry.name, columns))
    const sha256 = await putStream(object, reporting(asset, body, room), contentType)
    return { ...(columns ? asTable : {}), ...(sha256 === undefined ? {} : { sha256 }) }
  } finally {
    body.destroy()
  }
}

/** Says now and then how many bytes of an asset have come, and refuses more than there is room for. */
async function* reporting(asset: AssetRecord, body: Readable, room: number): AsyncGenerator<Buffer> {
  let loaded = 0
  let reportedAt = Date.now()
  for await (const chunk of body as AsyncIterable<Buffer>) {
    loaded += chunk.length
    if (loaded > room) throw roomExceeded()
    yield chunk
    if (Date.now() - reportedAt < REPORT_MS) continue
    reportedAt = Date.now()
    // Nothing depends on it, so a failure to tell is no reason to stop.
    await reportLoad(asset, loaded).catch(() => {})
  }
}

/** Why an asset cannot be loaded. */
type Reason = { type: ProblemType; message: string }

/** Ends an asset that cannot be loaded, with the reason, and tells the owner of the job, once. */
export async function failLoad(jobId: string, assetId: string, { type, message }: Reason): Promise<void> {
  const found = await waiting(jobId, assetId)
  if (!found) return
  const { job, asset } = found
  if (!(await settleLoad(asset, { status: 'FAILED', errors: [{ loc: [], msg: message, type }] }))) return
  await takeBackAwaited(job, [asset])
  log.warn('load failed', { assetId, failure: type })
  measure({ Failures: 1 }, { type })
  await notify(job.ownerId, { kind: 'load.failed', resource: { type: 'job', id: jobId }, name: job.name })
}

/** Fails every asset of a job that is still to be loaded. */
export async function failLoads(jobId: string, reason: Reason): Promise<void> {
  for (const { id, status } of await listAssets(jobId)) if (status === 'LOADING') await failLoad(jobId, id, reason)
}
