import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.get)(({ params, user }) =>
  findOwned<ScheduleRecord>(SCHEDULE, params.schedule_id, user, 'schedules'),
)
