import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ListBucketsCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Faults } from 'aws-emulators'
import { describe, expect, type TestContext, test } from 'vitest'
import { random } from './chaos.ts'
import { cancel, insist, start, whileSweeping } from './jobs.ts'
import { type Stage, startStage } from './setup.ts'

/** Settings that cut small tables, and read those that must be read in several goes. */
const sizes = { FAN_OUT_BYTES: '20000', CHUNK_BYTES: '66000', CHECKPOINT_BYTES: '66000' }

/** Of the steps at which a worker can be killed or its job cancelled, each so-manieth is tried; all of them by `STRIDE=1`. */
const STRIDE = Number(process.env.STRIDE ?? 13)

/** Tables in three chunks or so: one that is cut by looking, one that must be read, one whose records name their fields. */
const tables = {
  'cut by looking': `id,name,mail\r\n${lines(4000, n => `${n},"Person, ""the"" ${n}\r\n${n}",person${n}@example.org`)}`,
  'cut by reading': `id,name,mail\r\n${lines(14_000, n => `${n},Person${',x'.repeat(n % 3)},person${n}@example.org`)}`,
  'of lines of JSON': lines(4000, n =>
    JSON.stringify({ id: n, name: `Person "${n}"`, mail: `person${n}@example.org` }),
  ),
}
type Kind = keyof typeof tables
const kinds = Object.keys(tables) as Kind[]

function lines(rows: number, line: (n: number) => string): string {
  return Array.from({ length: rows }, (_, n) => `${line(n)}\r\n`).join('')
}

const expected = (kind: Kind) => tables[kind].replace(/person\d+@example\.org/g, '[EMAIL]')

/** A cloud of a test's own with workflows for tables, and what disturbs it meanwhile. */
type TableStage = Stage & {
  /** Gives each value a number. */
  numberingId: string
  faults?: Faults
  /** Runs at every request that a worker makes. */
  workerStep?: () => unknown
}

/** Starts one, which ends with its test. */
async function startTables({ onTestFinished }: TestContext): Promise<TableStage> {
  const disturbed: Pick<TableStage, 'faults' | 'workerStep'> = {}
  const stage = await startStage({
    environment: sizes,
    faults: (...request) => disturbed.faults?.(...request),
    onAccess: name => {
      if (name === 'pipeline-worker') disturbed.workerStep?.()
    },
  })
  onTestFinished(() => stage.close())
  const { client } = stage
  const config = { regexRuleConfig: { pattern: 'person\\d+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const risk = { quasiIdentifiers: ['name'], sensitive: [], threshold: 0.2 }
  const workflowWith = async (text: string) => {
    const rules = [{ ruleId: rule.id, replacement: { text } }]
    const body = { name: 'Tables', supportedAssetType: 'TABLE' as const, config: { rules, risk } }
    return (await client.workflows.create({ body })).id
  }
  const tableWorkflowId = await workflowWith('[EMAIL]')
  return Object.assign(disturbed, stage, { tableWorkflowId, numberingId: await workflowWith('[EMAIL {{n}}]') })
}

async function create({ client, tableWorkflowId }: Stage, kind: Kind, workflowId = tableWorkflowId): Promise<string> {
  const name = kind === 'of lines of JSON' ? 'people.ndjson' : 'people.csv'
  const files = [{ name, content: tables[kind] }]
  const { id } = await client.jobs.upload({ body: { name: kind }, files })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  return id
}

/** Runs a job to its end, the sweeper sending again what was lost. */
async function play({ client, cloud }: Stage, id: string): Promise<void> {
  await start(client, id)
  await whileSweeping(cloud, 1000, async () => {
    while ((await insist(() => client.jobs.status({ job_id: id }))).status === 'IN_PROGRESS') await sleep(200)
  })
}

/** The job came out as in one pass, and counted every chunk once. */
async function expectRight({ client }: Stage, id: string, kind: Kind): Promise<void> {
  const job = await client.jobs.get({ job_id: id })
  expect(job.errors).toEqual([])
  const [asset] = job.result!.assets
  const rows = kind === 'cut by reading' ? 14_000 : 4000
  expect(job.result!.counts).toMatchObject({ assets: 1, succeeded: 1, findings: rows })
  expect(asset!.risk!.before).toMatchObject({ records: rows, classes: kind === 'cut by reading' ? 1 : rows })
  expect(await (await fetch(asset!.url!)).text()).toBe(expected(kind))
}

/** The names of what lies in the bucket for results below a job, unfinished uploads included. */
async function leftOf({ cloud }: Stage, id: string): Promise<string[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const s3 = new S3Client({ endpoint: cloud.endpoints.s3, region: 'us-east-1', forcePathStyle: true, credentials })
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  const names: string[] = []
  for (const { Name: Bucket } of Buckets) {
    if (!/result/i.test(Bucket!)) continue
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${id}/` }))
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: `${id}/` }))
    names.push(...[...Contents, ...Uploads].map(({ Key }) => Key!))
  }
  return names
}

describe.concurrent.each(kinds)('a table %s', kind => {
  test('comes out right when every message comes twice', { timeout: 600_000 }, async context => {
    const stage = await startTables(context)
    stage.faults = (service, action) =>
      service === 'sqs' && action.startsWith('Send') ? { duplicate: true } : undefined
    const id = await create(stage, kind)
    await play(stage, id)
    await expectRight(stage, id, kind)
    const logged = (await readFile(stage.cloud.logFile, 'utf8'))
      .split('\n')
      .filter(line => line.includes('message done'))
    expect(logged.filter(line => line.includes('"type":"CHUNK"')).length).toBeGreaterThan(2)
    // Reading goes on in another message after each checkpoint.
    const readings = logged.filter(line => line.includes('"type":"ANONYMISE"')).length
    expect(readings).toBeGreaterThan(kind === 'cut by reading' ? 3 : 0)
  })

  test('comes out right on a failing store, with messages lost and out of order', {
    timeout: 600_000,
  }, async context => {
    const stage = await startTables(context)
    const next = random(11)
    const id = await create(stage, kind)
    stage.faults = (service, action) => {
      if (service === 'sqs' && action === 'ReceiveMessage') return { reorder: true }
      if (service === 'sqs' && action.startsWith('Send') && next() < 0.15) return { lose: true }
      if (next() > 0.08) return undefined
      if (service === 's3') return { error: { name: 'InternalError', status: 500 } }
      return service === 'dynamodb' ? { error: { name: 'ThrottlingException', status: 400 } } : undefined
    }
    await play(stage, id)
    stage.faults = undefined
    await expectRight(stage, id, kind)
  })

  test('comes out right when a worker is killed at any step', { timeout: 1_200_000 }, async context => {
    const stage = await startTables(context)
    for (let at = kind === 'cut by reading' ? 3 : 0, reached = true; reached; at += STRIDE) {
      const id = await create(stage, kind)
      let step = 0
      stage.workerStep = () => step++ === at && stage.cloud.crash('pipeline-worker')
      await play(stage, id)
      stage.workerStep = undefined
      await expectRight(stage, id, kind)
      // Once a job ends before its worker gets that far, every step has been tried.
      reached = step > at
    }
  })

  test('leaves nothing when it is cancelled at any step', { timeout: 1_200_000 }, async context => {
    const stage = await startTables(context)
    const cancelled: string[] = []
    for (let at = 0, reached = true; reached; at += STRIDE) {
      const id = await create(stage, kind)
      let step = 0
      let cancelling: Promise<void> | undefined
      stage.workerStep = () => {
        if (step++ === at) cancelling = cancel(stage.client, id)
      }
      await play(stage, id)
      await cancelling
      stage.workerStep = undefined
      reached = step > at
      const { status, result } = await stage.client.jobs.get({ job_id: id })
      if (status === 'CANCELLED') {
        expect(result?.assets).toEqual([])
        cancelled.push(id)
      } else await expectRight(stage, id, kind)
    }
    expect(cancelled.length).toBeGreaterThan(2)
    // What a worker had in its hands when the job was cancelled is removed by the message for that.
    const until = Date.now() + 60_000
    let left: string[] = []
    do {
      left = (await Promise.all(cancelled.map(id => leftOf(stage, id)))).flat()
      if (left.length > 0) await new Promise(resolve => setTimeout(resolve, 1000))
    } while (left.length > 0 && Date.now() < until)
    expect(left.filter(key => !key.includes('/plan-'))).toEqual([])
  })
})

test.concurrent('each value of a cut table has one number of its own, whatever is lost, late or sent twice', {
  timeout: 600_000,
}, async context => {
  const stage = await startTables(context)
  const { client } = stage
  const next = random(12)
  const id = await create(stage, 'cut by looking', stage.numberingId)
  stage.faults = (service, action) => {
    if (service !== 'sqs') return undefined
    if (action === 'ReceiveMessage') return { reorder: true }
    if (!action.startsWith('Send')) return undefined
    return next() < 0.15 ? { lose: true } : { duplicate: next() < 0.1 }
  }
  await play(stage, id)
  const job = await client.jobs.get({ job_id: id })
  expect(job.errors).toEqual([])
  const output = await (await fetch(job.result!.assets[0]!.url!)).text()
  expect(output.replaceAll(/\[EMAIL \d+\]/g, '[EMAIL]')).toBe(expected('cut by looking'))
  // Two workers that have the same chunk at once may leave numbers out.
  expect(new Set(output.match(/\[EMAIL \d+\]/g)).size).toBe(4000)
})
