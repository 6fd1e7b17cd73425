import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge'
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DescribeKeyCommand,
  KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms'
import { CreateBucketCommand, HeadBucketCommand, NotFound, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { Endpoints } from 'aws-emulators'
import { arnOf, type Physical, type Resource, region, resolve, resourcesOf, type Template } from './template.ts'

type Credentials = { accessKeyId: string; secretAccessKey: string }

type Properties = Resource['Properties']

/**
 * Creates the tables, buckets, queues and keys of a template where they don't exist yet, through the same interfaces
 * that functions use. Answers what references to any resource of the template become.
 */
export async function provision(
  template: Template,
  endpoints: Endpoints,
  credentials: Credentials,
): Promise<Map<string, Physical>> {
  const client = (endpoint: string) => ({ endpoint, credentials, region })
  const dynamodb = new DynamoDBClient(client(endpoints.dynamodb))
  const s3 = new S3Client(client(endpoints.s3))
  const sqs = new SQSClient(client(endpoints.sqs))
  const kms = new KMSClient(client(endpoints.kms))
  const events = new EventBridgeClient(client(endpoints.events))
  const physical = new Map<string, Physical>()
  const create = async (type: string, make: (id: string, properties: Properties) => Promise<Physical>) => {
    const made = resourcesOf(template, type).map(async ([id, properties]) =>
      physical.set(id, await make(id, properties)),
    )
    await Promise.all(made)
  }
  try {
    await Promise.all([
      create('AWS::DynamoDB::Table', (id, properties) => provideTable(dynamodb, id, properties)),
      create('AWS::S3::Bucket', (id, properties) => provideBucket(s3, id, properties)),
      create('AWS::KMS::Key', (id, properties) => provideKey(kms, id, properties)),
      create('AWS::SQS::Queue', (id, properties) => provideQueue(sqs, id, properties)),
    ])
    await create('AWS::Events::Rule', (id, properties) =>
      provideRule(events, id, resolve(properties, physical) as Properties),
    )
  } finally {
    for (const used of [dynamodb, s3, sqs, kms, events]) used.destroy()
  }
  // The emulator takes the events of any bus.
  for (const [id] of resourcesOf(template, 'AWS::Events::EventBus'))
    physical.set(id, { ref: id, attributes: { Arn: arnOf('events', `event-bus/${id}`) } })
  for (const [id] of resourcesOf(template, 'AWS::Scheduler::ScheduleGroup'))
    physical.set(id, { ref: id, attributes: { Arn: arnOf('scheduler', `schedule-group/${id}`) } })
  for (const type of ['AWS::Logs::LogGroup', 'AWS::Lambda::Function', 'AWS::ApiGateway::RestApi']) {
    for (const [id] of resourcesOf(template, type)) {
      physical.set(id, { ref: id, attributes: { Arn: arnOf('local', id) } })
    }
  }
  return physical
}

async function provideTable(client: DynamoDBClient, TableName: string, properties: Properties): Promise<Physical> {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = properties
  const found = await unless(ResourceNotFoundException, client.send(new DescribeTableCommand({ TableName })))
  if (found) {
    const shape = (indexes: Properties[] = []) =>
      JSON.stringify(
        indexes
          .map(({ IndexName, KeySchema: keys, Projection }) => [
            IndexName,
            keys,
            [...Projection.NonKeyAttributes].sort(),
          ])
          .sort(),
      )
    if (shape(found.Table!.GlobalSecondaryIndexes) !== shape(GlobalSecondaryIndexes)) {
      throw new Error(`${TableName} was made by another version with other indexes: move the data folder away`)
    }
  } else {
    const BillingMode = 'PAY_PER_REQUEST'
    await client.send(
      new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode }),
    )
    const { AttributeName } = properties.TimeToLiveSpecification
    await client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } }),
    )
  }
  return { ref: TableName, attributes: { Arn: arnOf('dynamodb', `table/${TableName}`) } }
}

async function provideBucket(client: S3Client, id: string, properties: Properties): Promise<Physical> {
  const Bucket = id.toLowerCase()
  if (!(await unless(NotFound, client.send(new HeadBucketCommand({ Bucket }))))) {
    await client.send(new CreateBucketCommand({ Bucket }))
  }
  const rules: Properties[] = properties.CorsConfiguration?.CorsRules ?? []
  if (rules.length > 0) {
    const CORSRules = rules.map(({ ExposedHeaders, MaxAge, ...rule }) => ({
      ...rule,
      ExposeHeaders: ExposedHeaders,
      MaxAgeSeconds: MaxAge,
    })) as Properties[]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
  }
  return { ref: Bucket, attributes: { Arn: `arn:aws:s3:::${Bucket}` } }
}

async function provideKey(client: KMSClient, id: string, properties: Properties): Promise<Physical> {
  const AliasName = `alias/${id}`
  const found = await unless(NotFoundException, client.send(new DescribeKeyCommand({ KeyId: AliasName })))
  if (found) return keyOf(found.KeyMetadata!)
  const { Description, KeySpec, KeyUsage } = properties
  const { KeyMetadata } = await client.send(new CreateKeyCommand({ Description, KeySpec, KeyUsage }))
  await client.send(new CreateAliasCommand({ AliasName, TargetKeyId: KeyMetadata!.KeyId }))
  return keyOf(KeyMetadata!)
}

const keyOf = ({ KeyId, Arn }: { KeyId?: string; Arn?: string }): Physical => ({
  ref: KeyId!,
  attributes: { Arn: Arn! },
})

async function provideQueue(client: SQSClient, QueueName: string, properties: Properties): Promise<Physical> {
  const redrive = properties.RedrivePolicy
  const Attributes = {
    VisibilityTimeout: String(properties.VisibilityTimeout),
    MessageRetentionPeriod: String(properties.MessageRetentionPeriod),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: arnOf('sqs', redrive.deadLetterTargetArn['Fn::GetAtt'][0]),
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  }
  const found = await unless(QueueDoesNotExist, client.send(new GetQueueUrlCommand({ QueueName })))
  const QueueUrl = (found ?? (await client.send(new CreateQueueCommand({ QueueName })))).QueueUrl!
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }))
  return { ref: QueueUrl, attributes: { Arn: arnOf('sqs', QueueName), QueueName } }
}

async function provideRule(client: EventBridgeClient, Name: string, properties: Properties): Promise<Physical> {
  const { Description, EventPattern, State, Targets } = properties
  const put = new PutRuleCommand({ Name, Description, State, EventPattern: JSON.stringify(EventPattern) })
  const { RuleArn } = await client.send(put)
  await client.send(new PutTargetsCommand({ Rule: Name, Targets }))
  return { ref: Name, attributes: { Arn: RuleArn! } }
}

/** What is asked for, or undefined where the answer is that it doesn't exist. */
async function unless<T>(absent: new (...args: never[]) => Error, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof absent) return undefined
    throw error
  }
}
