import { Aws } from 'aws-cdk-lib'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam'
import { type KeyName, listIndexes, tables } from '../shared/settings.ts'
import type { Data, Queues } from './data.ts'
import type { Grant } from './grant.ts'
import { bucketActions, keyActions, tableActions } from './iam-actions.ts'

const consumerActions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes']
/** What keys may be used for by themselves: the data key opens the secrets of sources and nothing else. */
const keyConditions: Partial<Record<KeyName, PolicyStatementProps['conditions']>> = {
  data: { Null: { 'kms:EncryptionContext:sourceId': 'false' } },
  wrapping: {
    StringEquals: { 'kms:EncryptionContext:purpose': 'token' },
    Null: { 'kms:EncryptionContext:ownerId': 'false', 'kms:EncryptionContext:keyId': 'false' },
  },
}

const atRestActions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']

type Resources = { data: Data; queues: Queues; bus: IEventBus | undefined }

/** The statements of a grant: named actions on named resources, and the data key only by way of the services. */
export function statementsFor(grant: Grant, { data, queues, bus }: Resources): PolicyStatement[] {
  const statements: PolicyStatement[] = []
  const services = new Set<string>()
  const allow = (
    service: string,
    actions: readonly string[],
    resources: string[],
    conditions?: PolicyStatementProps['conditions'],
  ) => {
    services.add(service)
    const qualified = actions.map(action => `${service}:${action}`)
    statements.push(new PolicyStatement({ actions: qualified, resources, conditions }))
  }

  for (const [name, level] of entries(grant.tables)) {
    const { tableArn } = data.tables[name]
    const indexes = tables[name].list && (level === 'read' || level === 'write') ? Object.keys(listIndexes) : []
    allow('dynamodb', tableActions[level], [tableArn, ...indexes.map(index => `${tableArn}/index/${index}`)])
  }
  for (const [name, verbs] of entries(grant.buckets)) {
    const { bucketArn } = data.buckets[name]
    const actions = verbs.flatMap(verb => bucketActions[verb])
    allow('s3', actions, [`${bucketArn}/*`])
    // Without it S3 answers 403 for an object that doesn't exist; what begins with a prefix is listed to be deleted.
    if (verbs.includes('read') || verbs.includes('delete')) allow('s3', ['ListBucket'], [bucketArn])
  }
  for (const name of grant.sends ?? []) allow('sqs', ['SendMessage'], [queues[name].queueArn])
  const consumed = grant.consumes && queues[grant.consumes]
  if (consumed) allow('sqs', consumerActions, [consumed.queueArn])
  if (services.size > 0) {
    const via = [...services].map(service => `${service}.${Aws.REGION}.amazonaws.com`)
    allow('kms', atRestActions, [data.keys.data.keyArn], { StringEquals: { 'kms:ViaService': via } })
  }
  for (const [name, verbs] of entries(grant.keys)) {
    const actions = verbs.flatMap(verb => keyActions[verb])
    allow('kms', actions, [data.keys[name].keyArn], keyConditions[name])
  }
  if (grant.tellsBus && bus)
    statements.push(new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }))
  if (grant.comprehends) {
    // These two actions know no resource that a grant could be narrowed to.
    const actions = ['comprehend:DetectEntities', 'comprehend:DetectPiiEntities']
    statements.push(new PolicyStatement({ actions, resources: ['*'] }))
  }
  return statements
}

const entries = <K extends string, V>(record: Partial<Record<K, V>> = {}) => Object.entries(record) as [K, V][]
