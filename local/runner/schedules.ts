import { randomUUID } from 'node:crypto'
import { arnOf, region, resourcesOf, type Template } from '../template.ts'
import { type Functions, targetOf } from './functions.ts'

const units: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Milliseconds of a schedule such as `rate(5 minutes)`. */
export function interval(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? []
  if (!count || !unit) throw new Error(`The local cloud does not know the schedule ${expression}`)
  return Number(count) * units[unit]!
}

/** Starts functions by the rules of a template; answers what stops that. */
export function runSchedules(template: Template, functions: Functions, onError: (error: unknown) => void): () => void {
  const timers = resourcesOf(template, 'AWS::Events::Rule').map(([id, properties]) => {
    const event = () => ({
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: new Date().toISOString(),
      region,
      resources: [arnOf('events', `rule/${id}`)],
      detail: {},
    })
    const run = () => functions.invoke(targetOf(properties), event()).catch(onError)
    return setInterval(run, interval(properties.ScheduleExpression)).unref()
  })
  return () => timers.forEach(clearInterval)
}
