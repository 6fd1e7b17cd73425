import type { PlacedFinding } from '../../shared/api/findings.ts'
import type { Job } from '../../shared/api/job.ts'
import { CallError, call } from '../api.ts'

/** What another workflow would find in the inputs of a job that it did not find, and the other way round; without values. */
export type Compared = {
  newly: Placed[]
  gone: Placed[]
  same: number
  /** Names of files of which only numbers are kept, so that their places can't be compared. */
  uncompared: string[]
  /** Names of files that were searched again with the workflow of the job as it is now. */
  again: string[]
}

/** A finding with the name of its file. */
export type Placed = PlacedFinding & { file: string }

/** How often it is asked how far the copy is, milliseconds. */
const LOOK_MS = 1000

type Chosen = { workflowId: string } | { presetId: string }

/**
 * Searches the kept inputs of a finished job with another workflow or preset and compares what is found. Of tables that were
 * anonymised only numbers are kept: where there are any, the inputs are also searched with the job's own workflow again.
 */
export async function shadowRun(job: Job, chosen: Chosen): Promise<Compared> {
  const now = await searchAgain(job, { plan: null, ...chosen })
  const before = await findingsOf(job)
  const again = before.unlisted.length > 0 ? await searchAgain(job, {}).catch(unlessWithout) : undefined
  return again ? { ...compare(again, now), again: before.unlisted } : { ...compare(before, now), again: [] }
}

/** A job has no workflow any more once that is deleted: then its tables aren't compared. */
function unlessWithout(reason: unknown): undefined {
  if (!(reason instanceof CallError && reason.has('workflow_required'))) throw reason
}

/** What is found in a copy of a job that makes no outputs and is erased afterwards. */
async function searchAgain(job: Job, choice: { plan?: null } & Partial<Chosen>): Promise<Found> {
  const copy = await call('jobs', 'copy', { job_id: job.id })
  try {
    await until(copy.id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
    await call('jobs', 'update', { job_id: copy.id, body: { mode: 'INSPECT', review: null, ...choice } })
    await call('jobs', 'execute', { job_id: copy.id })
    const ended = await until(copy.id, ({ status }) => status !== 'IN_PROGRESS')
    if (ended.status !== 'SUCCEEDED')
      throw new CallError(
        400,
        ended.errors.map(({ type, msg }) => ({ type, msg, loc: [] })),
      )
    return await findingsOf(ended)
  } finally {
    await erase(copy.id)
  }
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

type Found = { findings: Placed[]; unlisted: string[] }

/** All that was found in a job. Files of one name are told apart by their order. */
async function findingsOf(job: Job): Promise<Found> {
  const seen = new Map<string, number>()
  const names = new Map(
    job.Assets.map(({ id, name }) => {
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      return [id, before === 0 ? name : `${name} (${before + 1})`]
    }),
  )
  const found: Found = { findings: [], unlisted: [] }
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { limit: 1000, ...(cursor && { cursor }) }
    const page: Awaited<ReturnType<typeof call<'jobs', 'findings'>>> = await call('jobs', 'findings', {
      job_id: job.id,
      query,
    })
    found.findings.push(...page.findings.map(finding => ({ ...finding, file: names.get(finding.assetId)! })))
    found.unlisted.push(...page.unlisted.map(id => names.get(id)!))
    cursor = page.cursor
  }
  return found
}

/** What stands at the same place of the same file under the same label is the same, whichever rule has found it. */
const keyOf = ({ file, label, place, start, end }: Placed): string => {
  const { kind, part, page, row, rows, column } = place
  return JSON.stringify([file, label, kind, part, page, row, rows, column, start, end])
}

/** Compares what was found before with what is found now. */
function compare(before: Found, now: Found): Omit<Compared, 'again'> {
  const uncompared = new Set([...before.unlisted, ...now.unlisted])
  const [old, found] = [before, now].map(({ findings }) => findings.filter(({ file }) => !uncompared.has(file)))
  const [known, current] = [new Set(old!.map(keyOf)), new Set(found!.map(keyOf))]
  const newly = found!.filter(finding => !known.has(keyOf(finding)))
  const gone = old!.filter(finding => !current.has(keyOf(finding)))
  return { newly, gone, same: found!.length - newly.length, uncompared: [...uncompared] }
}
