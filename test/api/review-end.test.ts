import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import { deployed } from './deployed.ts'
import { useOwnService } from './setup.ts'
import { type NewDecision, useReviews } from './under-review.ts'

const directory = mkdtempSync(join(tmpdir(), 'review-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
/** What each function asked of the stores, and when, while somebody listens. */
let asked: { caller: string; action: string; request: string; at: number }[] | undefined
const service = await useOwnService({
  directory,
  faults: (_, action, request, caller) => {
    asked?.push({ caller, action, request: JSON.stringify(request), at: Date.now() })
    return asked && caller === 'jobs-decide' && action === 'GetObject' ? { delayMs: 500 } : undefined
  },
})
const { owner, reviewer, start, ended } = await useReviews(service)

/** Sets a field of a row of a job as it is stored. */
async function set(jobId: string, sk: string, field: readonly string[], value: unknown): Promise<void> {
  const dynamodb = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: 'us-east-1', credentials: operator, endpoint: service.cloud.endpoints.dynamodb }),
  )
  await dynamodb.send(
    new UpdateCommand({
      TableName: 'TableJobs',
      Key: { pk: `JOB#${jobId}`, sk },
      UpdateExpression: `SET ${field.map((_, n) => `#f${n}`).join('.')} = :value`,
      ExpressionAttributeNames: Object.fromEntries(field.map((name, n) => [`#f${n}`, name])),
      ExpressionAttributeValues: { ':value': value },
    }),
  )
  dynamodb.destroy()
}

/** Gives a function of the pipeline a message, which it handles. */
async function tell(name: string, message: object): Promise<void> {
  const record = { messageId: randomUUID(), body: JSON.stringify(message), attributes: {}, messageAttributes: {} }
  const { payload } = { payload: '', ...(await service.cloud.invoke(name, { Records: [record] })) }
  expect(JSON.parse(payload)).toEqual({ batchItemFailures: [] })
}

/** Sets a field of the review of a job as it is stored. */
const store = (jobId: string, field: 'deadline' | 'state', value: string) => set(jobId, 'JOB', ['review', field], value)

test.skipIf(deployed)('what another program than that of the proposals would make fails', async () => {
  const job = await start()
  await set(job.id, `PROPOSALS#${job.Assets[0]!.id}`, ['engines'], ['an older one'])
  // The program changes when it was looked at for the last time.
  await store(job.id, 'state', 'released')
  await tell('pipeline-planner', { type: 'PLAN', jobId: job.id })
  const failed = await ended(job.id)
  expect(failed).toMatchObject({ status: 'FAILED', errors: [{ type: 'review_outdated' }] })
  expect(failed.result!.counts).toMatchObject({ succeeded: 0 })
})

test.skipIf(deployed)('a job that nobody releases in time fails, and nothing of its review is left', async () => {
  const job = await start()
  await store(job.id, 'deadline', new Date(Date.now() - 1000).toISOString())
  const release = reviewer.client.jobs.release({ job_id: job.id, body: { version: 0 } })
  await expect(release).rejects.toMatchObject({ detail: [{ type: 'not_in_review' }] })
  await service.cloud.invoke('pipeline-sweeper', {})
  const failed = await ended(job.id)
  expect(failed).toMatchObject({ status: 'FAILED', review: { state: 'expired' }, errors: [{ type: 'review_expired' }] })
})

test.skipIf(deployed).each(['rejected', 'expired'] as const)(
  'nothing is made of a job whose review was %s before it ended, and the sweeper ends it',
  async state => {
    const job = await start()
    await store(job.id, 'state', state)
    await tell('pipeline-planner', { type: 'PLAN', jobId: job.id })
    await tell('pipeline-worker', { type: 'ANONYMISE', jobId: job.id, assetId: job.Assets[0]!.id })
    expect(await owner.client.jobs.get({ job_id: job.id })).toMatchObject({ status: 'IN_PROGRESS', result: null })
    await service.cloud.invoke('pipeline-sweeper', {})
    const failed = await ended(job.id)
    expect(failed).toMatchObject({ status: 'FAILED', review: { state }, errors: [{ type: `review_${state}` }] })
    expect(failed.result!.counts).toMatchObject({ succeeded: 0 })
  },
)

test.skipIf(deployed)(
  'no value under review stands anywhere but in the uploads, outputs and sealed files',
  async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'Zyunique zyunique@example.org' }] })
    const decisions: NewDecision[] = [{ action: 'add', value: 'Zyunique', label: 'PERSON' }]
    await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions } })
    const holding: string[] = []
    const look = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) look(path)
        else if (entry.isFile() && /zyunique/i.test(readFileSync(path, 'latin1'))) holding.push(path)
      }
    }
    look(directory)
    // The file itself, as it was uploaded.
    expect(holding).toHaveLength(1)
  },
)

test.skipIf(deployed)('a job is rejected by one write, which ends it', async () => {
  const job = await start()
  asked = []
  await reviewer.client.jobs.rejectReview({ job_id: job.id })
  const writes = asked.filter(
    ({ caller, action, request }) =>
      caller === 'jobs-rejectReview' && /Write|Update|Put/.test(action) && request.includes(`JOB#${job.id}`),
  )
  asked = undefined
  expect(
    writes.map(({ action, request }) => [action, request.includes('rejected'), request.includes('FAILED')]),
  ).toEqual([['TransactWriteItems', true, true]])
})

test.skipIf(deployed)('what was proposed for a long text is read at the same time to find a place in it', async () => {
  const content = `${'Nothing stands here that anybody would replace. '.repeat(20)}\n`.repeat(1200)
  const job = await start({ files: [{ name: 'a.txt', content: `${content}zyada@example.org` }] })
  let page = await reviewer.client.jobs.proposals({ job_id: job.id })
  let last = page
  for (; page.cursor; page = await reviewer.client.jobs.proposals({ job_id: job.id, query: { cursor: page.cursor } }))
    last = page
  const { id: textId, assetId, offset } = last.texts.at(-1)!
  const at = { textId, start: offset, end: offset + 5 }
  asked = []
  await reviewer.client.jobs.decide({
    job_id: job.id,
    body: { decisions: [{ action: 'add', assetId, at, label: 'A' }] },
  })
  const times = asked.flatMap(({ caller, request, at }) =>
    caller === 'jobs-decide' && request.includes('/review/proposals-') ? [at] : [],
  )
  asked = undefined
  expect(times.length).toBeGreaterThan(2)
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(500)
})
