import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import { deployed } from './deployed.ts'
import { problemsOf, talk } from './http.ts'
import { makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const ada = await service.person()
const { send, good } = talk(service, ada)

type Ticket = { url: string; headers: Record<string, string> }

/** A job with one announced file. */
async function announce(size: number) {
  const job = await good('POST', '/jobs/uploads', { name: 'Letters', files: [{ filename: 'a.txt', size }] })
  return { jobId: job.id as string, assetId: job.Assets[0].id as string, ticket: job.Assets[0].upload as Ticket }
}
const put = ({ url, headers }: Ticket, body: string) => fetch(url, { method: 'PUT', headers, body })
const complete = (jobId: string) => good('POST', `/jobs/${jobId}/uploads/complete`)

describe('a URL for an announced file', () => {
  test('takes a file of the announced size only', async () => {
    const { ticket, jobId } = await announce(5)
    for (const body of ['Hell', 'Hello!', 'a'.repeat(2_000_000)]) expect((await put(ticket, body)).status).toBe(403)
    expect((await put(ticket, 'Hello')).status).toBe(200)
    expect((await complete(jobId)).Assets[0]).toMatchObject({ status: 'READY', size: 5 })
  })

  test('takes it once, and not without the headers that came with it', async () => {
    const { ticket, jobId, assetId } = await announce(5)
    expect((await put({ ...ticket, headers: {} }, 'Hello')).status).toBe(403)
    expect((await put(ticket, 'Hello')).status).toBe(200)
    expect((await put(ticket, 'Other')).status).toBe(412)
    await complete(jobId)
    expect((await put(ticket, 'Other')).status).toBe(412)
    const { url } = await good('GET', `/assets/${assetId}/url`)
    expect(await (await fetch(url)).text()).toBe('Hello')
  })

  test('takes parts of just their size', async () => {
    const size = 5 * 1024 ** 3 + 7
    const job = await good('POST', '/jobs/uploads', { name: 'Large', files: [{ filename: 'a.bin', size }] })
    const { parts } = job.Assets[0].upload as { parts: { n: number; url: string }[] }
    expect(parts).toHaveLength(11)
    const last = parts.at(-1)!.url
    expect((await fetch(last, { method: 'PUT', body: '12345678' })).status).toBe(403)
    expect((await fetch(last, { method: 'PUT', body: '1234567' })).status).toBe(200)
  })

  test('may be one of a thousand', async () => {
    const files = Array.from({ length: 1000 }, (_, n) => ({ filename: `${n}.txt`, size: 2 }))
    const job = await good('POST', '/jobs/uploads', { name: 'Many', files })
    expect(job.Assets.map(({ name }: { name: string }) => name)).toEqual(files.map(({ filename }) => filename))
    const put = async ({ upload: { url, headers } }: { upload: { url: string; headers: Record<string, string> } }) =>
      (await fetch(url, { method: 'PUT', body: 'ab', headers })).status
    for (const asset of job.Assets.slice(0, 999)) expect(await put(asset)).toBe(200)
    const complete = `/jobs/${job.id}/uploads/complete`
    const early = await send('POST', complete)
    expect([early.status, problemsOf(early)]).toEqual([
      400,
      [{ loc: ['assets'], type: 'upload_incomplete', msg: expect.stringContaining('999.txt') }],
    ])
    await put(job.Assets[999])
    const { Assets } = await good('POST', complete)
    expect(new Set(Assets.map(({ status }: { status: string }) => status))).toEqual(new Set(['READY']))
    expect((await send('POST', '/jobs/uploads', { name: 'Many', files: [...files, files[0]] })).status).toBe(422)
  })

  test('is refused together with too many others, in time', async () => {
    const files = Array.from({ length: 20 }, (_, n) => ({ filename: `${n}.bin`, size: 5 * 1024 ** 4 }))
    const reply = await send('POST', '/jobs/uploads', { name: 'Huge', files })
    expect([reply.status, problemsOf(reply)]).toEqual([
      422,
      [{ loc: ['body', 'files'], type: 'too_big', msg: expect.stringContaining('2000 URLs') }],
    ])
  })
})

describe.skipIf(deployed)('inside', () => {
  const common = { region: 'us-east-1', credentials: operator }
  const s3 = new S3Client({ ...common, endpoint: deployed ? undefined : service.cloud.endpoints.s3 })
  const dynamodb = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...common, endpoint: deployed ? undefined : service.cloud.endpoints.dynamodb }),
  )
  afterAll(() => {
    s3.destroy()
    dynamodb.destroy()
  })
  const Bucket = service.cloud && 'bucketuploads'
  const keys = async (jobId: string) => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${jobId}/` }))
    return Contents.map(({ Key }) => Key)
  }
  /** Runs the sweeper as if the job had been announced so long ago. */
  async function sweepAfter(minutes: number, jobId: string) {
    await dynamodb.send(
      new UpdateCommand({
        TableName: 'TableJobs',
        Key: { pk: 'WATCH', sk: `UPLOAD#${ada.user.id}#${jobId}` },
        UpdateExpression: 'SET since = :since',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':since': new Date(Date.now() - minutes * 60_000).toISOString() },
      }),
    )
    await service.cloud.invoke('pipeline-sweeper', {})
  }

  test('what comes after its job was erased is removed', async () => {
    const { ticket, jobId } = await announce(5)
    await good('DELETE', `/jobs/${jobId}`)
    expect((await put(ticket, 'Hello')).status).toBe(200)
    expect(await keys(jobId)).toHaveLength(1)
    await sweepAfter(21, jobId)
    expect(await keys(jobId)).toEqual([])
  })

  test('what comes after its asset was removed is removed, and nothing else', async () => {
    const files = [
      { filename: 'a.txt', size: 5 },
      { filename: 'b.txt', size: 5 },
    ]
    const job = await good('POST', '/jobs/uploads', { name: 'Letters', files })
    const [a, b] = job.Assets
    await good('DELETE', `/assets/${a.id}`)
    for (const { upload } of [a, b]) expect((await put(upload, 'Hello')).status).toBe(200)
    await sweepAfter(21, job.id)
    expect(await keys(job.id)).toEqual([`${job.id}/${b.id}`])
  })

  test('the parts that have come are let go with their job', async () => {
    const size = 5 * 1024 ** 3 + 7
    const job = await good('POST', '/jobs/uploads', { name: 'Large', files: [{ filename: 'a.bin', size }] })
    const uploads = async () =>
      (await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: job.id }))).Uploads ?? []
    expect(await uploads()).toHaveLength(1)
    await good('DELETE', `/jobs/${job.id}`)
    expect(await uploads()).toEqual([])
  })

  test('a file that was replaced behind the back of the service is not processed', async () => {
    const { ticket, jobId, assetId } = await announce(5)
    await put(ticket, 'Hello')
    await complete(jobId)
    await s3.send(new PutObjectCommand({ Bucket, Key: `${jobId}/${assetId}`, Body: 'Other' }))
    await good('PUT', `/jobs/${jobId}`, { workflowId: await makeWorkflow(ada.client) })
    await good('POST', `/jobs/${jobId}/execute`)
    for (;;) {
      const { status, errors } = await good('GET', `/jobs/${jobId}`)
      if (status === 'IN_PROGRESS') await new Promise(resolve => setTimeout(resolve, 100))
      else {
        expect([status, errors[0].msg]).toEqual(['FAILED', 'The file is another one than when it was taken in'])
        return
      }
    }
  })
})
