import { readFile } from 'node:fs/promises'
import type { Faults } from 'aws-emulators'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exhaustive } from '../runs.ts'
import { ofLambda, onlyReads, random, stepOf } from './chaos.ts'
import { cancel, ended, start, whileSweeping } from './jobs.ts'
import { keysOf } from './left.ts'
import { type Stage, startStage } from './setup.ts'

/** Settings that cut small tables, and read those that must be read in several goes. */
const sizes = { FAN_OUT_BYTES: '20000', CHUNK_BYTES: '33000', CHECKPOINT_BYTES: '33000' }

/**
 * A job is cancelled at each so-manieth step of its workers, the tables taking turns, and workers are killed at each kind
 * of write. The long run tries every step of every table.
 */
const STRIDE = exhaustive ? 1 : 23

/** So often workers are killed in one job at most: a message that has failed five times is given up. */
const MOST_KILLS = 4

/** Records of each table. */
const rowsOf = { 'cut by looking': 1500, 'cut by reading': 4000, 'of lines of JSON': 1500 }

/** Tables in a few chunks: one that is cut by looking, one that must be read, one whose records name their fields. */
const tables = {
  'cut by looking': `id,name,mail\r\n${lines('cut by looking', n => `${n},"Person, ""the"" ${n}\r\n${n}",person${n}@example.org`)}`,
  'cut by reading': `id,name,mail\r\n${lines('cut by reading', n => `${n},Person${',x'.repeat(n % 3)},person${n}@example.org`)}`,
  'of lines of JSON': lines('of lines of JSON', n =>
    JSON.stringify({ id: n, name: `Person "${n}"`, mail: `person${n}@example.org` }),
  ),
}
type Kind = keyof typeof rowsOf
const kinds = Object.keys(rowsOf) as Kind[]

function lines(kind: Kind, line: (n: number) => string): string {
  return Array.from({ length: rowsOf[kind] }, (_, n) => `${line(n)}\r\n`).join('')
}

const expected = (kind: Kind) => tables[kind].replace(/person\d+@example\.org/g, '[EMAIL]')

/** A cloud with workflows for tables, and what disturbs it. */
type TableStage = Stage & {
  /** Gives each value a number. */
  numberingId: string
  faults?: Faults
  /** Runs at every request that a worker makes, with the kind of step that it is, and whether it only reads. */
  workerStep?: (step: string, reads: boolean) => unknown
}

async function startTables(): Promise<TableStage> {
  const disturbed: Pick<TableStage, 'faults' | 'workerStep'> = {}
  const stage = await startStage({
    environment: sizes,
    faults: (service, action, request, caller) => {
      if (caller === 'pipeline-worker' && !ofLambda(service, action))
        disturbed.workerStep?.(stepOf(service, action, request), onlyReads(action))
      return disturbed.faults?.(service, action, request, caller)
    },
  })
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
  await whileSweeping(cloud, 2000, () => ended(client, id))
}

/** The job came out as in one pass, and counted every chunk once. */
async function expectRight({ client }: Stage, id: string, kind: Kind): Promise<void> {
  const job = await client.jobs.get({ job_id: id })
  expect(job.errors).toEqual([])
  const [asset] = job.result!.assets
  const rows = rowsOf[kind]
  expect(job.result!.counts).toMatchObject({ assets: 1, succeeded: 1, findings: rows })
  expect(asset!.risk!.before).toMatchObject({ records: rows, classes: kind === 'cut by reading' ? 1 : rows })
  expect(await (await fetch(asset!.url!)).text()).toBe(expected(kind))
}

/** Kinds of steps where workers were killed: what the tables have in common is tried with one of them. */
const killed = new Set<string>()
/** Tables whose workers were killed wherever they were not before. */
const tried = new Set<Kind>()

// The tables side by side, each with a cloud of its own that its tests use one after another.
describe.concurrent.each(kinds)('a table %s', kind => {
  let stage: TableStage
  beforeAll(async () => {
    stage = await startTables()
  })
  afterEach(() => {
    stage.faults = undefined
    stage.workerStep = undefined
  })
  afterAll(() => stage?.close())

  test('comes out right when every message comes twice', { timeout: 600_000, concurrent: false }, async () => {
    stage.faults = (service, action) =>
      service === 'sqs' && action.startsWith('Send') ? { duplicate: true } : undefined
    const id = await create(stage, kind)
    await play(stage, id)
    await expectRight(stage, id, kind)
    const logged = (await readFile(stage.cloud.logFile, 'utf8'))
      .split('\n')
      .filter(line => line.includes('message done') && line.includes(id))
    expect(logged.filter(line => line.includes('"type":"CHUNK"')).length).toBeGreaterThan(2)
    // Reading goes on in another message after each checkpoint.
    const readings = logged.filter(line => line.includes('"type":"ANONYMISE"')).length
    expect(readings).toBeGreaterThan(kind === 'cut by reading' ? 3 : 0)
  })

  test('comes out right on a failing store, with messages lost and out of order', {
    timeout: 600_000,
    concurrent: false,
  }, async () => {
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

  test('comes out right when workers are killed at every kind of write', {
    timeout: 1_200_000,
    concurrent: false,
  }, async () => {
    // Those of one job come one right after the other; in the long run a quarter of the steps apart that the job before it took.
    let apart = exhaustive ? Number.POSITIVE_INFINITY : 0
    // Once a job comes to no more steps where workers were not killed before, all of them have been tried.
    for (let isLast = false; !isLast; ) {
      const id = await create(stage, kind)
      let steps = 0
      let last = Number.NEGATIVE_INFINITY
      let kills = 0
      stage.workerStep = (name, reads) => {
        const step = exhaustive ? `${kind}, step ${steps}` : name
        if (exhaustive || !reads) kill(step)
        steps++
      }
      const kill = (step: string) => {
        if (kills < MOST_KILLS && steps - last >= apart && !killed.has(step)) {
          killed.add(step)
          kills++
          last = steps
          stage.cloud.crash('pipeline-worker')
        }
      }
      await play(stage, id)
      stage.workerStep = undefined
      await expectRight(stage, id, kind)
      isLast = exhaustive ? kills === 0 : kills < MOST_KILLS
      if (exhaustive) apart = Math.ceil(steps / MOST_KILLS)
    }
    tried.add(kind)
  })

  test('leaves nothing when it is cancelled at any step', { timeout: 1_200_000, concurrent: false }, async () => {
    const cancelled: string[] = []
    const turns = exhaustive ? 1 : kinds.length
    for (let at = STRIDE * (kinds.indexOf(kind) % turns), reached = true; reached; at += STRIDE * turns) {
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
    // One near the last step may come too late.
    expect(cancelled.length).toBeGreaterThan(exhaustive ? 1 : 0)
    // What a worker had in its hands when the job was cancelled is removed by the message for that.
    const until = Date.now() + 60_000
    let left: string[] = []
    do {
      left = (await Promise.all(cancelled.map(id => keysOf(stage, id)))).flat()
      if (left.length > 0) await new Promise(resolve => setTimeout(resolve, 1000))
    } while (left.length > 0 && Date.now() < until)
    expect(left.filter(key => !key.includes('/plan-'))).toEqual([])
  })

  if (kind === 'cut by looking')
    test('has one number for each value, whatever is lost, late or sent twice', {
      timeout: 600_000,
      concurrent: false,
    }, async () => {
      const { client } = stage
      const next = random(12)
      const id = await create(stage, kind, stage.numberingId)
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
      expect(output.replaceAll(/\[EMAIL \d+\]/g, '[EMAIL]')).toBe(expected(kind))
      // Two workers that have the same chunk at once may leave numbers out.
      expect(new Set(output.match(/\[EMAIL \d+\]/g)).size).toBe(rowsOf[kind])
    })
})

// A part of the tests comes to a part of the steps.
afterAll(() => {
  if (tried.size === kinds.length) expect(killed.size).toBeGreaterThan(15)
})
