import { Cron } from 'croner'
import type { Schedule } from '../api/schedules.ts'

const units: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** What of a schedule says when it runs. */
export type Timing = Pick<Schedule, 'cron' | 'rate' | 'timezone' | 'createdAt'>

/**
 * When a schedule runs next after an instant; undefined when never. A rate counts from the creation. A time of `cron` that a
 * change of the clocks skips comes at the end of the gap, one that it repeats comes the first time only; what runs every
 * hour or minute follows real time. Throws `SyntaxError` for a `cron` that says nothing.
 */
export function nextTime({ cron, rate, timezone, createdAt }: Timing, after: Date): Date | undefined {
  if (cron !== null) return nextOfCron(cron, timezone, after)
  const [count, unit] = rate!.split(' ') as [string, string]
  const interval = Number(count) * units[unit.replace(/s$/, '')]!
  const began = Date.parse(createdAt)
  return new Date(began + (Math.floor((after.getTime() - began) / interval) + 1) * interval)
}

function nextOfCron(cron: string, timezone: string, after: Date): Date | undefined {
  try {
    return new Cron(cron, { timezone, mode: '5-part' }).nextRun(after) ?? undefined
  } catch {
    // Its words are for programmers.
    throw new SyntaxError('The five fields cannot be read')
  }
}

/** When a schedule runs next after now; null while it is paused. */
export const whenNext = (schedule: Timing & Pick<Schedule, 'enabled'>): string | null =>
  schedule.enabled ? (nextTime(schedule, new Date())?.toISOString() ?? null) : null
