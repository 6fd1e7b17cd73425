import type { Asset } from '../../shared/api/assets.ts'
import type { CallReply } from '../../shared/api/client.ts'
import type { Api } from '../../shared/api/index.ts'
import type { Job } from '../../shared/api/job.ts'
import { CallError, call } from '../api.ts'
import { type Compared, compare, type Found } from './shadow-compare.ts'

/** What was compared, with the names of files that were searched again with the workflow of the job as it is now. */
export type ShadowRun = Compared & { again: string[] }

/** How often it is asked how far the copy is, milliseconds. */
const LOOK_MS = 1000

type Chosen = { workflowId: string } | { presetId: string }

/**
 * Searches the kept inputs of a finished job with another workflow or preset and compares what is found. Of tables that were
 * anonymised only numbers are kept: where there are any, the inputs are also searched with the job's own workflow again.
 */
export async function shadowRun(job: Job, chosen: Chosen): Promise<ShadowRun> {
  const copies: string[] = []
  try {
    const now = await searchAgain(job, { plan: null, ...chosen }, copies)
    const unlisted = await unlistedOf(job)
    const again = unlisted.length > 0 ? await searchAgain(job, {}, copies).catch(unlessWithout) : undefined
    const compared = await compare(
      () => findingsOf(again ?? job),
      () => findingsOf(now),
    )
    return { ...compared, again: again ? unlisted : [] }
  } finally {
    for (const id of copies) await erase(id)
  }
}

/** A job has no workflow any more once that is deleted: then its tables aren't compared. */
function unlessWithout(reason: unknown): undefined {
  if (!(reason instanceof CallError && reason.has('workflow_required'))) throw reason
}

/** A copy of a job that has been searched and makes no outputs; its id is noted, as it must be erased. */
async function searchAgain(job: Job, choice: { plan?: null } & Partial<Chosen>, copies: string[]): Promise<Job> {
  const { id: job_id } = await call('jobs', 'copy', { job_id: job.id })
  copies.push(job_id)
  await until(job_id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
  await call('jobs', 'update', { job_id, body: { mode: 'INSPECT', review: null, ...choice } })
  await call('jobs', 'execute', { job_id })
  const ended = await until(job_id, ({ status }) => status !== 'IN_PROGRESS')
  if (ended.status === 'SUCCEEDED') return ended
  throw new CallError(
    400,
    ended.errors.map(({ type, msg }) => ({ type, msg, loc: [] })),
  )
}

async function until(job_id: string, isSo: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await call('jobs', 'get', { job_id })
    if (isSo(job)) return job
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

/** Erases a copy, be it under way or not. */
async function erase(job_id: string): Promise<void> {
  const remove = () => call('jobs', 'delete', { job_id })
  await remove().catch(async () => {
    await call('jobs', 'cancel', { job_id })
    await remove()
  })
}

/** Findings of one answer. */
const PAGE = 10_000

/** Names of the files of a job by the ids of their assets. Files of one name are told apart by their order. */
async function namesOf(job: Job): Promise<Map<string, string>> {
  const seen = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { id, name } of await allAssets(job)) {
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    names.set(id, before === 0 ? name : `${name} (${before + 1})`)
  }
  return names
}

/** Assets that a job shows, which are all of smaller ones, and that one answer lists. */
const ASSETS = 1000

async function allAssets({ id: job_id, Assets }: Job): Promise<Asset[]> {
  if (Assets.length < ASSETS) return Assets
  const all: Asset[] = []
  for (let hasMore = true; hasMore; ) {
    const page = await call('jobs', 'assets', { job_id, body: { skip: all.length, limit: ASSETS } })
    all.push(...page)
    hasMore = page.length === ASSETS
  }
  return all
}

/** All that was found in a job, answer by answer. */
async function* findingsOf(job: Job): AsyncGenerator<Found> {
  const names = await namesOf(job)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { limit: PAGE, ...(cursor && { cursor }) }
    const page: CallReply<Api['jobs']['findings']> = await call('jobs', 'findings', { job_id: job.id, query })
    const findings = page.findings.map(finding => ({ ...finding, file: names.get(finding.assetId)! }))
    yield { findings, unlisted: page.unlisted.map(id => names.get(id)!) }
    cursor = page.cursor
  }
}

async function unlistedOf(job: Job): Promise<string[]> {
  const unlisted: string[] = []
  for await (const page of findingsOf(job)) unlisted.push(...page.unlisted)
  return unlisted
}
