import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import type { NewSchedule, ScheduleRun } from '../../shared/api/schedules.ts'
import { deployed } from './deployed.ts'
import { makeFinishedJob, makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const { user, client } = await service.person()
const { AWS_ENDPOINT_URL, EVENT_BUS = 'Events' } = process.env

/** What a client of AWS needs: the environment says it where the service is deployed. */
const at = (name: 's3' | 'sqs' | 'events') =>
  deployed ? {} : { endpoint: service.cloud.endpoints[name], region: 'us-east-1', credentials: operator }
const s3 = new S3Client({ ...at('s3'), forcePathStyle: true })
const sqs = new SQSClient({ ...at('sqs'), useQueueUrlAsEndpoint: !deployed })
const events = new EventBridgeClient(at('events'))

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Calls the scheduler, as its clock does every minute. */
async function tick(): Promise<void> {
  if (!deployed) return void (await service.cloud.invoke('pipeline-scheduler', {}))
  await promisify(execFile)('aws', [
    'lambda',
    'invoke',
    '--function-name',
    'Anonymisation-pipeline-scheduler',
    '/dev/null',
  ])
}

async function newSchedule(more: Partial<NewSchedule>): Promise<string> {
  const body = { name: 'Inbox', folder: 'inbox', settleSeconds: 0, workflowId: await makeWorkflow(client), ...more }
  return (await client.schedules.create({ body: body as never })).id
}

/** The first run of a schedule that is as it should be. */
async function runOf(
  schedule_id: string,
  isMeant: (run: ScheduleRun) => boolean,
  act: () => unknown,
): Promise<ScheduleRun> {
  for (;;) {
    const found = (await client.schedules.runs({ schedule_id })).find(isMeant)
    if (found) return found
    await act()
    await pause(1000)
  }
}

describe('EventBridge', { timeout: 200_000 }, () => {
  test('tells what has come into a bucket, and its copy arrives before the time of the schedule', async () => {
    const Bucket = `drop-${randomUUID()}`
    await s3.send(new CreateBucketCommand({ Bucket }))
    const NotificationConfiguration = { EventBridgeConfiguration: {} }
    await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }))
    const { accessKeyId, secretAccessKey } = await s3.config.credentials()
    const config = {
      ...{ provider: 's3', bucket: Bucket, region: await s3.config.region() },
      ...{ endpoint: AWS_ENDPOINT_URL ?? service.cloud.endpoints.s3 },
      ...{ access_key_id: accessKeyId, secret_access_key: secretAccessKey },
    }
    const source = await client.sources.create({ body: { name: 'Bucket', kind: 'CLOUD_DRIVE', config } as never })
    const deliver = { sourceId: source.id, folder: 'out' } as never
    const schedule_id = await newSchedule({ rate: '365 days', sourceId: source.id, deliver })
    await client.schedules.run({ schedule_id })
    await runOf(schedule_id, ({ status }) => status === 'SUCCEEDED', tick)

    await s3.send(new PutObjectCommand({ Bucket, Key: 'inbox/a.txt', Body: 'Call 112 now' }))
    const run = await runOf(schedule_id, ({ status, counts }) => status === 'SUCCEEDED' && counts.delivered > 0, tick)
    expect(run).toMatchObject({ trigger: 'arrival', counts: { taken: 1, delivered: 1 } })
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'out/' }))
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: Contents[0]!.Key }))
    expect(await Body!.transformToString()).toBe('Call # now')
  })

  test('takes the events of the service onto a bus, and rules put them into a queue', async () => {
    const Name = `told-${randomUUID()}`
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: Name }))
    const asked = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))
    const Arn = asked.Attributes!.QueueArn!
    const principal = { Effect: 'Allow', Principal: { Service: 'events.amazonaws.com' } }
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ ...principal, Action: 'sqs:SendMessage', Resource: Arn }],
    })
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }))
    const EventPattern = JSON.stringify({
      source: ['anonymisation'],
      'detail-type': ['job.succeeded'],
      detail: { data: { ownerId: [user.id] } },
    })
    await events.send(new PutRuleCommand({ Name, EventBusName: EVENT_BUS, EventPattern }))
    await events.send(new PutTargetsCommand({ Rule: Name, EventBusName: EVENT_BUS, Targets: [{ Id: '1', Arn }] }))
    const id = await makeFinishedJob(client)
    for (;;) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }))
      // Of the job that the schedule has made the event may come now as well.
      const told = Messages.map(({ Body }) => JSON.parse(Body!).detail.data.resource)
      const own = told.find(resource => resource.id === id)
      if (own) return expect(own.type).toBe('job')
    }
  })
})
