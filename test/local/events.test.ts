import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startEvents, startS3, startSQS } from 'aws-emulators'
import { describe, expect, test } from 'vitest'
import { clientFor, emulated, temporaryDirectory } from './emulated.ts'

const entry: PutEventsRequestEntry = {
  EventBusName: 'Events',
  Source: 'anonymisation',
  DetailType: 'job.succeeded',
  Time: new Date('2026-11-20T09:30:00Z'),
  Detail: '{"id":"1"}',
}

async function bus(options = {}) {
  const directory = temporaryDirectory()
  const client = new EventBridgeClient({
    ...clientFor(await emulated(startEvents, { directory, ...options })),
    maxAttempts: 1,
  })
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }))
  const lines = () => readFileSync(join(directory, 'events.ndjson'), 'utf8').split('\n').filter(Boolean)
  const rule = async (
    pattern: object,
    { Name = 'Rule', EventBusName = 'Events', Arn = 'arn:target', State = 'ENABLED' } = {},
  ) => {
    const EventPattern = JSON.stringify(pattern)
    await client.send(new PutRuleCommand({ Name, EventBusName, EventPattern, State: State as 'ENABLED' }))
    await client.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets: [{ Id: '1', Arn }] }))
  }
  return { put, lines, rule }
}

test('events are kept as targets of rules get them', async () => {
  const { put, lines } = await bus()
  const { FailedEntryCount, Entries } = await put(entry)
  expect(FailedEntryCount).toBe(0)
  expect(lines().map(line => JSON.parse(line))).toEqual([
    {
      ...{ version: '0', id: Entries![0]!.EventId, source: 'anonymisation', 'detail-type': 'job.succeeded' },
      ...{ account: '000000000000', region: 'eu-central-1', time: '2026-11-20T09:30:00.000Z', resources: [] },
      ...{ detail: { id: '1' }, bus: 'Events' },
    },
  ])
})

test('an entry whose detail is no object is refused by itself', async () => {
  const { put, lines } = await bus()
  const { FailedEntryCount, Entries } = await put({ ...entry, Detail: '[1]' }, entry, { ...entry, Detail: 'x' })
  expect([FailedEntryCount, Entries!.map(one => one.ErrorCode)]).toEqual([
    2,
    ['MalformedDetail', undefined, 'MalformedDetail'],
  ])
  expect(lines()).toHaveLength(1)
})

test.each([
  ['no bus', { ...entry, EventBusName: undefined }],
  ['an empty source', { ...entry, Source: '' }],
  ['what the emulator does not know', { ...entry, Resources: ['arn:aws:s3:::x'] }],
])('%s is refused', async (_, wrong) => {
  const { put } = await bus()
  await expect(put(wrong)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
})

test('only those may put events on a bus whose role says so, and on no other', async () => {
  const asked: string[] = []
  const authorize = ({ service, action, resource }: { service: string; action: string; resource: string }) => {
    asked.push(`${service}:${action} ${resource}`)
    return resource.endsWith('/Events')
  }
  const { put, lines } = await bus({ authorize })
  await put(entry)
  await expect(put(entry, { ...entry, EventBusName: 'default' })).rejects.toThrow(
    expect.objectContaining({ name: 'AccessDeniedException' }),
  )
  expect(asked).toContain('events:PutEvents arn:aws:events:eu-central-1:000000000000:event-bus/default')
  expect(lines()).toHaveLength(1)
})

describe('a rule', () => {
  const detail = { bucket: { name: 'drop-1' }, tags: ['a', 'b'], count: 3, sure: true, none: null }
  const told = { ...entry, Detail: JSON.stringify(detail) }

  test.each([
    [{ source: ['anonymisation'] }, true],
    [{ source: ['other', 'anonymisation'] }, true],
    [{ source: ['anonymisation'], 'detail-type': ['job.failed'] }, false],
    [{ detail: { bucket: { name: ['drop-1'] } } }, true],
    [{ detail: { bucket: { name: ['drop-2'] } } }, false],
    [{ detail: { bucket: { name: [{ wildcard: 'drop-*' }] } } }, true],
    [{ detail: { bucket: { name: [{ wildcard: '*.p-*' }] } } }, false],
    [{ detail: { bucket: { name: [{ prefix: 'drop' }] } } }, true],
    [{ detail: { bucket: { name: [{ suffix: '-2' }, { suffix: '-1' }] } } }, true],
    [{ detail: { bucket: ['drop-1'] } }, false],
    [{ detail: { tags: ['b'] } }, true],
    [{ detail: { tags: ['c'] } }, false],
    [{ detail: { count: [3], sure: [true], none: [null] } }, true],
    [{ detail: { count: ['3'] } }, false],
    [{ detail: { missing: { name: ['drop-1'] } } }, false],
    [{ detail: { toString: [{ prefix: '' }] } }, false],
  ])('with the pattern %j is for an event or not', async (pattern, isFor) => {
    const delivered: string[] = []
    const { put, rule } = await bus({ deliver: (arn: string, event: string) => void delivered.push(arn, event) })
    await rule(pattern)
    const { Entries } = await put(told)
    if (!isFor) return expect(delivered).toEqual([])
    expect([delivered[0], JSON.parse(delivered[1]!)]).toMatchObject([
      'arn:target',
      { id: Entries![0]!.EventId, detail },
    ])
  })

  test('of another bus or one that is off hears nothing, and putting it again keeps its targets', async () => {
    const delivered: string[] = []
    const { put, rule } = await bus({ deliver: (arn: string) => void delivered.push(arn) })
    const all = { source: [{ prefix: '' }] }
    await rule(all, { Name: 'Other', EventBusName: 'default', Arn: 'arn:other' })
    await rule(all, { Name: 'Off', Arn: 'arn:off', State: 'DISABLED' })
    await rule(all, { Arn: 'arn:one' })
    await rule(all, { Arn: 'arn:two' })
    await put(entry)
    expect(delivered).toEqual(['arn:two'])
  })

  test.each([
    [{}],
    [{ source: [] }],
    [{ source: 'anonymisation' }],
    [{ source: [['anonymisation']] }],
    [{ source: [{ 'anything-but': 'x' }] }],
    [{ source: [{ prefix: 'a', suffix: 'b' }] }],
    [{ source: [{ prefix: 1 }] }],
  ])('with the pattern %j is refused', async pattern => {
    const { rule } = await bus()
    await expect(rule(pattern)).rejects.toThrow(expect.objectContaining({ name: 'InvalidEventPatternException' }))
  })
})

test('a bucket tells of each object that comes, if it is to, and rules put it into queues', async () => {
  const sqs = await emulated(startSQS)
  const events = await emulated(options => startEvents({ ...options, deliver: sqs.accept }))
  const { tell } = events
  const s3 = new S3Client({
    ...clientFor(await emulated(options => startS3({ ...options, tell }))),
    forcePathStyle: true,
  })
  const queues = new SQSClient(clientFor(sqs))
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'Arrivals' }))
  const client = new EventBridgeClient(clientFor(events))
  const EventPattern = JSON.stringify({ source: ['aws.s3'], 'detail-type': ['Object Created'] })
  await client.send(new PutRuleCommand({ Name: 'Arrivals', EventPattern }))
  const Targets = ['Arrivals', 'Nowhere'].map(Id => ({ Id, Arn: `arn:aws:sqs:eu-central-1:000000000000:${Id}` }))
  await client.send(new PutTargetsCommand({ Rule: 'Arrivals', Targets }))

  for (const Bucket of ['drop', 'silent']) await s3.send(new CreateBucketCommand({ Bucket }))
  await s3.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: 'drop',
      NotificationConfiguration: { EventBridgeConfiguration: {} },
    }),
  )
  await s3.send(new PutObjectCommand({ Bucket: 'silent', Key: 'a.txt', Body: 'x' }))
  await expect(
    s3.send(new PutObjectCommand({ Bucket: 'drop', Key: 'a.txt', Body: 'x', IfMatch: '"0"' })),
  ).rejects.toThrow()
  const put = await s3.send(new PutObjectCommand({ Bucket: 'drop', Key: 'in/ü +%.txt', Body: 'four' }))
  await s3.send(new CopyObjectCommand({ Bucket: 'drop', Key: 'copy', CopySource: 'silent/a.txt' }))
  const upload = { Bucket: 'drop', Key: 'parts' }
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload))
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'part' }))
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
  await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }))

  const { Messages = [] } = await queues.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
  const bodies = Messages.map(({ Body }) => JSON.parse(Body!))
  expect(bodies.map(({ detail }) => [detail.object.key, detail.object.size, detail.reason])).toEqual([
    ['in/ü +%.txt', 4, 'PutObject'],
    ['copy', 1, 'CopyObject'],
    ['parts', 4, 'CompleteMultipartUpload'],
  ])
  expect(bodies[0]).toEqual({
    ...{ version: '0', id: expect.any(String), 'detail-type': 'Object Created', source: 'aws.s3' },
    ...{ account: '000000000000', region: 'eu-central-1', resources: ['arn:aws:s3:::drop'] },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    detail: {
      ...{ version: '0', bucket: { name: 'drop' }, requester: 'local', 'source-ip-address': '127.0.0.1' },
      object: { key: 'in/ü +%.txt', size: 4, etag: put.ETag!.replaceAll('"', ''), sequencer: expect.any(String) },
      ...{ 'request-id': expect.any(String), reason: 'PutObject' },
    },
  })
})
