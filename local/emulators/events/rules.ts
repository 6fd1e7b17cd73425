import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { readPattern } from './pattern.ts'

const Name = z.string().regex(/^[\w.-]{1,64}$/)
const bus = { EventBusName: z.string().min(1).default('default') }

const PutRule = z.strictObject({
  Name,
  ...bus,
  EventPattern: z.string().max(4096),
  Description: z.string().max(512).optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
})

const PutTargets = z.strictObject({
  Rule: Name,
  ...bus,
  Targets: z
    .array(z.strictObject({ Id: z.string().min(1).max(64), Arn: z.string() }))
    .min(1)
    .max(5),
})

type Rule = { bus: string; enabled: boolean; matches: (event: unknown) => boolean; targets: Map<string, string> }

/** The rules of all buses. They are gone with the process: whoever needs some puts them at every start. */
export function createRules() {
  const rules = new Map<string, Rule>()
  const arnOf = (bus: string, name: string, { region }: Context) =>
    `arn:aws:events:${region}:${account}:rule/${bus === 'default' ? '' : `${bus}/`}${name}`
  const operations: Record<string, Operation> = {
    PutRule: operation(PutRule, ({ Name, EventBusName, EventPattern, State }, context) => {
      const arn = arnOf(EventBusName, Name, context)
      context.authorize('PutRule', arn)
      const targets = rules.get(arn)?.targets ?? new Map()
      const matches = readPattern(EventPattern)
      rules.set(arn, { bus: EventBusName, enabled: State === 'ENABLED', matches, targets })
      return { RuleArn: arn }
    }),
    PutTargets: operation(PutTargets, ({ Rule, EventBusName, Targets }, context) => {
      const arn = arnOf(EventBusName, Rule, context)
      context.authorize('PutTargets', arn)
      const rule = rules.get(arn)
      if (!rule)
        throw new AwsError('ResourceNotFoundException', `Rule ${Rule} does not exist on EventBus ${EventBusName}.`)
      for (const { Id, Arn } of Targets) rule.targets.set(Id, Arn)
      return { FailedEntryCount: 0, FailedEntries: [] }
    }),
  }
  /** The ARNs of all that an event on a bus is for. */
  const targetsOf = (event: unknown, on: string): string[] =>
    [...rules.values()]
      .filter(({ bus, enabled, matches }) => enabled && bus === on && matches(event))
      .flatMap(({ targets }) => [...targets.values()])
  return { operations, targetsOf }
}
