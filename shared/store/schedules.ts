import type { Schedule } from '../api/schedules.ts'
import { deleteItem, type Item, queryItems, transact, type Write } from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { changing, creating, removing, whileSame } from './records.ts'

export const SCHEDULE: Kind = kinds.schedule_id

export type ScheduleRecord = Schedule & { ownerId: string }

/** A schedule that is to run at a time; `sk` begins with the time. */
type DueRow = Item & { scheduleId: string; at: string }

const DUE = 'DUE'

const dueKey = (id: string, at: string) => ({ pk: DUE, sk: `${at}#${id}` })

/** The writes that move a schedule among those that are due. */
export const dueWrites = (id: string, before: string | null, after: string | null): Write[] =>
  before === after
    ? []
    : [
        ...(before ? [{ table: 'schedules' as const, delete: dueKey(id, before) }] : []),
        ...(after ? [{ table: 'schedules' as const, put: { ...dueKey(id, after), scheduleId: id, at: after } }] : []),
      ]

/** Creates a schedule. */
export async function createSchedule(schedule: ScheduleRecord): Promise<void> {
  await transact([...creating(SCHEDULE, schedule), ...dueWrites(schedule.id, null, schedule.nextRunAt)])
}

/** Changes a schedule while it is as it was read; undefined when it is not. */
export async function changeSchedule(
  before: ScheduleRecord,
  changes: Partial<ScheduleRecord>,
): Promise<ScheduleRecord | undefined> {
  const { after, write } = changing(SCHEDULE, before, changes, whileSame(before, ['updatedAt', 'nextRunAt']))
  const moved = dueWrites(before.id, before.nextRunAt, after.nextRunAt)
  return (await transact([write, ...moved])) ? after : undefined
}

/** Removes a schedule while its next time is as it was read; its runs and what it took remain for the queue to remove. */
export function removeSchedule(schedule: ScheduleRecord): Promise<boolean> {
  const [removal, ...totals] = removing(SCHEDULE, schedule)
  const same = { ...removal, condition: whileSame(schedule, ['nextRunAt']) } as Write
  return transact([same, ...totals, ...dueWrites(schedule.id, schedule.nextRunAt, null)])
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
export const forgetDue = ({ scheduleId, at }: DueRow): Promise<void> => deleteItem('schedules', dueKey(scheduleId, at))
