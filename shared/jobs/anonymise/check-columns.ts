import { EngineError, type Plan } from 'anonymisation-engine'
import type { JobError } from '../../api/results.ts'
import { type AssetRecord, listAssets, objectOf } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB, planOfAsset } from '../../store/jobs.ts'
import { objectInput } from '../../store/object-input.ts'
import { findRecord } from '../../store/records.ts'
import { failJob } from '../lifecycle/finish-job.ts'
import { fanOut } from '../lifecycle/plan-job.ts'
import { HEAP_MIB } from '../worker/threads.ts'
import { isolate } from '../worker/worker-host.ts'

/** What is left of an invocation when the look at tables ends, those not looked at being left to their own workers. */
const RESERVE_MS = 60_000
/** Longest look at one table. */
const LOOK_MS = 120_000
/** Tables that are said to lack columns, at most. */
const MAX_ERRORS = 100

/**
 * Looks at the tables of a job whose workflow names columns. If one lacks a column, the job fails before anything is made
 * of any asset, with the names of those that there are; otherwise it is shared out. Again is fine.
 */
export async function checkColumnsOfJob(jobId: string, remainingMs: number): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (job?.status !== 'IN_PROGRESS') return
  const deadline = Date.now() + remainingMs - RESERVE_MS
  const errors: JobError[] = []
  for (const asset of await listAssets(jobId)) {
    if (asset.type !== 'TABLE' || Date.now() >= deadline || errors.length === MAX_ERRORS) continue
    await heartbeat(jobId)
    const missing = await missingIn(asset, await planOfAsset(job, asset), deadline)
    if (missing) errors.push({ msg: missing.message, loc: missing.loc, type: 'invalid_workflow', assetId: asset.id })
  }
  if (errors.length > 0) await failJob(jobId, ...errors)
  else await fanOut(job)
}

/** What a table lacks, found out in a thread with hard limits. Trouble with its file has its name when it is worked on. */
async function missingIn(asset: AssetRecord, plan: Plan, deadline: number) {
  const { name, size, table } = asset
  const input = objectInput(objectOf(asset), name, size ?? 0)
  const nothing = {
    path: '',
    directory: '',
    models: '',
    secrets: { hash: new Uint8Array(), pseudonym: new Uint8Array() },
  }
  const data = { ...nothing, name, plan, options: { ...table }, columns: { size: input.size } }
  const bounds = {
    milliseconds: Math.max(1000, Math.min(LOOK_MS, deadline - Date.now())),
    heapMiB: HEAP_MIB,
    signal: new AbortController().signal,
    number: async () => [],
    bytes: input.read,
  }
  try {
    const ended = await isolate(data, bounds)
    return ended.type === 'columns' ? ended.missing : undefined
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
