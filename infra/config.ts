import type { Node } from 'constructs'
import * as z from 'zod'
import { IdentityProviders } from '../shared/api/identity.ts'
import { Settings, settingNames } from '../shared/settings.ts'
import { brokered, EXAMPLE_CLIENT, EXAMPLE_ISSUER, SamlProvider } from './saml-broker.ts'

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform(value => value === 'true')])
const names = z.union([z.array(z.string()), z.string().transform(text => text.split(',').filter(Boolean))])
/** An object, or its JSON as the command line gives it. */
const fromJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(value => {
    try {
      return typeof value === 'string' ? JSON.parse(value) : value
    } catch {
      return value
    }
  }, schema)
const logRetention = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653]

/** What an operator may decide about a deployment: keys of `context` in `cdk.json`, or `-c name=value`. */
export const Deployment = z.object({
  removalPolicy: z
    .enum(['retain', 'destroy'])
    .default('retain')
    .describe('What happens to tables, buckets and keys when the stack is deleted'),
  domainName: z.string().optional().describe('Domain name that serves the API, at https://DOMAIN/api'),
  certificateArn: z.string().optional().describe('Certificate of the domain name, in the same region'),
  requestsPerSecond: z.coerce.number().int().min(1).default(200).describe('Requests a second of all callers together'),
  requestBurst: z.coerce.number().int().min(1).default(400).describe('Simultaneous requests of all callers together'),
  publicRequestsPerSecond: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .describe('Requests a second of all callers to each endpoint that needs no token'),
  publicRequestBurst: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('Simultaneous requests of all callers to each endpoint that needs no token'),
  reserveConcurrency: flag
    .default(false)
    .describe(
      'Whether executions are reserved for the pipeline and for endpoints that need no token, so that neither starves the others; 100 executions of the account must remain unreserved, so not for new accounts',
    ),
  plannerConcurrency: z.coerce
    .number()
    .int()
    .min(2)
    .max(1000)
    .default(5)
    .describe('Planners that run at the same time'),
  workerConcurrency: z.coerce.number().int().min(2).max(1000).default(20).describe('Workers that run at the same time'),
  transferConcurrency: z.coerce
    .number()
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe('Files and tables that are copied from or to data sources at the same time'),
  webhookConcurrency: z.coerce
    .number()
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe('Webhooks that are told of an event at the same time'),
  workerMemory: z.coerce.number().int().min(1769).max(10_240).default(3538).describe('Memory of a worker, MiB'),
  logRetentionDays: z.coerce
    .number()
    .refine(days => logRetention.includes(days), `must be one of ${logRetention}`)
    .default(90)
    .describe('Days that logs are kept'),
  tracing: flag.default(true).describe('Whether AWS X-Ray traces a share of the requests, at extra cost'),
  apiGatewayLogRole: flag
    .default(true)
    .describe('Whether to let API Gateway write logs, a setting of the whole account; off if it is managed elsewhere'),
  eventBus: flag
    .default(false)
    .describe(
      'Whether events also go to an EventBridge bus of the stack, for rules of your own; [Webhooks](webhooks.md#eventbridge)',
    ),
  dropBuckets: names
    .refine(
      all => all.every(name => /^[a-z0-9.*-]{1,63}$/.test(name)),
      'must be names of buckets with commas between, in which * stands for any characters',
    )
    .default([])
    .describe(
      'Buckets whose new objects schedules take without waiting for their times; [Schedules](schedules.md#buckets-that-tell-of-new-objects)',
    ),
  waf: flag.default(false).describe('Whether AWS WAF protects the API (common attacks, requests per address)'),
  vpcSubnetIds: names
    .default([])
    .describe('Subnets for the functions that connect to data sources and identity providers'),
  vpcSecurityGroupIds: names
    .default([])
    .describe('Security groups for the functions that connect to data sources and identity providers'),
  samlProvider: fromJson(SamlProvider)
    .optional()
    .describe(
      'An identity provider that speaks SAML, a JSON object; an Amazon Cognito user pool in the stack speaks to it; [Single sign-on](single-sign-on.md#saml) shows one',
    ),
  reidentifiedPerDay: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('Tokens opened in a day that raise the alarm'),
  certificateKey: z.coerce
    .number()
    .int()
    .min(1)
    .default(1)
    .describe('Number of the key that certificates are signed with; count it up for a new key'),
  transparencyLock: z
    .enum(['none', 'governance', 'compliance'])
    .default('none')
    .describe(
      'Whether S3 Object Lock keeps the log of certificates and of the audit trail from being changed: `governance` lets roles with a right of its own lift it, `compliance` nobody; to be chosen before the first deployment',
    ),
  transparencyLockDays: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(3650)
    .describe('Days that each file of the log is locked, where it is'),
  alarmTopicArn: z.string().optional().describe('SNS topic that alarms are sent to'),
})

export type Config = z.infer<typeof Deployment> & { settings: Settings; environment: Record<string, string> }

/** A context value as an environment variable: lists of names with commas between, what is more than that as JSON. */
function asText(value: unknown): string {
  const isNested = [value].flat().some(part => typeof part === 'object')
  return isNested ? JSON.stringify(value) : String(value)
}

/** Name of the context value of a setting. */
export const contextKey = (setting: string) =>
  setting.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase())

/** A configuration that can't be used; the message names every fault, in plain words. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** Every fault that a schema found in values by name, in plain words: `RETENTION_DAYS is "abc": must be a whole number`. */
export function faultsIn({ issues }: z.ZodError, given: Record<string, unknown>): string[] {
  return issues.map(issue => {
    const name = String(issue.path[0] ?? '')
    // A password is nobody's business, least of all in a terminal's history.
    const shown = /PASSWORD/.test(name) ? '' : ` is ${JSON.stringify(given[name])}`
    return name ? `${name}${shown}: ${wordsOf(issue)}` : issue.message
  })
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const characters = 'origin' in issue && issue.origin === 'string' ? ' characters long' : ''
  if (issue.code === 'invalid_type') return 'must be a whole number'
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${characters}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${characters}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
  if (issue.code === 'invalid_union') return 'must be true or false'
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'must be an e-mail address'
  if (issue.code === 'invalid_format' && issue.format === 'regex' && issue.message.startsWith('Invalid'))
    return 'is not of the expected form'
  return issue.message
}

/** Context that this stack reads nothing of: what the toolkit and the library have keys for, all with such a mark. */
const foreign = /[:/@]/

/**
 * The configuration of a deployment from the context of the app; throws with all problems at once. The settings of
 * the functions are context values too, in camel case: `RETENTION_DAYS` is `retentionDays`.
 */
export function readConfig(node: Node): Config {
  const read = (keys: string[]) => Object.fromEntries(keys.map(key => [key, node.tryGetContext(key) ?? undefined]))
  const given = read(Object.keys(Deployment.shape))
  const environment: Record<string, string> = {}
  for (const name of settingNames) {
    const value: unknown = node.tryGetContext(contextKey(name))
    if (value !== undefined) environment[name] = asText(value)
  }
  const deployment = Paired.safeParse(given)
  const settings = Settings.safeParse(environment)
  const faults = [
    ...unknownKeys(node),
    ...(deployment.error ? faultsIn(deployment.error, given) : []),
    ...(settings.error ? faultsIn(settings.error, environment).map(inCamelCase) : []),
    ...strangeOrigins(settings.data?.CORS_ORIGINS ?? ''),
    ...(deployment.data?.samlProvider ? brokerFaults(deployment.data.samlProvider, environment) : []),
  ]
  if (faults.length > 0) throw new ConfigurationError(['The configuration cannot be used:', ...faults].join('\n  '))
  return { ...deployment.data!, settings: settings.data!, environment }
}

const Paired = Deployment.refine(
  ({ domainName, certificateArn }) => !domainName === !certificateArn,
  'domainName and certificateArn need each other',
)
  .refine(
    ({ vpcSubnetIds, vpcSecurityGroupIds }) => !vpcSubnetIds.length === !vpcSecurityGroupIds.length,
    'vpcSubnetIds and vpcSecurityGroupIds need each other',
  )
  .refine(
    ({ samlProvider, domainName }) => !samlProvider || domainName,
    'samlProvider needs domainName, because the broker must know the address of the service',
  )

/** The setting of the functions with the broker of a SAML provider among its providers. */
export const withBroker = (
  { IDENTITY_PROVIDERS }: Record<string, string>,
  broker: ReturnType<typeof brokered>,
): string => JSON.stringify([...JSON.parse(IDENTITY_PROVIDERS || '[]'), broker])

/** What is wrong with a SAML provider beside the others, such as a name that two have. */
function brokerFaults(saml: SamlProvider, environment: Record<string, string>): string[] {
  // What others are is judged by themselves.
  if (!IdentityProviders.safeParse(environment.IDENTITY_PROVIDERS).success) return []
  const all = withBroker(environment, brokered(saml, EXAMPLE_ISSUER, EXAMPLE_CLIENT))
  const { error } = IdentityProviders.safeParse(all)
  return (error?.issues ?? []).map(({ message }) => `samlProvider: ${message}`)
}

/** What is no origin, and could end the text of a template that API Gateway puts it into. */
function strangeOrigins(origins: string): string[] {
  const given = origins.split(',').filter(Boolean)
  if (given.length > 1 && given.includes('*'))
    return ['corsOrigins: * means every origin, so it can’t be combined with others']
  const strange = given.filter(origin => origin !== '*' && !/^https?:\/\/[\w.:[\]-]+$/.test(origin))
  return strange.map(origin => `corsOrigins: ${JSON.stringify(origin)} is not of the form https://app.example.org`)
}

const inCamelCase = (fault: string) => fault.replace(/^[A-Z_]+/, contextKey)

/** Keys that look like ours and aren't: a typing error must not leave a setting at its default. */
function unknownKeys(node: Node): string[] {
  const known = ['local', ...Object.keys(Deployment.shape), ...settingNames.map(contextKey)]
  const others = Object.keys(node.getAllContext()).filter(key => !foreign.test(key) && !known.includes(key))
  return others.map(key => `${key}: there is no such setting; docs/configuration.md lists them all`)
}
