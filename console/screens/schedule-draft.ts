import type { Schedule, ScheduleChanges } from '../../shared/api/schedules.ts'
import { chosenBy } from '../ui/choice.tsx'
import { linesOf } from '../ui/lines.ts'

export type Unit = 'minutes' | 'hours' | 'days'

/** A schedule as the form shows it. */
export type Draft = {
  name: string
  enabled: boolean
  sourceId: string
  /** Taken of sources of files. */
  folder: string
  files: string
  /** Taken of databases, one a line. */
  tables: string
  /** `rate` or `cron`. */
  by: 'rate' | 'cron'
  every: string
  unit: Unit
  cron: string
  timezone: string
  /** As a job names it; empty where a plan, made elsewhere, says what is done. */
  chosen: string
  isLook: boolean
  /** Source that results go to; empty where they stay in their jobs. */
  target: string
  targetFolder: string
  /** What the form has no field for. */
  stored?: Schedule
}

export const empty: Draft = {
  name: '',
  enabled: true,
  sourceId: '',
  folder: '',
  files: '',
  tables: '',
  by: 'rate',
  every: '15',
  unit: 'minutes',
  cron: '30 2 * * *',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  chosen: 'preset:default',
  isLook: false,
  target: '',
  targetFolder: '',
}

/** What the form shows of a stored one. */
export function draftOf(stored: Schedule): Draft {
  const { name, enabled, sourceId, folder = '', files = '', tables = [], cron, rate, timezone } = stored
  const { workflowId, presetId, plan, mode, deliver } = stored
  const [every = empty.every, unit = empty.unit] = rate?.split(' ') ?? []
  return {
    ...{ stored, name, enabled, sourceId, folder, files, timezone },
    tables: tables.join('\n'),
    by: rate ? 'rate' : 'cron',
    every,
    unit: `${unit.replace(/s$/, '')}s` as Unit,
    cron: cron ?? empty.cron,
    chosen: workflowId ? `workflow:${workflowId}` : presetId ? `preset:${presetId}` : plan ? '' : empty.chosen,
    isLook: mode === 'INSPECT',
    target: deliver?.sourceId ?? '',
    targetFolder: deliver?.folder ?? '',
  }
}

/** A schedule as the service takes it. */
export function scheduleOf(draft: Draft, isDatabase: boolean): ScheduleChanges {
  const { name, enabled, folder, files, tables, by, every, unit, cron, timezone, chosen, isLook } = draft
  return {
    ...{ name, enabled, timezone },
    ...(by === 'rate' ? { rate: `${every} ${unit}` } : { cron: cron.trim() }),
    ...(isDatabase ? { tables: linesOf(tables) } : { folder: folder.trim(), files: files.trim() }),
    ...(chosen && (chosenBy(chosen) as ScheduleChanges)),
    mode: isLook ? 'INSPECT' : 'ANONYMISE',
    ...(!isLook && { deliver: deliveryOf(draft) }),
  }
}

function deliveryOf({ target, targetFolder, stored }: Draft): ScheduleChanges['deliver'] {
  if (target === '') return null
  const { mode = 'create', types = 'source' } = stored?.deliver ?? {}
  const folder = targetFolder.trim()
  return { sourceId: target, mode, types, ...(folder && { folder }) }
}
