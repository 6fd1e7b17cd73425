import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { listParked } from '../../shared/store/schedule-entries.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.parked)(async call => {
  const { id } = await findOwned<ScheduleRecord>(SCHEDULE, call.params.schedule_id, call.user, 'schedules')
  return listed(call, pageOf(await listParked(id), call.page))
})
