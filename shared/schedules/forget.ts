import { idsOwnedBy } from '../store/lists.ts'
import { findRecord, keyOf } from '../store/records.ts'
import { removeRows } from '../store/schedule-entries.ts'
import { SCHEDULE_RUN } from '../store/schedule-runs.ts'
import { SCHEDULE } from '../store/schedules.ts'

/** Removes the runs of a schedule that is gone, and what it remembers. Again is fine. */
export async function forgetSchedule(scheduleId: string): Promise<void> {
  if (await findRecord(SCHEDULE, scheduleId)) return
  for await (const runId of idsOwnedBy(SCHEDULE_RUN, scheduleId)) await removeRows(keyOf(SCHEDULE_RUN, runId).pk)
  await removeRows(keyOf(SCHEDULE, scheduleId).pk)
}
