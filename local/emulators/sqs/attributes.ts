import { AwsError } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'

/** Attributes of a queue that can be set, with the whole numbers that they may be or, undefined, any text. */
const settable: Record<string, [number, number] | undefined> = {
  DelaySeconds: [0, 900],
  MaximumMessageSize: [1024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  VisibilityTimeout: [0, 43_200],
  KmsDataKeyReusePeriodSeconds: [60, 86_400],
  Policy: undefined,
  RedrivePolicy: undefined,
  RedriveAllowPolicy: undefined,
  KmsMasterKeyId: undefined,
  SqsManagedSseEnabled: undefined,
  FifoQueue: undefined,
  ContentBasedDeduplication: undefined,
  DeduplicationScope: undefined,
  FifoThroughputLimit: undefined,
}
const flags = new Set(['SqsManagedSseEnabled', 'FifoQueue', 'ContentBasedDeduplication'])
const policies = new Set(['Policy', 'RedrivePolicy', 'RedriveAllowPolicy'])

const defaults: Record<string, string> = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  VisibilityTimeout: '30',
  SqsManagedSseEnabled: 'true',
}

/** A queue: `created` and `modified` in seconds, `attributes` as they were set. */
export interface Queue {
  id: number
  name: string
  arn: string
  created: number
  modified: number
  attributes: Record<string, string>
  tags: Record<string, string>
}

/** Where a queue's messages go that were received too often. */
export interface Redrive {
  deadLetterTargetArn: string
  maxReceiveCount: number
}

const refuse = (name: string) => new AwsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`)

/** The ARN of a queue. */
export const queueArn = (region: string, name: string) => `arn:aws:sqs:${region}:${account}:${name}`

/** An attribute of a queue, its default if it wasn't set. */
export const setting = (queue: Queue, name: string) => queue.attributes[name] ?? defaults[name]

/** Whether a queue keeps order. */
export const isFifo = (queue: Queue) => queue.name.endsWith('.fifo')

/** Every attribute of a queue that it has a value for, as text. */
export const allSettings = (queue: Queue): Record<string, string> => ({ ...defaults, ...queue.attributes })

/** Where a queue's messages go that were received too often, undefined if nowhere. */
export function redriveOf(queue: Queue): Redrive | undefined {
  const policy = queue.attributes.RedrivePolicy
  if (!policy) return undefined
  const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(policy)
  return { deadLetterTargetArn, maxReceiveCount: Number(maxReceiveCount) }
}

function checkPolicy(name: string, value: string): void {
  let policy: unknown
  try {
    policy = value === '' ? {} : JSON.parse(value)
  } catch {
    throw refuse(name)
  }
  if (typeof policy !== 'object' || policy === null) throw refuse(name)
  if (name !== 'RedrivePolicy' || value === '') return
  const { deadLetterTargetArn, maxReceiveCount } = policy as Record<string, unknown>
  const count = Number(maxReceiveCount)
  if (typeof deadLetterTargetArn !== 'string' || !Number.isInteger(count) || count < 1 || count > 1000)
    throw refuse(name)
}

/** Checks attributes as they are set, and drops those set to the empty text, which means: no longer. */
export function readAttributes(given: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(settable, name)) throw new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`)
    const range = settable[name]
    if (range && !(/^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1])) throw refuse(name)
    if (flags.has(name) && value !== 'true' && value !== 'false') throw refuse(name)
    if (policies.has(name)) checkPolicy(name, value)
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}
