import { rm } from 'node:fs/promises'
import { type Decision, EngineError, type Plan, type Rounds } from 'anonymisation-engine'
import { fetchModels, modelCache } from '../../models/fetch.ts'
import { settings } from '../../settings.ts'
import type { AssetRecord } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import type { EngineFacts } from '../../store/evidence.ts'
import { assetsWithMarks, findsValues, isLookedThrough } from '../../store/found-values.ts'
import { heartbeat, tell } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { findWork, JOB, planOfAsset } from '../../store/jobs.ts'
import { isChanged } from '../../store/objects.ts'
import { isNews, type Made, type Unit } from '../../store/progress.ts'
import { findRecord } from '../../store/records.ts'
import {
  assetsWithProposals,
  findProposals,
  isHeldBack,
  isProposedBy,
  loadDecisions,
  loadKept,
  reviewKey,
} from '../../store/reviews.ts'
import { numberValues } from '../../store/value-numbers.ts'
import { recordFailure } from '../anonymise/record-result.ts'
import { cleanJob } from '../lifecycle/erase-job.ts'
import { endIfDone } from '../lifecycle/finish-job.ts'
import { decisionsOn, roundsOf } from '../review/decisions-on.ts'
import { engineFacts } from './engine-facts.ts'
import { fetchFilter } from './filter.ts'
import { fetchLists } from './lists.ts'
import { secretsOf } from './secrets.ts'
import { HEAP_MIB } from './threads.ts'
import { makeWorkFolder } from './work-folder.ts'
import { anonymiseIsolated, type Bounds, type Ended, type Isolated, isolate, type ThreadData } from './worker-host.ts'

/** How often a worker looks whether its job has been cancelled, and says that it lives, milliseconds. */
const LOOK_MS = 1000
const BEAT_MS = 30_000
/** It tells how far it is at every look, but not before this share of the time so far has passed since the last time. */
const TELL_SHARE = 0.05
/** What is left of an invocation for storing the result, milliseconds. */
const RESERVE_MS = 20_000

/** Thrown inside when the job has ended meanwhile. */
class Stopped extends Error {}

/** The file is not the one that was taken in: whatever it is, nobody has asked for its results. */
export const changedFile = () => new EngineError('internal', 'The file is another one than when it was taken in')

/** What one attempt at an asset has to work with. */
export type WorkItem = {
  job: JobRecord
  asset: AssetRecord
  /** A folder on disk that goes when the attempt ends. */
  directory: string
  /** Aborts when the job is no longer running. */
  signal: AbortSignal
  /** When work that can be gone on with should be left to another attempt, milliseconds since 1970. */
  deadline: number
  /** Tells how far it has come, in bytes of the asset or chunk; less than before changes nothing. */
  progress(bytes: number): void
  /** What an output of this attempt is made with. */
  engine(): Promise<EngineFacts>
  /** Runs the engine on a file in a thread with hard limits. */
  run(path: string, chunk?: ThreadData['chunk']): Promise<Isolated>
  /** Looks for the values of a chunk of a table; answers the file with their marks. */
  find(path: string, chunk?: ThreadData['chunk']): Promise<string>
  /** The same as `run` with bounded reading of pictures, or for that alone, or to look for values. */
  isolate(path: string, more: Pick<ThreadData, 'readings' | 'read' | 'find'>): Promise<Ended>
}

/**
 * One attempt at an asset of a running job, or at a part of it. What is wrong with the asset becomes its result; any
 * other failure is thrown, so that the message comes again. Nothing is done for an asset that has a result; `act` answers whether the job
 * has ended with what it did.
 */
export async function withWorkItem(
  { jobId, assetId, chunk, remainingMs }: Unit & { jobId: string; remainingMs: number },
  act: (attempt: WorkItem) => Promise<boolean>,
): Promise<void> {
  const { job, asset, result } = await findWork(jobId, assetId)
  if (job?.status !== 'IN_PROGRESS' || result || (await isPrepared(job, assetId))) return settle(jobId)
  const directory = await makeWorkFolder()
  let made = 0
  let hasEnded = false
  const progress = (bytes: number) => {
    made = Math.max(made, Math.floor(bytes))
  }
  const watch = watchJob(jobId, () => ({ unit: { assetId, chunk }, bytes: made }))
  const deadline = Date.now() + Math.max(1000, remainingMs - RESERVE_MS)
  try {
    if (!asset) throw new EngineError('internal', 'The asset has been deleted')
    if (findsValues(job) && !isLookedThrough(job, asset)) return
    let loading: Promise<Plan> | undefined
    const planOf = () => (loading ??= planOfAsset(job, asset))
    // Read while the asset is fetched; where that fails, it fails when it is asked for.
    planOf().catch(() => {})
    const dataFor = async (path: string) => threadData({ job, asset, directory }, await planOf(), path)
    const bounds = (): Bounds => ({
      milliseconds: Math.max(1000, deadline - Date.now()),
      heapMiB: HEAP_MIB,
      signal: watch.signal,
      number: keys => numberValues(jobId, keys),
      progress,
    })
    hasEnded = await act({
      job,
      asset,
      directory,
      signal: watch.signal,
      deadline,
      progress,
      engine: async () => engineFacts(await planOf()),
      run: async (path, chunk) => anonymiseIsolated({ ...(await dataFor(path)), chunk }, bounds()),
      find: async (path, chunk) => {
        const { compared } = job.values!
        const ended = await isolate({ ...(await dataFor(path)), chunk, find: { compared } }, bounds())
        if (ended.type !== 'marked') throw new EngineError('internal')
        return ended.path
      },
      isolate: async (path, more) => isolate({ ...(await dataFor(path)), ...more }, bounds()),
    })
  } catch (error) {
    // Whatever the end of the job interrupted has its own name for it.
    if (!(error instanceof Stopped || watch.signal.aborted)) {
      const failure = isChanged(error) ? changedFile() : error
      if (!(failure instanceof EngineError)) throw failure
      await recordFailure({ jobId, assetId, begun: job }, failure)
    }
  } finally {
    watch.end()
    await rm(directory, { recursive: true, force: true })
  }
  if (!hasEnded) await settle(jobId)
}

/** What the thread is given that works on an asset, whose file is at `path`. */
async function threadData(
  { job, asset, directory }: Pick<WorkItem, 'job' | 'asset' | 'directory'>,
  plan: Plan,
  path: string,
): Promise<ThreadData> {
  const [secrets, lists, filter] = await Promise.all([
    secretsOf(plan, job, asset),
    fetchLists(plan, directory),
    fetchFilter(plan, job, asset, directory),
    fetchModels(plan),
  ])
  const { name, table } = asset
  const { OCR_LANGUAGES: ocrLanguages, OCR_MIN_CONFIDENCE: ocrMinConfidence } = settings()
  const options = { ocrLanguages, ocrMinConfidence, ...table }
  const inspects = job.mode === 'INSPECT'
  const { review } = job
  const proposes = review?.state === 'preparing'
  const reviewed = review?.state === 'released' ? await decided(job, asset, plan) : undefined
  const asked = { inspects, proposes, ...reviewed, keepsFindings: asset.type === 'DOCUMENT' && !job.restores }
  const of = { job: job.id, owner: job.ownerId }
  return { path, name, options, directory, models: modelCache, ...of, plan, secrets, lists, filter, ...asked }
}

/** What the review of a job decided on an asset. Refuses it where something else was proposed than what would be made now. */
async function decided(
  job: JobRecord,
  asset: AssetRecord,
  plan: Plan,
): Promise<{ decisions: Decision[]; rounds?: Rounds }> {
  const key = reviewKey(job.id)
  const [engine, proposed, taken, kept] = await Promise.all([
    engineFacts(plan),
    findProposals(job, asset.id),
    loadDecisions(job, key),
    loadKept(job, asset.id, key),
  ])
  if (!proposed || !isProposedBy(proposed, engine)) throw new EngineError('review_outdated')
  return { decisions: decisionsOn({ assetId: asset.id, job, kept }, taken), rounds: roundsOf(job, kept) }
}

/** Ends the job if this was the last of it. What was stored for one that was cancelled meanwhile goes as the rest did. */
async function settle(jobId: string): Promise<void> {
  if ((await endIfDone(jobId)) === 'CANCELLED') await cleanJob(jobId, false)
}

/** Whether there is nothing to do for an asset any more, or not until its review is released. */
export async function isSettled(jobId: string, assetId: string): Promise<boolean> {
  const { job, result } = await findWork(jobId, assetId)
  return job?.status !== 'IN_PROGRESS' || result !== undefined || isProposed(job, assetId)
}

/** Whether a job is held back by its review, or has what is proposed for an asset. */
async function isProposed(job: JobRecord, assetId: string): Promise<boolean> {
  if (isHeldBack(job)) return true
  return job.review?.state === 'preparing' && (await assetsWithProposals(job, [assetId])).size > 0
}

/** The same, or it has the marks of the values of an asset while they are looked for. */
const isPrepared = async (job: JobRecord, assetId: string): Promise<boolean> =>
  (await isProposed(job, assetId)) || (findsValues(job) && (await assetsWithMarks(job.id, [assetId])).size > 0)

async function runningJob(jobId: string): Promise<(JobRecord & Item) | undefined> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  return job?.status === 'IN_PROGRESS' ? job : undefined
}

/** Aborts when the job is no longer running; until then says that it lives and how far it is. */
function watchJob(jobId: string, made: () => Made): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const heart = heartOf(jobId, made)
  const look = setInterval(async () => {
    // A look that fails is no reason to stop: the next one may not.
    const job = await runningJob(jobId).catch(() => 'unknown' as const)
    if (!job) controller.abort(new Stopped())
    else heart(job === 'unknown' ? undefined : job).catch(() => {})
  }, LOOK_MS)
  return { signal: controller.signal, end: () => clearInterval(look) }
}

/** What is to be done about the heartbeat after each look at the job. */
function heartOf(jobId: string, made: () => Made): (job: JobRecord | undefined) => Promise<void> {
  const began = Date.now()
  let beaten = began
  let next = began
  return async job => {
    const now = Date.now()
    if (job && now >= next && isNews(job, made())) {
      next = Number.POSITIVE_INFINITY
      // A conflict with another write passes; what nobody wants to hear is not said again soon.
      const reported = await tell(job, made()).catch(() => undefined)
      next = now + (reported === undefined ? 0 : reported ? Math.min(BEAT_MS, TELL_SHARE * (now - began)) : BEAT_MS)
      if (reported) beaten = now
    } else if (now - beaten >= BEAT_MS) {
      beaten = now
      await heartbeat(jobId)
    }
  }
}
