import { schedules } from '../../shared/api/schedules.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.list)(async call =>
  listed(call, await listRecords<ScheduleRecord>(SCHEDULE, scopeOf(call.user, 'schedules'), call.page)),
)
