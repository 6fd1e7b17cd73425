import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { letGo, listParked } from '../../shared/store/schedule-entries.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.retry)(async ({ params, body, user, write }) => {
  const { id } = await findOwned<ScheduleRecord>(SCHEDULE, params.schedule_id, user, 'schedules')
  const names = body.names && new Set(body.names)
  let released = 0
  for (const entry of await listParked(id)) {
    if (names && !names.has(entry.name)) continue
    released += Number(await letGo(id, entry, write))
  }
  return { id, released }
})
