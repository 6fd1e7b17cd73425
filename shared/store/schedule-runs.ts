import type { ScheduleRun } from '../api/schedules.ts'
import { settings } from '../settings.ts'
import { deleteItem, type Item, queryItems, setting, transact, ttlIn, updateItem, type Write } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { creating, keyOf, type Stored } from './records.ts'
import { dueWrites, SCHEDULE, type ScheduleRecord } from './schedules.ts'

/** Runs are listed by their schedule, which stands where records have their owner. */
export const SCHEDULE_RUN: Kind = { table: 'schedules', name: 'SCHEDULE-RUN', expires: true }

export type RunRecord = ScheduleRun &
  Stored & {
    /** Whether its job is there, so that it is not made again. */
    loads?: boolean
    /** The delivery of its results. */
    deliveryId?: string
    /** Of one that fails: what becomes of what it took. */
    fate?: 'park' | 'giveBack'
    /** How often it was found without a sign of life. */
    sweeps: number
  }

/** A run that is under way. */
type OpenRow = Item & { runId: string }

const OPEN = 'OPEN'
const DAY = 24 * 3600

const openKey = (runId: string) => ({ pk: OPEN, sk: runId })

/** Seconds that what a run leaves is kept: as long as the files of its job. */
export const keptSeconds = (): number => settings().RETENTION_DAYS * DAY

/**
 * The writes that begin a run, and move its schedule on to `next` when the time of the run is the schedule's own; they fail when another
 * has begun it or the schedule has changed.
 */
export function beginningRun(schedule: ScheduleRecord, run: RunRecord, next: string | null): Write[] {
  const { id, nextRunAt } = schedule
  const set = setting({ lastRunAt: run.createdAt, nextRunAt: next })
  const same = { condition: 'attribute_exists(pk) AND nextRunAt = :seen', values: { ':seen': nextRunAt } }
  return [
    ...creating(SCHEDULE_RUN, run),
    { table: 'schedules', put: { ...openKey(run.id), runId: run.id } },
    {
      table: 'schedules',
      update: keyOf(SCHEDULE, id),
      change: { ...set, ...same, values: { ...set.values, ...same.values } },
    },
    ...dueWrites(id, nextRunAt, next),
  ]
}

/** The ids of all runs that are under way. */
export async function* openRuns(): AsyncGenerator<string> {
  for await (const { runId } of queryItems<OpenRow>({ table: 'schedules', key: OPEN })) yield runId
}

/** Lets go of a run that is not there any more. */
export const forgetRun = (runId: string): Promise<void> => deleteItem('schedules', openKey(runId))

/** Holds while a run is in a step. */
const inStep = ({ step }: RunRecord) => ({
  condition: '#step = :step',
  names: { '#step': 'step' },
  values: { ':step': step },
})

/** Changes a run while it is in the step that it was read in; undefined when it is not. */
export function changeRun(run: RunRecord, changes: Partial<RunRecord>): Promise<(RunRecord & Item) | undefined> {
  const set = setting({ ...changes, updatedAt: new Date().toISOString() })
  const same = inStep(run)
  return updateItem<RunRecord & Item>('schedules', keyOf(SCHEDULE_RUN, run.id), {
    ...set,
    ...same,
    names: { ...set.names, ...same.names },
    values: { ...set.values, ...same.values },
  })
}

/** Ends a run that is in the step that it was read in; false when it is not. One that took nothing is kept for a day. */
export function endRun(run: RunRecord, ended: Pick<RunRecord, 'status' | 'counts' | 'errors'>): Promise<boolean> {
  const now = new Date().toISOString()
  const isEmpty = ended.counts.taken === 0
  const ttl = ttlIn(isEmpty ? DAY : keptSeconds())
  const set = setting({ ...ended, jobId: isEmpty ? null : run.jobId, step: null, finishedAt: now, updatedAt: now, ttl })
  const same = inStep(run)
  const change = { ...set, ...same, names: { ...set.names, ...same.names }, values: { ...set.values, ...same.values } }
  return transact([
    { table: 'schedules', update: keyOf(SCHEDULE_RUN, run.id), change },
    { table: 'schedules', delete: openKey(run.id) },
  ])
}

/** The write that holds while a run takes what is new. */
export const whileTaking = (runId: string): Write => ({
  table: 'schedules',
  check: keyOf(SCHEDULE_RUN, runId),
  condition: { condition: '#step = :taking', names: { '#step': 'step' }, values: { ':taking': 'taking' } },
})
