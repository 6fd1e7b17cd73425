import { schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listAhead, listRecords } from '../../shared/store/lists.ts'
import { type RunRecord, SCHEDULE_RUN } from '../../shared/store/schedule-runs.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.runs)(
  async call => {
    const { id } = await findOwned<ScheduleRecord>(SCHEDULE, call.params.schedule_id, call.user, 'schedules')
    return listed(call, await listRecords<RunRecord>(SCHEDULE_RUN, { ownerId: id }, call.page))
  },
  { ahead: ({ params, page }) => listAhead(SCHEDULE_RUN, { ownerId: params.schedule_id }, page) },
)
