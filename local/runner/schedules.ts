import { randomUUID } from 'node:crypto'
import { allows, statementsOf } from '../iam.ts'
import { arnOf, type Physical, region, resolve, resourcesOf, type Template } from '../template.ts'
import { type Functions, targetOf } from './functions.ts'

const units: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Milliseconds of a schedule such as `rate(5 minutes)`. */
export function interval(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? []
  if (!count || !unit) throw new Error(`The local cloud does not know the schedule ${expression}`)
  return Number(count) * units[unit]!
}

/**
 * Calls functions by the schedules of a template, each with a role that must allow it, as EventBridge Scheduler does; answers
 * what stops that.
 */
export function runSchedules(
  template: Template,
  physical: ReadonlyMap<string, Physical>,
  functions: Functions,
  onError: (error: unknown) => void,
): () => void {
  const timers = resourcesOf(template, 'AWS::Scheduler::Schedule').map(([id, properties]) => {
    const { GroupName, ScheduleExpression, Target } = properties
    const statements = statementsOf(template, physical, Target.RoleArn['Fn::GetAtt'][0])
    const resource = resolve(Target.Arn, physical) as string
    if (!allows(statements, { service: 'lambda', action: 'InvokeFunction', resource, conditions: {} }))
      throw new Error(`The role of the schedule ${id} does not allow calling its target`)
    const event = () => ({
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: '000000000000',
      time: new Date().toISOString(),
      region,
      resources: [arnOf('scheduler', `schedule/${resolve(GroupName, physical)}/${id}`)],
      detail: '{}',
    })
    const run = () => functions.invoke(targetOf(properties), event()).catch(onError)
    return setInterval(run, interval(ScheduleExpression)).unref()
  })
  return () => timers.forEach(clearInterval)
}
