import { afterAll, beforeAll, expect, test } from 'vitest'
import { chaos, kinds, random } from './chaos.ts'
import {
  cancel,
  createTableTrial,
  createTrial,
  ended,
  faultsOf,
  loadTrial,
  start,
  type Trial,
  whileSweeping,
} from './jobs.ts'
import { type Stage, startStage } from './setup.ts'

/** Jobs, each with a schedule of faults of its own; more by `TRIALS=1000`. */
const TRIALS = Number(process.env.TRIALS ?? 20)
const SEED = Number(process.env.SEED ?? 20_261_120)
/** Jobs under way at the same time. */
const AT_ONCE = 25
/** From so many jobs on, every kind of fault must have had its turn, and there must be so many of them. */
const MANY = 200
const MANY_FAULTS = 10_000

const odds = {
  throttle: 0.02,
  slow: 0.05,
  slowS3: 0.02,
  loseReply: 0.01,
  serverError: 0.02,
  duplicate: 0.3,
  lose: 0.05,
  reorder: 0.3,
  staleIndex: 0.2,
  unprocessed: 0.1,
  crash: 0.002,
  timeOut: 0.002,
  clockSkew: 0.5,
  ...(TRIALS >= MANY && { first: 0.02 }),
}
const next = random(SEED + 1)
let stage: Stage
const trouble = chaos(SEED, odds, (functionName, timedOut) => stage.cloud.crash(functionName, timedOut))

beforeAll(async () => {
  const { clockSkew } = trouble
  stage = await startStage({ clockSkew, faults: (...request) => trouble.faults(...request) })
})
afterAll(() => stage?.close())

/** A job that is made beforehand, or while everything fails. */
type Play = { cancelled: boolean; make: () => Promise<Trial>; trial?: Trial }

async function plan(n: number): Promise<Play> {
  const { client, workflowId, tableWorkflowId } = stage
  const [kind, size, poisoned, cancelled] = [next(), 1 + Math.floor(next() * 3), next() < 0.15, next() < 0.15]
  if (kind < 0.1) return { cancelled, make: () => loadTrial(stage, n, size) }
  const trial =
    kind < 0.2
      ? await createTableTrial(client, tableWorkflowId, n)
      : await createTrial(client, workflowId, n, size, poisoned)
  return { cancelled, make: async () => trial }
}

async function perform(play: Play): Promise<void> {
  const { client } = stage
  const { id } = await play.make().then(trial => (play.trial = trial))
  await start(client, id)
  if (play.cancelled) {
    await new Promise(resolve => setTimeout(resolve, next() * 300))
    await cancel(client, id)
  }
  await ended(client, id)
}

test(`${TRIALS} jobs on faulty services end in exactly one right state (seed ${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  const plays: Play[] = []
  for (let n = 0; n < TRIALS; n++) plays.push(await plan(n))
  const began = performance.now()
  trouble.on = true
  const left = plays.values()
  const hand = async () => {
    for (const play of left) await perform(play)
  }
  await whileSweeping(stage.cloud, 2000, () => Promise.all(Array.from({ length: AT_ONCE }, hand)))
  trouble.on = false

  const wrong: string[] = []
  for (const { trial, cancelled } of plays) {
    for (const fault of await faultsOf(stage.client, trial!, cancelled)) wrong.push(`${trial!.id}: ${fault}`)
  }
  const { counts, steps } = trouble
  const total = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  const both = steps.values().filter(suffered => suffered.size === 2)
  console.log(
    `${TRIALS} jobs in ${Math.round((performance.now() - began) / 1000)} s, ${total} faults: ${JSON.stringify(counts)}; ` +
      `${steps.size} steps of the pipeline, ${[...both].length} of them crashed and timed out`,
  )
  expect(wrong).toEqual([])
  const told = await notifications()
  const perJob = Map.groupBy(told, ({ resource }) => resource.id)
  expect(plays.filter(({ trial }) => perJob.get(trial!.id)?.length !== 1).map(({ trial }) => trial!.id)).toEqual([])
  if (TRIALS < MANY) return
  expect(total).toBeGreaterThan(MANY_FAULTS)
  expect(kinds.filter(kind => !counts[kind])).toEqual([])
})

async function notifications() {
  const all = []
  for (let skip = 0; ; skip += 1000) {
    const page = await stage.client.notifications.list({ body: { skip, limit: 1000 } })
    all.push(...page)
    if (page.length < 1000) return all
  }
}
