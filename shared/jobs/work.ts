import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EngineError } from '../engine/errors.ts'
import { type AssetRecord, changeAsset, listAssetsNamed, objectOf } from '../store/assets.ts'
import type { Item } from '../store/dynamo.ts'
import { beat, findResult, JOB, type JobRecord, loadPlan } from '../store/jobs.ts'
import { deriveSecret } from '../store/keys.ts'
import { numberValues } from '../store/numbers.ts'
import { readObject } from '../store/objects.ts'
import { findRecord } from '../store/records.ts'
import { endIfDone } from './end.ts'
import { anonymiseIsolated, type Isolated } from './isolate.ts'
import { digestOf, recordFailure, recordSuccess } from './result.ts'

/** How often a worker looks whether its job has been cancelled, and says that it lives, milliseconds. */
const LOOK_MS = 1000
const BEAT_MS = 30_000
/** What is left of an invocation for storing the result, milliseconds. */
const RESERVE_MS = 20_000
/** Heap of the thread that an asset is processed in, MiB. */
const HEAP_MIB = 1536

/** Thrown inside when the job has ended meanwhile. */
class Stopped extends Error {}

async function runningJob(jobId: string): Promise<(JobRecord & Item) | undefined> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  return job?.status === 'IN_PROGRESS' ? job : undefined
}

/**
 * Anonymises one asset of a running job and records what came of it, once, however often it is asked. What is wrong
 * with the asset is its result; any other failure is thrown, so that the message comes again.
 */
export async function anonymiseAsset(jobId: string, assetId: string, remainingMs: number): Promise<void> {
  const job = await runningJob(jobId)
  if (!job) return
  if (await findResult(jobId, assetId)) return endIfDone(jobId)
  const directory = await mkdtemp(join(tmpdir(), 'asset-'))
  const watch = watchJob(jobId)
  try {
    const [asset] = await listAssetsNamed(jobId, [assetId])
    if (!asset) throw new EngineError('internal', 'The asset has been deleted')
    const path = await download(asset, directory)
    const milliseconds = Math.max(1000, remainingMs - RESERVE_MS)
    await recordSuccess(asset, await process(job, asset, { path, directory, milliseconds, signal: watch.signal }))
  } catch (error) {
    if (error instanceof Stopped) return
    if (!(error instanceof EngineError)) throw error
    await recordFailure(jobId, assetId, error)
  } finally {
    watch.end()
    await rm(directory, { recursive: true, force: true })
  }
  await endIfDone(jobId)
}

/** Brings the asset's file to disk. The digest of one that the client sent to the store itself is noted only now. */
async function download(asset: AssetRecord, directory: string): Promise<string> {
  const path = join(directory, 'input')
  await pipeline(await readObject(objectOf(asset)), createWriteStream(path))
  if (!asset.sha256) await changeAsset(asset, { sha256: await digestOf(path) })
  return path
}

type Room = { path: string; directory: string; milliseconds: number; signal: AbortSignal }

async function process(job: JobRecord, { name }: AssetRecord, { path, directory, ...bounds }: Room): Promise<Isolated> {
  const [plan, hash, pseudonym] = await Promise.all([
    loadPlan(job.planKey!),
    deriveSecret('hash'),
    deriveSecret(`pseudonym:${job.id}`),
  ])
  const secrets = { hash: hash.export(), pseudonym: pseudonym.export() }
  const number = (keys: string[]) => numberValues(job.id, keys)
  return anonymiseIsolated({ path, name, plan, secrets, directory }, { ...bounds, heapMiB: HEAP_MIB, number })
}

/** Aborts when the job is no longer running; keeps its heartbeat going until then. */
function watchJob(jobId: string): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const look = setInterval(async () => {
    // A look that fails is no reason to stop: the next one may not.
    const job = await runningJob(jobId).catch(() => 'unknown')
    if (!job) controller.abort(new Stopped())
  }, LOOK_MS)
  const heart = setInterval(() => void beat(jobId).catch(() => {}), BEAT_MS)
  const end = () => {
    clearInterval(look)
    clearInterval(heart)
  }
  return { signal: controller.signal, end }
}
