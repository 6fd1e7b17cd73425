import { afterAll, beforeAll, expect, test } from 'vitest'
import { chaos, random } from './chaos.ts'
import { cancel, createTrial, faultsOf, insist, start, type Trial } from './jobs.ts'
import { type Stage, startStage } from './setup.ts'

/** Jobs, each with a schedule of faults of its own; more by `TRIALS=1000`. */
const TRIALS = Number(process.env.TRIALS ?? 60)
const SEED = Number(process.env.SEED ?? 20_261_120)
/** Jobs under way at the same time. */
const AT_ONCE = 25

const trouble = chaos(SEED, {
  throttle: 0.01,
  slow: 0.05,
  loseReply: 0.005,
  serverError: 0.02,
  duplicate: 0.3,
  lose: 0.05,
  reorder: 0.2,
  staleIndex: 0.2,
  unprocessed: 0.05,
})
/** Share of the pipeline's requests to a store at which its function crashes. */
const CRASHES = 0.003
const next = random(SEED + 1)
let crashes = 0
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ faults: (...request) => trouble.faults(...request), onAccess: crashing })
})
afterAll(() => stage?.close())

/** Ends functions of the pipeline between any two of their steps, as a crash would. */
function crashing(functionName: string): void {
  if (!trouble.on || !functionName.startsWith('pipeline-') || next() >= CRASHES) return
  crashes++
  stage.cloud.crash(functionName)
}

test(`${TRIALS} jobs on faulty services end in exactly one right state (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  const { client, workflowId } = stage
  const trials: (Trial & { cancelled: boolean })[] = []
  for (let n = 0; n < TRIALS; n++) {
    const trial = await createTrial(client, workflowId, n, 1 + Math.floor(next() * 3), next() < 0.15)
    trials.push({ ...trial, cancelled: next() < 0.15 })
  }
  trouble.on = true
  const sweeping = setInterval(() => void stage.cloud.invoke('pipeline-sweeper', {}), 2000)
  const left = trials.values()
  const play = async () => {
    for (const { id, cancelled } of left) {
      await start(client, id)
      if (cancelled) {
        await new Promise(resolve => setTimeout(resolve, next() * 300))
        await cancel(client, id)
      }
      for (;;) {
        const { status } = await insist(() => client.jobs.status({ job_id: id }))
        if (status !== 'IN_PROGRESS') break
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, play))
  trouble.on = false
  clearInterval(sweeping)
  const wrong: string[] = []
  for (const trial of trials) {
    for (const fault of await faultsOf(client, trial, trial.cancelled)) wrong.push(`${trial.id}: ${fault}`)
  }
  console.log(`${TRIALS} jobs; faults: ${JSON.stringify({ ...trouble.counts, crashes })}`)
  expect(wrong).toEqual([])
  const told = await client.notifications.list({ body: { limit: 1000 } })
  const perJob = Map.groupBy(told, ({ resource }) => resource.id)
  expect(trials.filter(({ id }) => perJob.get(id)?.length !== 1).map(({ id }) => id)).toEqual([])
})
