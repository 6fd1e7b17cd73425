import type { Plan } from 'anonymisation-engine'
import type { JobStatus, PlanEntry } from '../api/job.ts'
import { notFound } from '../api/problems.ts'
import type { AssetResult } from '../api/results.ts'
import { type AssetRecord, assetWrites, inputKey } from './assets.ts'
import {
  beginQuery,
  type Expression,
  getItem,
  getItems,
  getTogether,
  type Item,
  queryItems,
  setting,
  type Transact,
  transact,
  updateItem,
  type Write,
} from './dynamo.ts'
import type { Evidence } from './evidence.ts'
import { entryFor } from './job-plan.ts'
import type { JobRecord } from './job-record.ts'
import { type Kind, kinds } from './kinds.ts'
import { addingLabels } from './label-counts.ts'
import { isMissing, putObject, readWhole } from './objects.ts'
import { attributeOf } from './progress.ts'
import { changing as changingRecord, creating, findRecord, keyOf } from './records.ts'

export const JOB: Kind = kinds.job_id

/** A job by id; refuses an unknown one (404). */
export async function getJob(id: string): Promise<JobRecord & Item> {
  const job = await findRecord<JobRecord>(JOB, id)
  if (!job) throw notFound('job')
  return job
}

/** A job that has just been created. */
export const newJob = (
  {
    presetId,
    ...fields
  }: Pick<JobRecord, 'id' | 'ownerId' | 'name' | 'description' | 'sourceId' | 'mode' | 'counted'> & {
    presetId?: string
  },
  assetCount: number,
): JobRecord => {
  const now = new Date().toISOString()
  const counters = { assetCount, done: 0, failed: 0, findings: 0, bytesIn: 0, bytesOut: 0, revision: 0 }
  const times = { createdAt: now, updatedAt: now, startedAt: null, finishedAt: null }
  const workflow = { workflowId: null, presetId: presetId ?? null, presetVersion: null }
  return { ...fields, status: 'PENDING', ...workflow, ...counters, ...times }
}

/** Assets per transaction: each takes two of the hundred writes. */
const AT_ONCE = 40

/** Creates a job with its assets; the job comes last, written by `write`, so that it never shows only some of them. */
export async function createJob(job: JobRecord, assets: AssetRecord[], write: Transact = transact): Promise<void> {
  for (let at = AT_ONCE; at < assets.length; at += AT_ONCE) {
    await transact(assets.slice(at, at + AT_ONCE).flatMap(assetWrites))
  }
  await write([...assets.slice(0, AT_ONCE).flatMap(assetWrites), ...creating(JOB, job)])
}

/** What must hold of a job for a change to be made; `heartbeatAt`: nothing has been heard of it since. */
type Condition = { status: JobStatus[]; revision?: number; heartbeatAt?: string }

/** Changes a job only while a condition holds; answers it as it is now, or undefined. */
export const changeJob = (
  id: string,
  changes: Partial<JobRecord>,
  condition: Condition,
): Promise<(JobRecord & Item) | undefined> =>
  updateItem<JobRecord & Item>('jobs', keyOf(JOB, id), changing(changes, condition))

/** Changes a job together with other writes, all or nothing; false when the condition does not hold. */
export const changeJobWith = (
  id: string,
  changes: Partial<JobRecord>,
  condition: Condition,
  others: Write[],
  write: Transact = transact,
): Promise<boolean> =>
  write([{ table: 'jobs', update: keyOf(JOB, id), change: changing(changes, condition) }, ...others])

/** A job with changes, undefined ones left out, and the write for a transaction that makes them while a condition holds. */
export const changingJob = <J extends JobRecord>(before: J, changes: Partial<JobRecord>, condition: Condition) =>
  changingRecord<J>(JOB, before, changes as Partial<J>, holding(condition))

function changing(changes: Partial<JobRecord>, condition: Condition): Expression & { update: string } {
  const change = setting({ ...changes, updatedAt: new Date().toISOString() })
  const held = holding(condition)
  return { ...change, ...held, names: { ...change.names, ...held.names }, values: { ...change.values, ...held.values } }
}

/** A condition in DynamoDB's expression language. */
function holding({ status, ...same }: Condition) {
  const unchanged = Object.entries(same).filter(([, value]) => value !== undefined)
  return {
    condition: [
      `#status IN (${status.map((_, n) => `:s${n}`).join(', ')})`,
      ...unchanged.map(([name]) => `#${name} = :same${name}`),
    ].join(' AND '),
    names: { '#status': 'status', ...Object.fromEntries(unchanged.map(([name]) => [`#${name}`, name])) },
    values: {
      ...Object.fromEntries(status.map((state, n) => [`:s${n}`, state])),
      ...Object.fromEntries(unchanged.map(([name, value]) => [`:same${name}`, value])),
    },
  }
}

/**
 * What came of one asset: a row of the job, written once; `places`: how many files tell where its findings stand; `evidence`:
 * what its certificate says beyond the rest; `outputType`: the media type of its output, unknown in older ones; `outputGone`:
 * whether that was deleted since.
 */
export type ResultRecord = AssetResult & {
  bytesIn: number
  bytesOut: number
  places?: number
  evidence?: Evidence
  outputType?: string
  outputGone?: true
}

type ResultRow = Item & ResultRecord

/** Key of the row with what came of an asset. */
export const resultKey = (jobId: string, assetId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: `RESULT#${assetId}` })

/** What came of the first assets of a job, in the order of their ids. */
export async function listResults(jobId: string, limit: number): Promise<ResultRecord[]> {
  const rows: ResultRow[] = []
  const partition = { table: 'jobs' as const, key: keyOf(JOB, jobId).pk, prefix: 'RESULT#' }
  for await (const row of queryItems<ResultRow>(partition, limit)) rows.push(row)
  return rows
}

const partitionFrom = (jobId: string, assetId: string) => ({
  table: 'jobs' as const,
  key: keyOf(JOB, jobId).pk,
  from: `RESULT#${assetId}`,
})

/** Begins to read what came of some assets of a job before it is asked for. */
export const resultsAhead = (jobId: string, assetId: string, most: number): void =>
  beginQuery(partitionFrom(jobId, assetId), most)

/** What came of the assets of a job from one of them on, in the order of their ids. */
export async function* resultsFrom(jobId: string, assetId = ''): AsyncGenerator<ResultRecord> {
  for await (const row of queryItems<ResultRow>(partitionFrom(jobId, assetId))) {
    if (!row.sk.startsWith('RESULT#')) return
    yield row
  }
}

/** Whether an asset of a job has a result already. */
export const findResult = (jobId: string, assetId: string): Promise<ResultRow | undefined> =>
  getItem<ResultRow>('jobs', resultKey(jobId, assetId))

/** What a worker begins with, as far as it is there. */
type Work = { job?: JobRecord & Item; asset?: AssetRecord & Item; result?: ResultRow }

/** A job, an asset that it was given, and what has come of that, read together. */
export async function findWork(jobId: string, assetId: string): Promise<Work> {
  const keys = [keyOf(JOB, jobId), inputKey(jobId, assetId), resultKey(jobId, assetId)]
  const [job, asset, result] = await getTogether(keys.map(key => ({ table: 'jobs', key })))
  return { job, asset, result } as Work
}

/** The write that notes that the output of an asset is deleted. */
export const noteOutputGone = (jobId: string, assetId: string): Write => ({
  table: 'jobs',
  update: resultKey(jobId, assetId),
  change: { update: 'SET outputGone = :gone', condition: 'attribute_exists(pk)', values: { ':gone': true } },
})

/** Which of the assets have a result already. */
export async function assetsWithResult(jobId: string, assetIds: string[]): Promise<Set<string>> {
  const rows = await getItems<ResultRow>(
    'jobs',
    assetIds.map(id => resultKey(jobId, id)),
  )
  return new Set(rows.map(({ assetId }) => assetId))
}

/** What is written together with a result. */
type WithResult = {
  /** The output, which becomes an asset of the job. */
  output?: AssetRecord
  /** Attributes of the job that told of its bytes so far. */
  told?: string[]
  /** What ends the job, where this is its last result: changes of its record, and the writes that go with them. */
  ending?: { changes: Partial<JobRecord>; writes: Write[] }
}

/**
 * Writes what came of an asset and counts it in its job, all or nothing, at most once and only while the job is IN
 * PROGRESS as it was begun; an output only where there is no review, or it has released the job. Its bytes count as done
 * from then on, in place of what was told of it before.
 */
export const recordResult = (job: Begun, result: ResultRecord, { output, told, ending }: WithResult = {}) =>
  transact([
    {
      table: 'jobs',
      put: { ...result, ...resultKey(job.id, result.assetId) },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    ...(output ? assetWrites(output) : []),
    { table: 'jobs', update: keyOf(JOB, job.id), change: counting(job, result, { output, told, ending }) },
    ...(ending?.writes ?? []),
  ])

/** A job by when it was begun: it may be begun again where its message is believed lost. */
export type Begun = Pick<JobRecord, 'id' | 'startedAt'>

/** Holds while a job runs as it was begun, so that nothing comes of an earlier attempt any more. */
export const whileRunning = ({ startedAt }: Begun) => ({
  condition: '#status = :running AND startedAt = :begun',
  names: { '#status': 'status' },
  values: { ':running': 'IN_PROGRESS', ':begun': startedAt },
})

/** Holds where nothing is reviewed, or the review has released it. */
const released = {
  condition: '(attribute_not_exists(#review.#state) OR #review.#state = :released)',
  names: { '#review': 'review', '#state': 'state' },
  values: { ':released': 'released' },
}

/** The change that counts a result in its job. */
function counting(job: Begun, result: ResultRecord, { output, told = [], ending }: WithResult): Expression {
  const changes = ending?.changes ?? {}
  const { findings, status, bytesIn, bytesOut } = result
  const labels = addingLabels(findings)
  const now = new Date().toISOString()
  const same = whileRunning(job)
  const set = setting({ ...changes, heartbeatAt: now, ...(changes.status && { updatedAt: now }) })
  const gone = [...new Set([attributeOf(result), ...told])].map((name, n) => [`#g${n}`, name] as const)
  return {
    update: `ADD #counted :one, findings :found, bytesIn :in, bytesOut :out${labels.add} ${set.update} REMOVE ${gone.map(([alias]) => alias).join(', ')}`,
    condition: output ? `${same.condition} AND ${released.condition}` : same.condition,
    names: {
      ...same.names,
      ...(output && released.names),
      ...labels.names,
      ...set.names,
      ...Object.fromEntries(gone),
      '#counted': status === 'SUCCEEDED' ? 'done' : 'failed',
    },
    values: {
      ...same.values,
      ...(output && released.values),
      ...labels.values,
      ...set.values,
      ':one': 1,
      ':found': findings.reduce((sum, { count }) => sum + count, 0),
      ':in': bytesIn,
      ':out': bytesOut,
    },
  }
}

/** Keeps the n-th snapshot of workflow and rules that a job runs with; answers its key. */
export async function savePlan(jobId: string, revision: number, plan: Plan, n = 0): Promise<string> {
  const key = `${jobId}/plan-${revision}-${n}.json`
  await putObject({ bucket: 'results', key }, Buffer.from(JSON.stringify(plan)), 'application/json')
  return key
}

/** A snapshot that a job runs with. */
export const loadPlan = async (key: string): Promise<Plan> =>
  JSON.parse((await readWhole({ bucket: 'results', key })).toString()) as Plan

type Planned = Pick<JobRecord, 'plan' | 'planKey'>

/** The key of the snapshot that an asset of a job is worked on with. */
export const planKeyOf = ({ plan, planKey }: Planned, asset: Pick<AssetRecord, 'type' | 'name'>): string =>
  entryFor(plan, asset)?.planKey ?? planKey!

/** The snapshot that an asset of a job is worked on with. */
export const planOfAsset = (job: Planned, asset: Pick<AssetRecord, 'type' | 'name'>): Promise<Plan> =>
  loadPlan(planKeyOf(job, asset))

/** A snapshot that a job runs with, and the assets that it is for: those that no other one is for where nothing is said. */
export type PlanOfJob = { match?: PlanEntry['match']; plan: Plan }

/** All snapshots that a job runs with, in the order in which they are looked through for an asset. */
export async function plansOf({ plan, planKey }: JobRecord): Promise<PlanOfJob[]> {
  const entries = (plan ?? []).map(async ({ match, planKey }) => ({ match, plan: await loadPlan(planKey!) }))
  const rest = planKey === undefined ? [] : [loadPlan(planKey).then(plan => ({ plan }))]
  return Promise.all<PlanOfJob>([...entries, ...rest])
}

/** The same; undefined when one of them is not there any more. */
export async function plansIfThere(job: JobRecord): Promise<PlanOfJob[] | undefined> {
  try {
    return await plansOf(job)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The keys of all snapshots that a job runs with. */
export const planKeysOf = ({ plan, planKey }: JobRecord): string[] =>
  [...(plan ?? []).map(({ planKey }) => planKey), planKey].filter(key => key !== undefined)
