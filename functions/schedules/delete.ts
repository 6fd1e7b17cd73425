import { notFound } from '../../shared/api/problems.ts'
import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { findRecord } from '../../shared/store/records.ts'
import { removeSchedule, SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

/** How often a removal is tried that a run of the schedule comes before. */
const ATTEMPTS = 10

export const handler = handle(schedules.delete)(async ({ params, user, write }) => {
  const { id, ownerId } = await findOwned<ScheduleRecord>(SCHEDULE, params.schedule_id, user, 'schedules')
  const forget = { type: 'FORGET', scheduleId: id } as const
  // Sent first and late too: should the second sending fail, nobody could ask for it again.
  await sendMessages('jobs', ownerId, [forget], 60)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const schedule = await findRecord<ScheduleRecord>(SCHEDULE, id)
    if (!schedule) throw notFound('schedule')
    if (!(await removeSchedule(schedule, write))) continue
    await sendMessages('jobs', ownerId, [forget])
    return { id, deleted: true as const }
  }
  throw new Error('The schedule is being changed too often')
})
