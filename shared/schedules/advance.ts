import { ProblemError } from '../api/problems.ts'
import { log } from '../log.ts'
import { settings } from '../settings.ts'
import { findRecord } from '../store/records.ts'
import { changeRun, forgetRun, openRuns, type RunRecord, SCHEDULE_RUN } from '../store/schedule-runs.ts'
import { SCHEDULE, type ScheduleRecord } from '../store/schedules.ts'
import { deliverResults, endDelivered } from './deliver-run.ts'
import { endFailing, errorOf, failRun } from './end.ts'
import { executeLoaded } from './execute-run.ts'
import { haveTaken } from './start.ts'

/** Runs that are looked after at the same time. */
const AT_ONCE = 8

/** Takes every run that is under way a step further if it can go on. What fails with one run holds up no other. */
export async function advanceRuns(now = Date.now()): Promise<void> {
  const left = openRuns()
  const hand = async () => {
    for await (const runId of left) {
      try {
        await advance(runId, now)
      } catch (error) {
        log.error('run not advanced', { runId, failure: error instanceof Error ? error.name : 'unknown' })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, hand))
}

async function advance(runId: string, now: number): Promise<void> {
  const run = await findRecord<RunRecord>(SCHEDULE_RUN, runId)
  const schedule = run && (await findRecord<ScheduleRecord>(SCHEDULE, run.scheduleId))
  if (!run?.step || !schedule) return forgetRun(runId)
  try {
    await steps[run.step](run, schedule, now)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await failRun(run, schedule, errorOf(error), 'park')
  }
}

type Advance = (run: RunRecord, schedule: ScheduleRecord, now: number) => Promise<void>

const steps: Record<NonNullable<RunRecord['step']>, Advance> = {
  taking: sweep,
  loading: (run, schedule, now) => (run.loads ? executeLoaded(run, schedule) : sweep(run, schedule, now)),
  executing: deliverResults,
  delivering: endDelivered,
  ending: endFailing,
}

/** A run without a sign of life is sent to the queue again; each time the wait doubles. */
async function sweep(run: RunRecord, schedule: ScheduleRecord, now: number): Promise<void> {
  if (now - Date.parse(run.updatedAt) <= settings().STALLED_SECONDS * 1000 * 2 ** run.sweeps) return
  log.warn('run stalled', { runId: run.id, sweeps: run.sweeps })
  if (await changeRun(run, { sweeps: run.sweeps + 1 })) await haveTaken(schedule, run)
}
