import { MAX_ASSETS } from '../api/job.ts'
import { ProblemError } from '../api/problems.ts'
import type { Caller } from '../http/caller.ts'
import { bytesOf } from '../jobs/lifecycle/within-quota.ts'
import { newLoad } from '../jobs/load/load-asset.ts'
import { roomExceeded } from '../jobs/load/room.ts'
import { startLoad } from '../jobs/load/start-load.ts'
import { mayPass, withSourceLease } from '../jobs/load/with-source-lease.ts'
import type { Entry, SourceContext } from '../sources/connector.ts'
import { contextFor } from '../sources/context.ts'
import { SourceError } from '../sources/errors.ts'
import { findNamedSource } from '../sources/find.ts'
import { locateInSource, previewSource, type Source } from '../sources/sources.ts'
import { transact } from '../store/dynamo.ts'
import { idFrom } from '../store/ids.ts'
import { fitsName } from '../store/job-plan.ts'
import { JOB, newJob } from '../store/jobs.ts'
import type { Message } from '../store/queue.ts'
import { countingAmount, leftToday } from '../store/quotas.ts'
import { findRecord } from '../store/records.ts'
import { listTaken, type Offered, type Room, takeNew } from '../store/schedule-entries.ts'
import { changeRun, type RunRecord, SCHEDULE_RUN } from '../store/schedule-runs.ts'
import { SCHEDULE, type ScheduleRecord } from '../store/schedules.ts'
import { openSource, type SourceRecord } from '../store/sources.ts'
import { heed, SETTLE_SECONDS } from './arrivals.ts'
import { checkProcessing } from './check.ts'
import { errorOf, failRun, finishRun } from './end.ts'
import { ownerAsCaller } from './owner.ts'

type Step = Extract<Message, { type: 'TAKE' }>

/** A run with its schedule, while there is something for the queue to do for it. */
async function underWay({ runId, scheduleId }: Step) {
  const [run, schedule] = await Promise.all([
    findRecord<RunRecord>(SCHEDULE_RUN, runId),
    findRecord<ScheduleRecord>(SCHEDULE, scheduleId),
  ])
  const isOpen = run?.step === 'taking' || (run?.step === 'loading' && !run.loads)
  return run && schedule && isOpen ? { run, schedule } : undefined
}

/**
 * Takes what is new in the source of a schedule and makes a job of it, once, however often it is asked. Each file belongs to
 * one run: what is taken by one write is a part of that run's job, whoever of several workers gets to making it.
 */
export async function takeForRun(message: Step, remainingMs: number): Promise<void> {
  const found = await underWay(message)
  if (!found) return
  const { run, schedule } = found
  await orFail(run, schedule, () => proceed(run, schedule, message, remainingMs))
}

/** Does something for a run, which fails in the step that it was read in if it is refused. */
async function orFail(run: RunRecord, schedule: ScheduleRecord, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await failRun(run, schedule, errorOf(error), 'giveBack')
  }
}

async function proceed(run: RunRecord, schedule: ScheduleRecord, message: Step, remainingMs: number): Promise<void> {
  const caller = await ownerAsCaller(schedule)
  if (run.step === 'loading') return makeJob(run, schedule, caller)
  await checkProcessing(schedule, caller)
  const stored = await sourceOf(schedule, caller)
  const options = {
    sourceId: stored.id,
    ownerId: schedule.ownerId,
    message,
    remainingMs,
    alone: `RUN#${run.id}`,
    stillWanted: async () => (await underWay(message))?.run.step === 'taking',
  }
  await withSourceLease(options, async signal => {
    let left = false
    try {
      const [source, context] = await Promise.all([openSource(stored), contextFor(stored.ownerId, signal)])
      left = await takeFrom(source, context, run, schedule, await roomOf(run, caller))
    } catch (error) {
      if (!(error instanceof SourceError) || mayPass(error, message)) throw error
      await heed(schedule, stored, false)
      return failRun(run, schedule, { loc: [], msg: error.message, type: error.type }, 'giveBack')
    }
    await heed(schedule, stored, true)
    // From here on nothing more is taken, so the job holds the same whoever makes it.
    const errors = left ? [errorOf(roomExceeded())] : []
    const closed = await changeRun(run, { step: 'loading', jobId: idFrom('job', run.id), sweeps: 0, errors })
    if (closed) await orFail(closed, schedule, () => makeJob(closed, schedule, caller))
  })
}

const sourceOf = ({ sourceId }: ScheduleRecord, caller: Caller): Promise<SourceRecord> =>
  findNamedSource(sourceId, caller)

/** What a run may still take: as much as a job holds, and as the quota of the owner has left for today. */
async function roomOf({ id: runId }: RunRecord, { id, quota }: Caller): Promise<Room> {
  const taken = await listTaken(runId)
  const left = quota ? await leftToday(id, quota) : { jobs: 1, bytes: Number.POSITIVE_INFINITY }
  return { entries: MAX_ASSETS - taken.length, bytes: left.jobs > 0 ? left.bytes - bytesOf(taken) : 0 }
}

/** Takes what is new, as far as there is room; answers whether a quota has left some of it for another day. */
async function takeFrom(
  source: Source,
  context: SourceContext,
  run: RunRecord,
  schedule: ScheduleRecord,
  room: Room,
): Promise<boolean> {
  let { entries, bytes } = room
  let left = false
  for await (const page of offered(source, context, run, schedule)) {
    context.signal.throwIfAborted()
    if (entries <= 0) break
    const took = await takeNew(run, page, { entries, bytes })
    entries -= took.entries
    bytes -= took.bytes
    left ||= took.left
  }
  return left
}

/** What a source has to offer a schedule, a page at a time: files that have settled, or the tables that it names. */
async function* offered(
  source: Source,
  context: SourceContext,
  run: RunRecord,
  { folder, files, settleSeconds = SETTLE_SECONDS, tables }: ScheduleRecord,
): AsyncGenerator<Offered[]> {
  if (tables) {
    const found = await locateInSource(source, context, tables)
    const missing = tables.filter((_, n) => !found[n])
    if (missing.length > 0) throw new SourceError('source_not_found', `The source has no ${missing[0]}`)
    // Tables have no versions: each run takes them all.
    yield found.flatMap(entry => asOffered(entry!, run.id))
    return
  }
  const before = Date.now() - settleSeconds * 1000
  let cursor: string | undefined
  do {
    const page = await previewSource(source, context, { ...(folder && { path: folder }), limit: 1000, cursor })
    yield page.entries.flatMap(entry => {
      const { name, modifiedAt, etag, size } = entry
      const isWanted = files ? fitsName(files, name.slice(name.lastIndexOf('/') + 1)) : entry.supported
      const hasSettled = modifiedAt === undefined || Date.parse(modifiedAt) <= before
      return isWanted && hasSettled ? asOffered(entry, etag ?? `${size} ${modifiedAt}`) : []
    })
    cursor = page.cursor
  } while (cursor !== undefined)
}

const asOffered = ({ name, type, assetType, size }: Entry, version: string): Offered[] =>
  type === 'folder' ? [] : [{ name, version, type, assetType, size }]

/** Makes the job of what a run took and has it loaded; ends a run that took nothing. Again is fine. */
async function makeJob(run: RunRecord, schedule: ScheduleRecord, caller: Caller): Promise<void> {
  const taken = await listTaken(run.id)
  if (taken.length === 0) return finishRun(run, schedule, {})
  const { ownerId, name, description, mode, sourceId } = schedule
  const id = run.jobId!
  // It is counted by the write that makes it, so once, however many make it. What is left is read before the job is looked for:
  // whoever makes it takes from that.
  const left = caller.quota && (await leftToday(caller.id, caller.quota))
  const isCounted = !left || (await findRecord(JOB, id)) !== undefined
  const amount = { jobs: 1, bytes: bytesOf(taken) }
  const counting = isCounted ? undefined : countingAmount(caller.id, caller.quota!, { amount, left })
  const counted = counting && { counted: counting.day }
  const job = newJob({ id, ownerId, name, description, mode, sourceId, ...counted }, taken.length)
  const assets = taken.map(entry => ({
    ...newLoad(job, { ...entry, supported: true }),
    id: assetIdOf(job.id, entry.name),
  }))
  await startLoad(job, assets, writes => transact(counting ? [...writes, counting.write] : writes))
  await changeRun(run, { loads: true, counts: { ...run.counts, taken: taken.length } })
}

/** The asset that an entry of a source becomes in the job of a run. */
export const assetIdOf = (jobId: string, name: string): string => idFrom('asset', jobId, name)

/** Fails a run for which nothing could be taken in several attempts. */
export async function failTaking(message: Step): Promise<void> {
  const found = await underWay(message)
  const msg = 'What is new could not be taken in several attempts'
  if (found) await failRun(found.run, found.schedule, { loc: [], msg, type: 'source_failed' }, 'giveBack')
}
