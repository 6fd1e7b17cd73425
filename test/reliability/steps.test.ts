import type { Faults } from 'aws-emulators'
import { describe, expect, test } from 'vitest'
import { exhaustive } from '../runs.ts'
import { random } from './chaos.ts'
import { cancel, createTrial, ended, faultsOf, start, whileSweeping } from './jobs.ts'
import { killsOf } from './kills.ts'
import { type Stage, useStage } from './setup.ts'

/** Ways to end a function; the second, which ends where the first does, is for the long run. */
const ways = exhaustive ? (['killed', 'timed out'] as const) : (['killed'] as const)

const stageOf = useStage()
const stageToKill = useStage()

// They wait for most of their time: for what was lost, or for the message of whoever was killed.
describe.concurrent('a job whose functions are killed', () => {
  test.for(['pipeline-planner', 'pipeline-worker'].flatMap(victim => ways.map(way => [victim, way] as const)))(
    'comes out right when %s is %s at its steps',
    { timeout: 1_200_000, concurrent: false },
    async ([victim, way], context) => {
      const kills = killsOf(victim)
      const stage: Stage = stageToKill(context, {
        faults: (...request) => {
          if (!kills.isDue(...request)) return undefined
          stage.cloud.crash(victim, way === 'timed out')
          // What a function was waiting for when its time was up happens after all.
          return way === 'timed out' ? { delayMs: 1500 } : undefined
        },
      })
      const { client, workflowId, cloud } = stage
      await kills.through(async n => {
        // A job of one text is begun without the planner.
        const trial = await createTrial(client, workflowId, n, victim === 'pipeline-planner' ? 2 : 1, false)
        await start(client, trial.id)
        await whileSweeping(cloud, 2000, () => ended(client, trial.id))
        expect(await faultsOf(client, trial, false)).toEqual([])
      })
    },
  )
})

describe.concurrent('a job', () => {
  test('comes out right when every message comes twice', { timeout: 240_000, concurrent: false }, async context => {
    const faults: Faults = (service, action) =>
      service === 'sqs' && action.startsWith('Send') ? { duplicate: true } : undefined
    const stage = stageOf(context, { faults })
    const { client, workflowId } = stage
    for (let n = 0; n < 5; n++) {
      const trial = await createTrial(client, workflowId, n, 3, n === 2)
      await start(client, trial.id)
      await ended(client, trial.id)
      expect(await faultsOf(client, trial, false)).toEqual([])
    }
  })

  test('comes out right on a throttled and failing store', { timeout: 240_000, concurrent: false }, async context => {
    const next = random(7)
    let on = false
    const faults: Faults = service => {
      if (!on || next() > 0.15) return undefined
      if (service === 's3') return { error: { name: 'InternalError', status: 500 } }
      return { error: { name: 'ThrottlingException', status: 400 } }
    }
    const stage = stageOf(context, { faults })
    const { client, workflowId } = stage
    for (let n = 0; n < 5; n++) {
      const trial = await createTrial(client, workflowId, n, 2, false)
      on = true
      await start(client, trial.id)
      await ended(client, trial.id)
      on = false
      expect(await faultsOf(client, trial, false)).toEqual([])
    }
  })

  test('fails with its reason when a message can never be handled', {
    timeout: 240_000,
    concurrent: false,
  }, async context => {
    let poisoned = ''
    const faults: Faults = (service, action, { key }) =>
      service === 's3' &&
      action === 'GetObject' &&
      String(key).startsWith(`${poisoned}/`) &&
      !String(key).includes('plan')
        ? { error: { name: 'InternalError', status: 500 } }
        : undefined
    const stage = stageOf(context, { faults })
    const { client, workflowId } = stage
    const trial = await createTrial(client, workflowId, 0, 1, false)
    poisoned = trial.id
    await start(client, trial.id)
    expect(await ended(client, trial.id)).toBe('FAILED')
    const { errors, result } = await client.jobs.get({ job_id: trial.id })
    expect(errors).toMatchObject([{ type: 'internal', msg: expect.stringContaining('several attempts') }])
    expect(result).toMatchObject({ outcome: 'FAILED', counts: { assets: 1, succeeded: 0, failed: 1 } })
  })

  test('that was begun without an answer keeps what came of it', {
    timeout: 240_000,
    concurrent: false,
  }, async context => {
    let [sent, recorded] = [false, false]
    const faults: Faults = (service, action, _, caller) => {
      if (caller === 'jobs-execute' && service === 'sqs') {
        sent = true
        return { loseReply: true }
      }
      // What came of it is recorded before the job is taken back, and whoever would end the job looks at it after that.
      if (caller === 'jobs-execute' && sent && action === 'UpdateItem') return { delayMs: 4000 }
      if (caller !== 'pipeline-worker' || service !== 'dynamodb') return undefined
      if (action === 'TransactWriteItems') recorded = true
      return recorded && action === 'GetItem' ? { delayMs: 8000 } : undefined
    }
    const stage = stageOf(context, { faults })
    const { client, workflowId } = stage
    const trial = await createTrial(client, workflowId, 0, 1, false)
    await expect(client.jobs.execute({ job_id: trial.id })).rejects.toMatchObject({ status: 500 })
    expect(recorded).toBe(true)
    expect(await ended(client, trial.id)).toBe('SUCCEEDED')
    expect(await faultsOf(client, trial, false)).toEqual([])
  })

  test('goes on after its messages were lost', { timeout: 240_000, concurrent: false }, async context => {
    let lost = 0
    const faults: Faults = (service, action) =>
      service === 'sqs' && action.startsWith('Send') && lost++ < 2 ? { lose: true } : undefined
    const stage = stageOf(context, { faults })
    const { client, workflowId, cloud } = stage
    const trial = await createTrial(client, workflowId, 0, 2, false)
    await start(client, trial.id)
    await whileSweeping(cloud, 2000, () => ended(client, trial.id))
    expect(lost).toBeGreaterThan(2)
    expect(await faultsOf(client, trial, false)).toEqual([])
  })
})

// It must be cancelled while its worker is busy: it runs by itself.
test('a job stops in the middle of an asset when it is cancelled, and leaves no output', {
  timeout: 240_000,
}, async context => {
  const calls: string[] = []
  const stage = stageOf(context, {
    onAccess: (name, { action }) => {
      if (name === 'pipeline-worker') calls.push(action)
    },
  })
  const { client, workflowId } = stage
  // Enough text to keep a worker busy for longer than it goes without looking at its job.
  const line = 'Write to somebody@example.org about the matter of the day, soon.\n'
  const size = 60_000_000
  const files = [{ filename: 'long.txt', size }]
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Long', files } })
  const ticket = Assets[0]!.upload as { url: string; headers: Record<string, string> }
  const body = line.repeat(Math.ceil(size / line.length)).slice(0, size)
  expect((await fetch(ticket.url, { method: 'PUT', body, headers: ticket.headers })).status).toBe(200)
  await client.jobs.completeUploads({ job_id: id })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  const come = (action: string, from = 0) =>
    expect.poll(() => calls.indexOf(action, from), { timeout: 100_000 }).not.toBe(-1)
  await come('GetObject')
  const before = calls.length
  await cancel(client, id)
  const job = await client.jobs.get({ job_id: id })
  expect(job).toMatchObject({ status: 'CANCELLED', result: { outcome: 'CANCELLED', assets: [] } })
  await come('DeleteMessage', before)
  expect(calls).not.toContain('PutObject')
})
