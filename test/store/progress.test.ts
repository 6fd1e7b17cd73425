import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startS3 } from 'aws-emulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { progressOf } from '../../shared/jobs/lifecycle/progress.ts'
import { createChunks, recordChunk } from '../../shared/store/chunks.ts'
import { createItem } from '../../shared/store/dynamo.ts'
import { recordFound } from '../../shared/store/found-values.ts'
import { heartbeat, tell } from '../../shared/store/heartbeat.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'
import { changeJob, createJob, getJob, newJob, recordResult } from '../../shared/store/jobs.ts'
import { attributesOfAsset, isNews, type Unit } from '../../shared/store/progress.ts'
import type { ReviewRecord } from '../../shared/store/review-record.ts'
import { recordProposals } from '../../shared/store/reviews.ts'
import { random } from '../reliability/chaos.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
  const directory = mkdtempSync(join(tmpdir(), 'chunks-'))
  const objects = await startS3({ directory })
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: objects.endpoint, BUCKET_RESULTS: 'results' })
  const client = new S3Client({ forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'results' }))
  client.destroy()
  const stopTables = stop
  stop = async () => {
    await Promise.all([stopTables(), objects.close()])
    rmSync(directory, { recursive: true, force: true })
  }
})
afterAll(() => stop?.())

async function running(bytes: number, assets = 2): Promise<string> {
  const id = randomUUID()
  await createJob(newJob({ id, ownerId: 'owner', name: 'job', description: '' }, assets), [])
  const now = new Date().toISOString()
  await changeJob(id, { status: 'IN_PROGRESS', startedAt: now, heartbeatAt: now, bytes }, { status: ['PENDING'] })
  return id
}

/** Tells of a unit as a worker does that sees the job as it is now. */
const say = async (id: string, unit: Unit, bytes: number) => tell(await getJob(id), { unit, bytes })

const bytesDone = async (id: string) => progressOf(await getJob(id)).bytesDone

const end = (id: string, assetId: string, bytesIn: number, status: 'SUCCEEDED' | 'FAILED' = 'SUCCEEDED') => {
  const nothing = { name: 'a.txt', outputAssetId: null, url: null, findings: [], errors: [], bytesOut: 0 }
  return async () =>
    recordResult(
      await getJob(id),
      { assetId, status, bytesIn, ...nothing },
      { told: attributesOfAsset(await getJob(id), assetId) },
    )
}

const chunk = (n: number) => ({
  n,
  findings: [],
  report: { format: 'csv', examined: 0, choices: {}, dropped: [], rasterised: [], neutralised: 0, warnings: [] },
  mediaType: 'text/csv',
  nameEdits: [],
  bytesOut: 0,
})

async function cut(id: string, assetId: string, total: number): Promise<void> {
  const asset = { assetId, outputId: randomUUID(), uploadId: 'upload', total, done: 0 }
  expect(await createItem('jobs', { pk: `JOB#${id}`, sk: `CHUNKS#${assetId}`, ...asset })).toBe(true)
}

const keep = async (id: string, assetId: string, made: ReturnType<typeof chunk>, bytesIn: number) =>
  recordChunk(await getJob(id), assetId, made, bytesIn)

test('what an attempt told stays when the next begins anew, and a heartbeat changes nothing of it', async () => {
  const id = await running(1000)
  expect(await bytesDone(id)).toBe(0)
  expect(await say(id, { assetId: 'a' }, 300)).toBe(true)
  expect(await say(id, { assetId: 'a' }, 400)).toBe(true)
  // The worker was ended, and another begins anew.
  expect(isNews(await getJob(id), { unit: { assetId: 'a' }, bytes: 100 })).toBe(false)
  expect(await say(id, { assetId: 'a' }, 100)).toBe(false)
  await heartbeat(id)
  expect(await bytesDone(id)).toBe(400)
  expect(await say(id, { assetId: 'b' }, 50)).toBe(true)
  expect(await bytesDone(id)).toBe(450)
})

test('nothing is told of an asset that has a result, by whoever has seen the job before or sees it now', async () => {
  const id = await running(1000)
  await say(id, { assetId: 'a' }, 400)
  const before = await getJob(id)
  expect(await end(id, 'a', 500)()).toBe(true)
  expect(await bytesDone(id)).toBe(500)
  expect(await tell(before, { unit: { assetId: 'a' }, bytes: 450 })).toBe(false)
  expect(await say(id, { assetId: 'a' }, 450)).toBe(false)
  expect(await end(id, 'a', 500)()).toBe(false)
  expect(await bytesDone(id)).toBe(500)
})

test('nothing is told of a job that has ended', async () => {
  const id = await running(1000)
  await changeJob(id, { status: 'CANCELLED', finishedAt: new Date().toISOString() }, { status: ['IN_PROGRESS'] })
  expect(await say(id, { assetId: 'a' }, 400)).toBe(false)
  expect(progressOf(await getJob(id))).toMatchObject({ bytesDone: 0, secondsLeft: 0 })
})

test('a chunk counts once, however often it is made and however late its worker tells of it', async () => {
  const id = await running(1000)
  await cut(id, 'a', 2)
  await say(id, { assetId: 'a', chunk: 0 }, 300)
  await say(id, { assetId: 'a', chunk: 1 }, 100)
  expect(await bytesDone(id)).toBe(400)
  const before = await getJob(id)
  expect(await keep(id, 'a', chunk(0), 600)).toBe(true)
  expect(await bytesDone(id)).toBe(700)
  expect(await keep(id, 'a', chunk(0), 600)).toBe(false)
  expect(await tell(before, { unit: { assetId: 'a', chunk: 0 }, bytes: 500 })).toBe(false)
  expect(await say(id, { assetId: 'a', chunk: 0 }, 500)).toBe(false)
  expect(await bytesDone(id)).toBe(700)
  expect(await keep(id, 'a', chunk(1), 390)).toBe(true)
  expect(await bytesDone(id)).toBe(990)
  expect(await end(id, 'a', 1000)()).toBe(true)
  expect(await bytesDone(id)).toBe(1000)
})

test('chunks that are under way when their asset fails count no more', async () => {
  const id = await running(1000)
  await cut(id, 'a', 2)
  await say(id, { assetId: 'a', chunk: 1 }, 100)
  await say(id, { assetId: 'b' }, 50)
  expect(await keep(id, 'a', chunk(0), 200)).toBe(true)
  expect(await bytesDone(id)).toBe(350)
  expect(await end(id, 'a', 400, 'FAILED')()).toBe(true)
  expect(await bytesDone(id)).toBe(450)
  expect(await keep(id, 'a', chunk(1), 200)).toBe(false)
  expect(await say(id, { assetId: 'a', chunk: 1 }, 150)).toBe(false)
  expect(await bytesDone(id)).toBe(450)
})

test('whatever workers do at the same time, what is done never falls, exceeds all or counts twice', async () => {
  const next = random(11)
  const id = await running(4 * 1000, 4)
  await cut(id, 'a0', 4)
  const workers = Array.from({ length: 10 }, async () => {
    for (let step = 0; step < 25; step++) {
      const n = Math.floor(next() * 4)
      const unit = n === 0 ? { assetId: 'a0', chunk: Math.floor(next() * 4) } : { assetId: `a${n}` }
      const whole = unit.chunk === undefined ? 1000 : 250
      const job = await getJob(id)
      if (next() < 0.9) await tell(job, { unit, bytes: Math.ceil(next() * whole) }).catch(busy)
      else if (unit.chunk !== undefined) await keep(id, 'a0', chunk(unit.chunk), whole)
      else await end(id, unit.assetId, 1000, next() < 0.5 ? 'FAILED' : 'SUCCEEDED')()
    }
  })
  const seen: number[] = []
  let over = false
  const watching = (async () => {
    while (!over) seen.push(await bytesDone(id))
  })()
  await Promise.all(workers)
  over = true
  await watching
  for (const n of [0, 1, 2, 3]) await keep(id, 'a0', chunk(n), 250)
  expect(progressOf({ ...(await getJob(id)), bytes: 1e9 }).bytesDone).toBeLessThanOrEqual(4000)
  for (const n of [0, 1, 2, 3]) await end(id, `a${n}`, 1000)()
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(new Set(seen).size).toBeGreaterThan(5)
  const last = await getJob(id)
  expect(progressOf({ ...last, bytes: 1e9 }).bytesDone).toBe(4000)
  expect(last).toMatchObject({ bytesIn: 4000, done: expect.any(Number) })
})

/** A single write that meets a transaction fails, and the heartbeat after it tells what it would have. */
const busy = (error: Error) => {
  if (error.name !== 'TransactionConflictException') throw error
}

test('of many units at the same time only some are told of', async () => {
  const id = await running(1000, 100)
  for (let n = 0; n < 40; n++) await say(id, { assetId: `a${n}` }, 1)
  const job = await getJob(id)
  expect(isNews(job, { unit: { assetId: 'a40' }, bytes: 1 })).toBe(false)
  expect(isNews(job, { unit: { assetId: 'a39' }, bytes: 2 })).toBe(true)
})

test('the time that is left follows from the rate so far, and runs on between signs of life', () => {
  const at = (second: number) => new Date(second * 1000).toISOString()
  const job = {
    ...newJob({ id: 'id', ownerId: 'owner', name: 'job', description: '' }, 1),
    status: 'IN_PROGRESS' as const,
    startedAt: at(0),
    heartbeatAt: at(10),
    bytes: 100,
    'bytes a': 25,
  }
  const left = (changes: object, now: number) => progressOf({ ...job, ...changes }, now * 1000).secondsLeft
  expect(left({}, 10)).toBe(30)
  expect(left({}, 14)).toBe(26)
  expect(left({}, 60)).toBe(0)
  expect(left({ heartbeatAt: at(20), 'bytes a': 80 }, 20)).toBe(5)
  expect(left({ 'bytes a': 0 }, 10)).toBe(null)
  expect(left({ bytes: undefined }, 10)).toBe(null)
  expect(left({ startedAt: null, heartbeatAt: undefined, 'bytes a': undefined }, 10)).toBe(null)
  expect(left({ finishedAt: at(12) }, 60)).toBe(0)
})

test('what an attempt made is not recorded once its job was begun anew', async () => {
  const id = await running(1000)
  const before = await getJob(id)
  await changeJob(id, { status: 'PENDING', startedAt: null }, { status: ['IN_PROGRESS'] })
  await changeJob(id, { status: 'IN_PROGRESS', startedAt: '2126-01-01T00:00:00.000Z' }, { status: ['PENDING'] })
  const nothing = { name: 'a.txt', outputAssetId: null, url: null, findings: [], errors: [], bytesIn: 0, bytesOut: 0 }
  const result = { assetId: 'a', status: 'SUCCEEDED' as const, ...nothing }
  expect(await recordResult(before, result)).toBe(false)
  expect(await recordResult(await getJob(id), result)).toBe(true)
})

test('an attempt leaves nothing once its job was begun anew', async () => {
  const id = await running(1000)
  const before = await getJob(id)
  const review = { state: 'preparing' } as ReviewRecord
  const startedAt = new Date(Date.parse(before.startedAt!) + 1).toISOString()
  await changeJob(id, { startedAt, review }, { status: ['IN_PROGRESS'] })
  const made = async (job: JobRecord) => {
    const asset = { assetId: 'c', outputId: randomUUID(), uploadId: 'upload', total: 1, done: 0 }
    return [
      await createChunks(job, asset, { ranges: [] } as never),
      await recordChunk(job, 'a', chunk(0), 600),
      await recordFound(job, 'a', [1]),
      await recordProposals(job, 'a', { parts: 1, pages: 0 }),
    ]
  }
  await cut(id, 'a', 1)
  expect(await made(before)).toEqual([false, false, false, false])
  const { found, proposed } = await getJob(id)
  expect([await bytesDone(id), found, proposed]).toEqual([0, undefined, undefined])
  expect(await made(await getJob(id))).toEqual([true, true, true, true])
})

test('a job of which something has come is not taken back', async () => {
  const id = await running(1000)
  await cut(id, 'a', 1)
  const { heartbeatAt, ...job } = await getJob(id)
  await sleep(5)
  expect(await recordChunk(job, 'a', chunk(0), 600)).toBe(true)
  expect(await changeJob(id, { status: 'PENDING' }, { status: ['IN_PROGRESS'], heartbeatAt })).toBeUndefined()
})
