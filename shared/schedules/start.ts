import { randomUUID } from 'node:crypto'
import { describeFailure } from '../failure.ts'
import { log } from '../log.ts'
import { type Transact, transact } from '../store/dynamo.ts'
import { idFrom } from '../store/ids.ts'
import { sendMessages } from '../store/queue.ts'
import { findRecord } from '../store/records.ts'
import { beginningRun, type RunRecord } from '../store/schedule-runs.ts'
import { type DueRow, dueSchedules, forgetDue, SCHEDULE, type ScheduleRecord, takeDue } from '../store/schedules.ts'
import { nextTime } from './timing.ts'

/** How often a run that somebody asks for is begun again because the schedule has just changed. */
const ATTEMPTS = 10

/**
 * Begins the run of every schedule whose time has come: one, however many times have passed. What fails with one schedule holds up
 * no other.
 */
export async function startDue(now = Date.now()): Promise<void> {
  const begun = new Set<string>()
  for await (const due of dueSchedules(now)) {
    try {
      await start(due, begun, now)
    } catch (error) {
      log.error('run not begun', { scheduleId: due.scheduleId, failure: describeFailure(error) })
    }
  }
}

async function start(due: DueRow, begun: Set<string>, now: number): Promise<void> {
  const { scheduleId, arrived } = due
  const schedule = await findRecord<ScheduleRecord>(SCHEDULE, scheduleId)
  const isOver = arrived ? !schedule?.enabled || begun.has(scheduleId) : schedule?.nextRunAt !== due.at
  if (!schedule || isOver) await forgetDue(due)
  else if (await (arrived ? startArrived : startPlanned)(schedule, due, now)) begun.add(scheduleId)
}

type Start = (schedule: ScheduleRecord, due: DueRow, now: number) => Promise<boolean>

const startPlanned: Start = async (schedule, { at: plannedAt }, now) => {
  const next = nextTime(schedule, new Date(Math.max(now, Date.parse(plannedAt))))?.toISOString() ?? null
  const run = newRun(schedule, { id: idFrom('run', schedule.id, plannedAt), trigger: 'schedule', plannedAt })
  const begins = await transact(beginningRun(schedule, run, next))
  if (begins) await haveTaken(schedule, run)
  return begins
}

/** What has come into a bucket is taken by one run; the time that the schedule has by itself stays. */
const startArrived: Start = async (schedule, due) => {
  const run = newRun(schedule, { id: randomUUID(), trigger: 'arrival', plannedAt: due.at })
  const begins = await transact([...beginningRun(schedule, run, schedule.nextRunAt), takeDue(due)])
  if (begins) await haveTaken(schedule, run)
  return begins
}

/** Begins a run of a schedule that somebody asks for. */
export async function startNow(schedule: ScheduleRecord, write: Transact): Promise<RunRecord> {
  let current: ScheduleRecord | undefined = schedule
  for (let attempt = 0; current && attempt < ATTEMPTS; attempt++) {
    const run = newRun(current, { id: randomUUID(), trigger: 'manual', plannedAt: new Date().toISOString() })
    if (await write(beginningRun(current, run, current.nextRunAt))) {
      await haveTaken(current, run)
      return run
    }
    current = await findRecord<ScheduleRecord>(SCHEDULE, schedule.id)
  }
  throw new Error('The schedule is being changed too often')
}

/** Has the queue take what is new; what is lost is sent again when the run shows no sign of life. */
export async function haveTaken({ ownerId }: ScheduleRecord, { id: runId, scheduleId }: RunRecord): Promise<void> {
  log.info('run begins', { scheduleId, runId })
  await sendMessages('transfers', ownerId, [{ type: 'TAKE', scheduleId, runId }])
}

function newRun(
  { id: scheduleId }: ScheduleRecord,
  fields: Pick<RunRecord, 'id' | 'trigger' | 'plannedAt'>,
): RunRecord {
  const now = new Date().toISOString()
  return {
    ...fields,
    scheduleId,
    // Runs are listed by their schedule.
    ownerId: scheduleId,
    status: 'IN_PROGRESS',
    step: 'taking',
    jobId: null,
    counts: { taken: 0, returned: 0, parked: 0, succeeded: 0, delivered: 0 },
    errors: [],
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
    sweeps: 0,
  }
}
