import { randomUUID } from 'node:crypto'
import { ListBucketsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Faults } from 'aws-emulators'
import { expect, type TestContext, test } from 'vitest'
import { createClient, logIn } from '../../shared/api/client.ts'
import { local } from './left.ts'
import { useStage } from './setup.ts'

const stageOf = useStage()

/** A stage, its administrator, and somebody with a job of one file and a list of one value. */
async function somebodyOn(context: TestContext, faults: Faults) {
  const stage = stageOf(context, { faults })
  const { baseUrl } = stage.cloud
  const login = { email: `${randomUUID()}@example.org`, password: 'a long enough password of nobody' }
  const user = await createClient({ baseUrl }).auth.register({ body: { name: 'Ada', ...login } })
  const client = await logIn({ baseUrl, ...login })
  const job = await client.jobs.upload({ body: { name: 'Letters' }, files: [{ name: 'a.txt', content: 'Call 112' }] })
  const list = await client.lists.create({ body: { name: 'Known' } })
  await client.lists.add({ list_id: list.id, body: { entries: [{ value: 'Ada' }] } })
  return { ...stage, user, theirs: client, job, list }
}

/** The keys of all objects below some ids. */
async function objectsOf({ cloud }: Pick<ReturnType<typeof stageOf>, 'cloud'>, ...ids: string[]): Promise<string[]> {
  const s3 = new S3Client({ ...local, endpoint: cloud.endpoints.s3, forcePathStyle: true })
  const buckets = (await s3.send(new ListBucketsCommand({}))).Buckets ?? []
  const found = buckets.flatMap(({ Name: Bucket }) =>
    ids.map(async id => (await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${id}/` }))).Contents ?? []),
  )
  const keys = (await Promise.all(found)).flat().map(({ Key }) => Key!)
  s3.destroy()
  return keys
}

test('files and values go although the store of files fails while they are removed', {
  timeout: 300_000,
}, async context => {
  let fails = false
  let failed = 0
  const faults: Faults = (service, action) => {
    if (!fails || service !== 's3' || !action.startsWith('Delete')) return undefined
    failed++
    return { error: { name: 'InvalidRequest', status: 400 } }
  }
  const { user, theirs, job, list, client: admin, ...stage } = await somebodyOn(context, faults)
  const other = await theirs.lists.create({ body: { name: 'Other' } })
  await theirs.lists.add({ list_id: other.id, body: { entries: [{ value: 'Bo' }] } })
  const left = () => objectsOf(stage, job.id, list.id, other.id)
  expect(await left()).toHaveLength(3)
  fails = true
  await expect(theirs.lists.delete({ list_id: other.id })).rejects.toMatchObject({ status: 500 })
  await admin.users.delete({ user_id: user.id, query: { purge: 'true' } })
  // The list that was deleted, and the job and the list of the purge.
  await expect.poll(() => failed, { timeout: 60_000 }).toBeGreaterThan(2)
  fails = false
  await expect.poll(left, { timeout: 120_000, interval: 1000 }).toEqual([])
})

type Sent = { Entries: { MessageBody: string; DelaySeconds?: number }[] }

test('a removal that fails every time is never given up', { timeout: 120_000 }, async context => {
  const sent: { message: object; seconds: number | undefined }[] = []
  let fails = false
  const faults: Faults = (service, action, request, caller) => {
    if (fails && service === 'dynamodb' && action === 'Query' && caller === 'pipeline-planner')
      return { error: { name: 'ResourceNotFoundException', status: 400 } }
    if (service !== 'sqs' || action !== 'SendMessageBatch' || caller !== 'pipeline-dead-letters') return undefined
    for (const { MessageBody, DelaySeconds } of (request as Sent).Entries)
      sent.push({ message: JSON.parse(MessageBody), seconds: DelaySeconds })
    return undefined
  }
  const { user, client: admin } = await somebodyOn(context, faults)
  fails = true
  await admin.users.delete({ user_id: user.id, query: { purge: 'true' } })
  const again = { message: { type: 'PURGE', ownerId: user.id }, seconds: 900 }
  await expect.poll(() => sent, { timeout: 60_000 }).toEqual([again])
})
