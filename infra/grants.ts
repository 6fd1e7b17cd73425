import { Aws } from 'aws-cdk-lib'
import * as iam from 'aws-cdk-lib/aws-iam'
import {
  type BucketName,
  type KeyName,
  listIndexes,
  type QueueName,
  type TableName,
  tables,
} from '../shared/settings.ts'
import type { Data } from './data.ts'
import type { Queues } from './pipeline.ts'

/** What one function may do. */
export type Grant = {
  tables?: Partial<Record<TableName, keyof typeof tableActions>>
  buckets?: Partial<Record<BucketName, readonly (keyof typeof bucketActions)[]>>
  keys?: Partial<Record<KeyName, readonly (keyof typeof keyActions)[]>>
  /** Queues that it sends messages to. */
  sends?: readonly QueueName[]
  /** The queue that its messages come from. */
  consumes?: keyof Queues
  /** Whether it connects to data sources, and so may stand in the operator's own network. */
  connects?: true
}

const read = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem']
const tableActions = {
  read,
  append: ['PutItem'],
  write: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
}

const bucketActions = {
  read: ['GetObject'],
  write: ['PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'],
  delete: ['DeleteObject'],
}

const keyActions = {
  encrypt: ['Encrypt'],
  decrypt: ['Decrypt'],
  sign: ['Sign'],
  verify: ['GetPublicKey'],
  mac: ['GenerateMac'],
}

/** Every function that knows its caller: the session, the user and the role; rate counters; idempotency keys. */
const caller = {
  tables: { sessions: 'write', users: 'read', roles: 'read' },
  keys: { tokens: ['verify'] },
} as const satisfies Grant

/** A function that knows its caller and may do more; what it says of a table or a key replaces what callers need. */
const authenticated = (more: Grant = {}): Grant => ({
  ...more,
  tables: { ...caller.tables, ...more.tables },
  keys: { ...caller.keys, ...more.keys },
})

/** One row per function, `<resource>.<operation>`: the whole of what its role allows besides its own logs. */
export const grants: Readonly<Record<string, Grant>> = {
  'rules.list': authenticated({ tables: { rules: 'read' } }),
  'rules.create': authenticated({ tables: { rules: 'write' } }),
  'rules.get': authenticated({ tables: { rules: 'read' } }),
  'rules.update': authenticated({ tables: { rules: 'write' } }),
  'rules.delete': authenticated({ tables: { rules: 'write', workflows: 'read' } }),
}

/** The row of a function; throws where there is none, so that no function is deployed without a decision. */
export function grantFor(name: string): Grant {
  const grant = grants[name]
  if (!grant) throw new Error(`${name} has no row in infra/grants.ts`)
  return grant
}

/** The statements of a grant: named actions on named resources, and the data key only by way of the services. */
export function statementsFor(grant: Grant, { data, queues }: { data: Data; queues: Queues }): iam.PolicyStatement[] {
  const statements: iam.PolicyStatement[] = []
  const encrypted = new Set<string>()
  const allow = (service: string, actions: readonly string[], resources: string[]) =>
    statements.push(new iam.PolicyStatement({ actions: actions.map(action => `${service}:${action}`), resources }))

  for (const [name, level] of entries(grant.tables)) {
    const { tableArn } = data.tables[name]
    const indexes = tables[name].list && level !== 'append' ? Object.keys(listIndexes) : []
    allow('dynamodb', tableActions[level], [tableArn, ...indexes.map(index => `${tableArn}/index/${index}`)])
    encrypted.add('dynamodb')
  }
  for (const [name, verbs] of entries(grant.buckets)) {
    const { bucketArn } = data.buckets[name]
    allow(
      's3',
      verbs.flatMap(verb => bucketActions[verb]),
      [`${bucketArn}/*`],
    )
    // Without it S3 answers 403 for an object that doesn't exist.
    if (verbs.includes('read')) allow('s3', ['ListBucket'], [bucketArn])
    encrypted.add('s3')
  }
  for (const [name, verbs] of entries(grant.keys)) {
    allow(
      'kms',
      verbs.flatMap(verb => keyActions[verb]),
      [data.keys[name].keyArn],
    )
  }
  for (const name of grant.sends ?? []) {
    allow('sqs', ['SendMessage'], [queues[name].queueArn])
    encrypted.add('sqs')
  }
  if (grant.consumes) {
    const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes']
    allow('sqs', actions, [queues[grant.consumes].queueArn])
    encrypted.add('sqs')
  }
  if (encrypted.size) {
    statements.push(
      new iam.PolicyStatement({
        actions: [
          'kms:Decrypt',
          'kms:DescribeKey',
          'kms:Encrypt',
          'kms:GenerateDataKey',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
        ],
        resources: [data.keys.data.keyArn],
        conditions: {
          StringEquals: { 'kms:ViaService': [...encrypted].map(service => `${service}.${Aws.REGION}.amazonaws.com`) },
        },
      }),
    )
  }
  return statements
}

const entries = <K extends string, V>(record: Partial<Record<K, V>> = {}) => Object.entries(record) as [K, V][]
