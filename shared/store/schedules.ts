import type { Schedule } from '../api/schedules.ts'
import { deleteItem, type Item, putItem, queryItems, type Transact, transact, type Write } from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { changing, creating, removing, whileSame } from './records.ts'

export const SCHEDULE: Kind = kinds.schedule_id

export type ScheduleRecord = Schedule & { ownerId: string }

/**
 * A schedule that is to run at a time; `sk` begins with the time. `arrived`: because of what has come into a bucket, whatever
 * its own time is.
 */
export type DueRow = Item & { scheduleId: string; at: string; arrived?: true }

const DUE = 'DUE'

const dueKey = (id: string, at: string) => ({ pk: DUE, sk: `${at}#${id}` })

/** Has a schedule run at a time because of what has come into a bucket; once, however often it is asked. */
export const putArrival = (id: string, at: string): Promise<void> =>
  putItem('schedules', { pk: DUE, sk: `${at}#${id}#ARRIVED`, scheduleId: id, at, arrived: true })

/** The write that takes a schedule from those that are due; it fails when another has done so. */
export const takeDue = ({ pk, sk }: DueRow): Write => ({
  table: 'schedules',
  delete: { pk, sk },
  condition: { condition: 'attribute_exists(pk)' },
})

/** The writes that move a schedule among those that are due. */
export const dueWrites = (id: string, before: string | null, after: string | null): Write[] =>
  before === after
    ? []
    : [
        ...(before ? [{ table: 'schedules' as const, delete: dueKey(id, before) }] : []),
        ...(after ? [{ table: 'schedules' as const, put: { ...dueKey(id, after), scheduleId: id, at: after } }] : []),
      ]

/** Creates a schedule. */
export async function createSchedule(schedule: ScheduleRecord, write: Transact = transact): Promise<void> {
  await write([...creating(SCHEDULE, schedule), ...dueWrites(schedule.id, null, schedule.nextRunAt)])
}

/** Changes a schedule while it is as it was read; undefined when it is not. */
export async function changeSchedule(
  before: ScheduleRecord,
  changes: Partial<ScheduleRecord>,
  write: Transact = transact,
): Promise<ScheduleRecord | undefined> {
  const { after, write: change } = changing(SCHEDULE, before, changes, whileSame(before, ['updatedAt', 'nextRunAt']))
  const moved = dueWrites(before.id, before.nextRunAt, after.nextRunAt)
  return (await write([change, ...moved])) ? after : undefined
}

/** Removes a schedule while its next time is as it was read; its runs and what it took remain for the queue to remove. */
export function removeSchedule(schedule: ScheduleRecord, write: Transact = transact): Promise<boolean> {
  const [removal, ...totals] = removing(SCHEDULE, schedule)
  const same = { ...removal, condition: whileSame(schedule, ['nextRunAt']) } as Write
  return write([same, ...totals, ...dueWrites(schedule.id, schedule.nextRunAt, null)])
}

/** The schedules whose time has come, the longest due first. */
export async function* dueSchedules(now: number): AsyncGenerator<DueRow> {
  const until = new Date(now).toISOString()
  for await (const row of queryItems<DueRow>({ table: 'schedules', key: DUE })) {
    if (row.at > until) return
    yield row
  }
}

/** Lets go of a time that is no longer its schedule's. */
export const forgetDue = (due: DueRow): Promise<void> => deleteItem('schedules', due)

const bucketKey = (bucket: string) => `BUCKET#${bucket}`

/** Remembers that a schedule takes from a bucket. */
export const watchBucket = (bucket: string, scheduleId: string): Promise<void> =>
  putItem('schedules', { pk: bucketKey(bucket), sk: scheduleId })

/** Forgets it. */
export const unwatchBucket = (bucket: string, scheduleId: string): Promise<void> =>
  deleteItem('schedules', { pk: bucketKey(bucket), sk: scheduleId })

/** The ids of the schedules that take from a bucket, as far as is remembered. */
export async function* schedulesOfBucket(bucket: string): AsyncGenerator<string> {
  for await (const { sk } of queryItems({ table: 'schedules', key: bucketKey(bucket) })) yield sk
}
