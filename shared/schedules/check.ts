import { ProblemError } from '../api/problems.ts'
import { type SourceKind, sourceKinds } from '../api/source-kinds.ts'
import { isVisible } from '../http/authorise.ts'
import type { Caller } from '../http/caller.ts'
import { checkDelivery } from '../jobs/deliver/delivery.ts'
import { checkPlan, findWorkflows, workflowIdsOf } from '../jobs/lifecycle/workflows-of-job.ts'
import { checkPreset } from '../rules/presets.ts'
import { findNamedSource } from '../sources/find.ts'
import type { ScheduleRecord } from '../store/schedules.ts'
import type { SourceRecord } from '../store/sources.ts'
import { requireNeeded } from './owner.ts'
import { nextTime } from './timing.ts'

const invalid = (msg: string, field: string) =>
  new ProblemError({ type: 'schedule_invalid', msg, loc: ['body', field] })

/** Refuses a schedule that could not run for its owner, who is the caller, as it is (400, 403, 422). */
export async function checkSchedule(schedule: ScheduleRecord, caller: Caller): Promise<void> {
  requireNeeded(caller, schedule)
  checkTiming(schedule)
  const source = await findNamedSource(schedule.sourceId, caller)
  checkTaken(schedule, source)
  await checkProcessing(schedule, caller)
  if (schedule.deliver) await checkTarget(schedule, source, caller)
}

function checkTiming(schedule: ScheduleRecord): void {
  try {
    if (nextTime(schedule, new Date())) return
  } catch (error) {
    throw invalid((error as Error).message, 'cron')
  }
  throw invalid('There is no such time', 'cron')
}

function checkTaken({ folder, files, tables }: ScheduleRecord, { kind }: SourceRecord): void {
  const isDatabase = sourceKinds[kind].holds === 'tables'
  if (isDatabase && !tables) throw invalid('Name the tables of the database', 'tables')
  if (isDatabase && (folder ?? files) !== undefined) throw invalid('The source has tables and no files', 'folder')
  if (!isDatabase && tables) throw invalid('The source has files and no tables', 'tables')
}

/** Refuses workflows that the owner of a schedule may not use, or none. */
export async function checkProcessing(
  { workflowId, presetId, plan }: Pick<ScheduleRecord, 'workflowId' | 'presetId' | 'plan'>,
  caller: Caller,
): Promise<void> {
  checkPreset(presetId)
  if (workflowId && presetId) {
    const msg = 'A schedule has a workflow or a preset, not both'
    throw new ProblemError({ type: 'conflicting_values', msg, loc: ['body', 'presetId'] })
  }
  if (!workflowId && !presetId && !plan)
    throw new ProblemError({ type: 'workflow_required', msg: 'Name a workflow, a preset or a plan' })
  const workflows = await findWorkflows({ workflowId, plan })
  const missing = workflowIdsOf({ workflowId, plan }).filter(id => {
    const workflow = workflows.get(id)
    return !workflow || !isVisible(caller, 'workflows', workflow.ownerId)
  })
  if (missing.length > 0)
    throw new ProblemError({ type: 'workflow_not_found', msg: `No such workflow: ${missing.join(', ')}` })
  if (plan) checkPlan(plan, workflows, ['body'])
}

/** Refuses a target that takes no such results, and one where a schedule would find its own results again. */
async function checkTarget(schedule: ScheduleRecord, source: SourceRecord, caller: Caller): Promise<void> {
  const deliver = schedule.deliver!
  const target = await findNamedSource(deliver.sourceId, caller, ['body', 'deliver', 'sourceId'])
  checkDelivery(target, deliver, ['body', 'deliver'])
  if (schedule.tables || !isSamePlace(source, target)) return
  const isElsewhere = deliver.folder !== undefined && plain(deliver.folder) !== plain(schedule.folder)
  if (!isElsewhere)
    throw new ProblemError({
      type: 'schedule_invalid',
      msg: 'It would take its own results: deliver them into another folder',
      loc: ['body', 'deliver', 'folder'],
    })
}

const plain = (folder = ''): string => folder.replace(/^\/+|\/+$/g, '')

type Place = { kind: SourceKind; config: Record<string, unknown> }

/** Whether two sources read the same files, whoever they log in as. */
function isSamePlace(a: Place, b: Place): boolean {
  const where = ({ config }: Place) =>
    JSON.stringify(
      Object.entries(config)
        .filter(([name]) => !/user|key|client_|email|subject/.test(name))
        .sort(),
    )
  return a.kind === b.kind && where(a) === where(b)
}
