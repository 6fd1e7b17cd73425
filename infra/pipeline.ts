import { Aws, Duration } from 'aws-cdk-lib'
import * as events from 'aws-cdk-lib/aws-events'
import * as iam from 'aws-cdk-lib/aws-iam'
import type * as kms from 'aws-cdk-lib/aws-kms'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import * as scheduler from 'aws-cdk-lib/aws-scheduler'
import * as sqs from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { queues } from '../shared/settings.ts'
import type { Config } from './config.ts'
import type { Queues } from './data.ts'
import { pascal, pin } from './data.ts'
import { createFunction, type Setting } from './functions.ts'

/** Attempts at a message before it goes to the dead-letter queue. */
const attempts = 5

type Step = {
  description: string
  timeout: Duration
  memory?: (config: Config) => number
  storage?: number
  /** What its process is told besides what all are. */
  environment?: Record<string, string>
  /** The queue whose messages it takes, and how many of it run at once. */
  consumes?: {
    queue: keyof Queues
    batchSize: number
    concurrency: (config: Config) => number
    /** For how long messages are gathered. */
    window?: Duration
  }
  /** How often it runs by itself. */
  every?: Duration
}

/** Every function without a route: `functions/pipeline/<name>.ts`. */
export const pipeline = {
  planner: {
    description: 'Plans a job, one message per document or chunk, and finishes it',
    timeout: Duration.minutes(5),
    memory: () => 1769,
    consumes: { queue: 'jobs', batchSize: 1, concurrency: config => config.plannerConcurrency },
  },
  worker: {
    description: 'Anonymises one document or one chunk of a table',
    timeout: Duration.minutes(15),
    memory: config => config.workerMemory,
    storage: 10_240,
    // Room of so many bytes, as pictures take, goes back to the system as soon as it is free.
    environment: { MALLOC_MMAP_THRESHOLD_: '2097152' },
    consumes: { queue: 'work', batchSize: 1, concurrency: config => config.workerConcurrency },
  },
  transfer: {
    description: 'Copies one file or table from or to a data source',
    timeout: Duration.minutes(15),
    memory: () => 1769,
    consumes: { queue: 'transfers', batchSize: 1, concurrency: config => config.transferConcurrency },
  },
  'dead-letters': {
    description: 'Fails the job of a message that failed too often',
    timeout: Duration.minutes(1),
    consumes: { queue: 'dead', batchSize: 10, concurrency: () => 2 },
  },
  events: {
    description: 'Tells webhooks of an event, one after the other',
    timeout: Duration.minutes(1),
    consumes: { queue: 'events', batchSize: 1, concurrency: config => config.webhookConcurrency },
  },
  sweeper: {
    description: 'Finds stalled jobs, lost messages, abandoned uploads and what webhooks wait for, and extends the log',
    timeout: Duration.minutes(4),
    every: Duration.minutes(5),
  },
  scheduler: {
    description: 'Starts the schedules whose time has come and takes their runs further',
    timeout: Duration.minutes(4),
    memory: () => 1769,
    every: Duration.minutes(1),
    consumes: { queue: 'arrivals', batchSize: 1000, concurrency: () => 2, window: Duration.seconds(5) },
  },
  'bootstrap-admin': {
    description: 'Creates the first administrator; invoked once by the deployer',
    timeout: Duration.seconds(30),
  },
} as const satisfies Record<string, Step>

/** Names of the functions without a route. */
export const pipelineNames = Object.keys(pipeline) as (keyof typeof pipeline)[]

/** The queues: each message is hidden for as long as the function that has it may run. */
export function createQueues(scope: Construct, encryptionMasterKey: kms.Key, { dropBuckets }: Config): Queues {
  const create = (name: keyof Queues, props: sqs.QueueProps) =>
    pin(
      new sqs.Queue(scope, `Queue${pascal(name)}`, {
        encryption: sqs.QueueEncryption.KMS,
        encryptionMasterKey,
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
        visibilityTimeout: consumerOf(name).timeout,
        ...props,
      }),
    )
  const dead = create('dead', {})
  const names = dropBuckets.length > 0 ? [...queues, 'arrivals' as const] : queues
  const created = names.map(name => [
    name,
    create(name, { deadLetterQueue: { queue: dead, maxReceiveCount: attempts } }),
  ])
  return { ...Object.fromEntries(created), dead }
}

/** Has EventBridge put what S3 tells it of new objects in the operator's buckets into the queue of arrivals. */
export function watchBuckets(scope: Construct, { arrivals }: Queues, key: kms.Key, { dropBuckets }: Config): void {
  if (!arrivals) return
  const rule = new events.CfnRule(scope, 'Arrivals', {
    description: 'Objects that come into the buckets that schedules take from',
    eventPattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: dropBuckets.map(name => (name.includes('*') ? { wildcard: name } : name)) } },
    },
    targets: [{ id: 'Queue', arn: arrivals.queueArn }],
  })
  const principals = [new iam.ServicePrincipal('events.amazonaws.com')]
  arrivals.addToResourcePolicy(
    new iam.PolicyStatement({
      principals,
      actions: ['sqs:SendMessage'],
      resources: [arrivals.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
    }),
  )
  key.addToResourcePolicy(
    new iam.PolicyStatement({
      principals,
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      // The rule names the queue, which names the key: the key can't name the rule.
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  )
}

/** The bus that events also go to. They hold ids and counts only, so it needs no key of ours. */
export const createBus = (scope: Construct): events.EventBus =>
  pin(new events.EventBus(scope, 'Events', { description: 'What happens in the anonymisation service' }))

const consumerOf = (queue: keyof Queues) =>
  Object.values<Step>(pipeline).find(step => step.consumes?.queue === queue) as Step

/** The functions without a route, with what starts them. */
export function createPipeline(scope: Construct, setting: Setting): Map<string, lambda.Function> {
  const created = new Map<string, lambda.Function>()
  const clock = new scheduler.CfnScheduleGroup(scope, 'Clock')
  for (const [step, options] of Object.entries<Step>(pipeline)) {
    const name = `pipeline.${step}`
    if (!setting.bundles.has(name)) continue
    const { description, timeout, memory, storage, environment = {}, consumes, every } = options
    const queue = consumes && setting.queues[consumes.queue]
    const handler = createFunction(scope, setting, {
      name,
      grant: setting.grantFor(name),
      description,
      timeout,
      memory: memory?.(setting.config),
      storage,
      concurrency: (queue ? consumes.concurrency(setting.config) : 0) + (every ? 1 : 0) || undefined,
    })
    for (const [variable, value] of Object.entries(environment)) handler.addEnvironment(variable, value)
    created.set(name, handler)
    if (queue) {
      new lambda.EventSourceMapping(scope, `${pascal(step)}Source`, {
        target: handler,
        eventSourceArn: queue.queueArn,
        batchSize: consumes.batchSize,
        maxBatchingWindow: consumes.window,
        maxConcurrency: consumes.concurrency(setting.config),
        reportBatchItemFailures: true,
      })
    }
    if (every) callEvery(scope, clock, { id: `${pascal(step)}Clock`, description, every, handler })
  }
  return created
}

type Call = { id: string; description: string; every: Duration; handler: lambda.Function }

/** Has EventBridge Scheduler call a function; a call that is lost is made up for by the next one. */
function callEvery(scope: Construct, group: scheduler.CfnScheduleGroup, { id, description, every, handler }: Call) {
  const role = new iam.Role(scope, `${id}Role`, {
    description: `Calls ${handler.node.id} at its times`,
    // The group is what the service names as the source; nobody else's schedules may take the role.
    assumedBy: new iam.ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': group.attrArn } },
    }),
    inlinePolicies: {
      call: new iam.PolicyDocument({
        statements: [new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [handler.functionArn] })],
      }),
    },
  })
  new scheduler.CfnSchedule(scope, id, {
    description,
    groupName: group.ref,
    scheduleExpression: events.Schedule.rate(every).expressionString,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: handler.functionArn,
      roleArn: role.roleArn,
      retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
    },
  })
}
