import type { ProblemError } from '../api/problems.ts'
import type { JobError } from '../api/results.ts'
import { log } from '../log.ts'
import { notify } from '../store/notifications.ts'
import { giveBack, listTaken, park } from '../store/schedule-entries.ts'
import { changeRun, endRun, type RunRecord } from '../store/schedule-runs.ts'
import type { ScheduleRecord } from '../store/schedules.ts'

/** What came of a run besides what its rows say. */
type Came = { succeeded?: number; delivered?: number; errors?: JobError[] }

/** Ends a run, counts what came of it, and tells the owner of a failure, once a day at most. */
export async function finishRun(
  run: RunRecord,
  schedule: ScheduleRecord,
  { succeeded = 0, delivered = 0, errors = run.errors }: Came,
): Promise<void> {
  const taken = await listTaken(run.id)
  const ended = (outcome: string) => taken.filter(entry => entry.outcome === outcome).length
  const counts = { taken: taken.length, returned: ended('returned'), parked: ended('parked'), succeeded, delivered }
  const status = errors.length > 0 || counts.parked > 0 ? 'FAILED' : 'SUCCEEDED'
  if (!(await endRun(run, { status, counts, errors }))) return
  log.info('run ended', { scheduleId: schedule.id, runId: run.id, status, ...counts })
  if (status === 'SUCCEEDED') return
  const { id, ownerId, name } = schedule
  const occasion = new Date().toISOString().slice(0, 10)
  await notify(ownerId, { kind: 'schedule.failed', resource: { type: 'schedule', id }, name, occasion })
}

/**
 * Ends a run that cannot go on: what it took is parked with the reason, or given back for the next run. The run leaves its
 * step first, so that nobody else goes on with what is given back.
 */
export async function failRun(
  run: RunRecord,
  schedule: ScheduleRecord,
  error: JobError,
  fate: RunRecord['fate'],
): Promise<void> {
  const failing = await changeRun(run, { step: 'ending', errors: [error], fate })
  if (failing) await endFailing(failing, schedule)
}

/** Does what is left to do for a run that fails. Again is fine. */
export async function endFailing(run: RunRecord, schedule: ScheduleRecord): Promise<void> {
  const { errors, fate } = run
  for (const { name, outcome } of await listTaken(run.id)) {
    if (outcome) continue
    await (fate === 'giveBack' ? giveBack(run, name) : park(run, name, errors[0]!))
  }
  await finishRun(run, schedule, { errors, succeeded: run.counts.succeeded })
}

/** The first thing that a refusal says, as jobs and runs say it. */
export const errorOf = ({ detail: [first] }: ProblemError): JobError => ({ ...first!, loc: [] })
