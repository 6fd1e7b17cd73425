import { ProblemError } from '../../shared/api/problems.ts'
import { type ScheduleChanges, schedules } from '../../shared/api/schedules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkSchedule } from '../../shared/schedules/check.ts'
import { whenNext } from '../../shared/schedules/timing.ts'
import { changeSchedule, SCHEDULE, type ScheduleRecord } from '../../shared/store/schedules.ts'

/** How often a change is tried that a run of the schedule, or another change, comes before. */
const ATTEMPTS = 10

export const handler = handle(schedules.update)(async ({ params, body, user, write }) => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await findOwned<ScheduleRecord>(SCHEDULE, params.schedule_id, user, 'schedules')
    const changes = onlyOne(body)
    const after = { ...before, ...changes }
    const isPause = Object.keys(body).every(name => name === 'enabled')
    if (!isPause && before.ownerId !== user.id) {
      const msg = 'Only its owner can change what a schedule does; others may pause it'
      throw new ProblemError({ type: 'permission_denied', msg })
    }
    // A schedule that can't run any more can still be paused.
    if (!isPause) await checkSchedule(after, user)
    const changed = await changeSchedule(before, { ...changes, nextRunAt: whenNext(after) }, write)
    if (changed) return changed
  }
  throw new Error('The schedule is being changed too often')
})

/** What is given takes the place of what it excludes. */
const onlyOne = ({ cron, rate, ...changes }: ScheduleChanges): Partial<ScheduleRecord> => ({
  ...changes,
  ...(cron !== undefined && { cron, rate: null }),
  ...(rate !== undefined && { rate, cron: null }),
  ...(changes.workflowId && !changes.presetId && { presetId: null }),
  ...(changes.presetId && !changes.workflowId && { workflowId: null }),
})
