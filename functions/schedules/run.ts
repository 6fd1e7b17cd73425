import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { startNow } from '../../shared/schedules/start.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.run)(async ({ params, user, write }) =>
  startNow(await findOwned<ScheduleRecord>(SCHEDULE, params.schedule_id, user, 'schedules'), write),
)
