import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Access } from 'aws-emulators'
import { describe, expect, type TestContext, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import type { NewSchedule, ScheduleRun } from '../../shared/api/schedules.ts'
import { type Stage, stageOf } from './setup.ts'

const letter = (address: string) => `Write to ${address} today.\n`

/** A bucket that tells of new objects, unless it is said not to, and a source of it. */
async function bucketOf({ client, cloud }: Stage, Bucket: string, tells = true) {
  const s3 = new S3Client({
    region: 'us-east-1',
    credentials: operator,
    endpoint: cloud.endpoints.s3,
    forcePathStyle: true,
  })
  await s3.send(new CreateBucketCommand({ Bucket }))
  const NotificationConfiguration = tells ? { EventBridgeConfiguration: {} } : {}
  await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }))
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = operator
  const keys = { access_key_id, secret_access_key }
  const config = {
    provider: 's3',
    bucket: Bucket,
    region: 'us-east-1',
    prefix: 'team',
    endpoint: cloud.endpoints.s3,
    ...keys,
  }
  const { id: sourceId } = await client.sources.create({ body: { name: Bucket, kind: 'CLOUD_DRIVE', config } as never })
  const drop = (...names: string[]) =>
    Promise.all(
      names.map(name =>
        s3.send(new PutObjectCommand({ Bucket, Key: `team/${name}`, Body: letter('ada@example.org') })),
      ),
    )
  const delivered = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'team/out/' }))
    const read = Contents.map(async ({ Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
      return [Key!.slice('team/out/'.length), await Body!.transformToString()] as const
    })
    return new Map(await Promise.all(read))
  }
  return { sourceId, drop, delivered }
}

/** A schedule of a bucket whose own time comes in a year, and which has run once. */
async function schedule(stage: Stage, sourceId: string, more: Partial<NewSchedule> = {}): Promise<string> {
  const { client, workflowId } = stage
  const deliver = { sourceId, folder: 'out' }
  const body = { name: 'Inbox', rate: '365 days', sourceId, folder: 'inbox', settleSeconds: 1, workflowId, deliver }
  const { id: schedule_id } = await client.schedules.create({ body: { ...body, ...more } as never })
  await client.schedules.run({ schedule_id })
  await ended(stage, schedule_id, 1)
  return schedule_id
}

/** The runs of a schedule, the first one first, once so many took something or nothing and all have ended. */
async function ended({ client, cloud }: Stage, schedule_id: string, count: number): Promise<ScheduleRun[]> {
  for (;;) {
    await cloud.invoke('pipeline-scheduler', {})
    const runs = await client.schedules.runs({ schedule_id, query: { sort: 'createdAt', limit: 1000 } })
    if (runs.length >= count && runs.every(({ status }) => status !== 'IN_PROGRESS')) return runs
    await new Promise(resolve => setTimeout(resolve, 800))
  }
}

/** Waits until copies of so many files have arrived. */
async function copies(stage: Stage, delivered: () => Promise<Map<string, string>>, count: number) {
  for (;;) {
    await stage.cloud.invoke('pipeline-scheduler', {})
    const found = await delivered()
    if (found.size >= count) return found
    await new Promise(resolve => setTimeout(resolve, 800))
  }
}

const taken = (runs: ScheduleRun[]) => runs.reduce((sum, { counts }) => sum + counts.taken, 0)
const begin = (context: TestContext, onAccess?: (name: string, access: Access) => void) =>
  stageOf(context, { environment: { LEASE_SECONDS: '1' }, onAccess })

describe.concurrent('a bucket that tells of new objects', () => {
  test('has a schedule take them before its time has come, all that come together by one run', {
    timeout: 300_000,
  }, async context => {
    const stage = await begin(context)
    const { sourceId, drop, delivered } = await bucketOf(stage, 'drop-zone')
    const schedule_id = await schedule(stage, sourceId)
    const before = await stage.client.schedules.get({ schedule_id })
    const names = Array.from({ length: 40 }, (_, n) => `inbox/${n}.txt`)
    await drop(...names)
    expect(await copies(stage, delivered, 40)).toEqual(new Map(names.map(name => [name, letter('[EMAIL]')])))
    const [, first, ...others] = await ended(stage, schedule_id, 2)
    expect(first).toMatchObject({ trigger: 'arrival', status: 'SUCCEEDED' })
    // Two, if ten seconds were over in the midst of it.
    expect(others.length).toBeLessThanOrEqual(1)
    const after = await stage.client.schedules.get({ schedule_id })
    expect(after.nextRunAt).toBe(before.nextRunAt)
  })

  test('has each file taken once, also where two schedules and several runs overlap', {
    timeout: 300_000,
  }, async context => {
    const stage = await begin(context)
    const { sourceId, drop, delivered } = await bucketOf(stage, 'drop-zone')
    const other = await bucketOf(stage, 'other-zone')
    const schedule_id = await schedule(stage, sourceId)
    const elsewhere = await schedule(stage, sourceId, { deliver: { sourceId: other.sourceId, folder: 'out' } as never })
    const names = Array.from({ length: 10 }, (_, n) => `inbox/${n}.txt`)
    for (const name of names) {
      await drop(name)
      // Told again, as it may be, and asked for besides.
      await stage.client.schedules.run({ schedule_id })
    }
    expect((await copies(stage, delivered, 10)).size).toBe(10)
    expect((await copies(stage, other.delivered, 10)).size).toBe(10)
    expect(taken(await ended(stage, schedule_id, 2))).toBe(10)
    expect(taken(await ended(stage, elsewhere, 2))).toBe(10)
  })

  test('calls no schedule for what none takes, and costs one query where nobody takes from it', {
    timeout: 300_000,
  }, async context => {
    let asked: string[] = []
    const stage = await begin(context, (name, { action, resource }) => {
      if (name === 'pipeline-scheduler' && resource.includes('Schedules')) asked.push(action)
    })
    const { cloud, client } = stage
    const { sourceId, drop, delivered } = await bucketOf(stage, 'drop-zone')
    const nobodys = await bucketOf(stage, 'nobodys')
    const silent = await bucketOf(stage, 'silent', false)
    const schedule_id = await schedule(stage, sourceId, { files: '*.txt' })
    const paused = await schedule(stage, sourceId, { folder: 'paused' })
    const quiet = await schedule(stage, silent.sourceId)
    await client.schedules.update({ schedule_id: paused, body: { enabled: false } })
    await drop('inbox/sub/a.txt', 'inbox/a.csv', 'out/inbox/a.txt', 'outbox/inbox/a.txt', 'a.txt', 'paused/a.txt')
    await nobodys.drop('inbox/a.txt')
    await silent.drop('inbox/a.txt')
    // What they would begin would have begun before this.
    await new Promise(resolve => setTimeout(resolve, 12_000))
    await drop('inbox/taken.txt')
    await copies(stage, delivered, 2)
    const [, ...runs] = await ended(stage, schedule_id, 2)
    expect(runs).toMatchObject([{ trigger: 'arrival', counts: { taken: 1, delivered: 1 } }])
    for (const id of [paused, quiet]) expect(await ended(stage, id, 1)).toHaveLength(1)

    asked = []
    await cloud.invoke('pipeline-scheduler', {})
    const withoutEvents = asked
    asked = []
    const detail = { bucket: { name: 'nobodys' }, object: { key: 'team/inbox/a.txt' } }
    const body = JSON.stringify({ source: 'aws.s3', time: new Date().toISOString(), detail })
    await cloud.invoke('pipeline-scheduler', { Records: Array.from({ length: 100 }, () => ({ body })) })
    expect(asked.length - withoutEvents.length).toBe(1)
  })
})
