import { randomUUID } from 'node:crypto'
import { schedules } from '../../shared/api/schedules.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkSchedule } from '../../shared/schedules/check.ts'
import { whenNext } from '../../shared/schedules/timing.ts'
import { createSchedule, type ScheduleRecord } from '../../shared/store/schedules.ts'

export const handler = handle(schedules.create)(async ({ body, user, note, write }) => {
  const { cron = null, rate = null, workflowId = null, presetId = null, plan = null, deliver = null, ...fields } = body
  const now = new Date().toISOString()
  const schedule: ScheduleRecord = {
    ...{ ...fields, id: randomUUID(), ownerId: user.id },
    ...{ cron, rate, workflowId, presetId, plan, deliver },
    mode: body.mode ?? 'ANONYMISE',
    ...{ nextRunAt: null, lastRunAt: null, createdAt: now, updatedAt: now },
  }
  await checkSchedule(schedule, user)
  const created = { ...schedule, nextRunAt: whenNext(schedule) }
  note({ newId: created.id })
  await createSchedule(created, write)
  return created
})
