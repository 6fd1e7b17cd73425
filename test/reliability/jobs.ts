import { ApiError, type Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/jobs.ts'

/** A job under test: what it holds, and what must come of each file. */
export type Trial = { id: string; files: { name: string; expected: string | undefined }[] }

/** Bytes in no format that the service knows. */
const UNKNOWN = new Uint8Array([0, 1, 2, 3, 255, 254, 0, 0, 9, 8])

/** Creates a job of some texts with an address each and, when it is to fail, a file in no known format. */
export async function createTrial(
  client: Client,
  workflowId: string,
  n: number,
  texts: number,
  poisoned: boolean,
): Promise<Trial> {
  const files = Array.from({ length: texts }, (_, m) => ({
    name: `${n}-${m}.txt`,
    content: `Letter ${n}.${m}: write to person${n}.${m}@example.org today.\n`,
    expected: `Letter ${n}.${m}: write to [EMAIL] today.\n` as string | undefined,
  }))
  const all = poisoned ? [...files, { name: 'unknown.bin', content: UNKNOWN, expected: undefined }] : files
  const { id } = await client.jobs.upload({
    body: { name: `Trial ${n}` },
    files: all.map(({ name, content }) => ({ name, content })),
  })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  return { id, files: all.map(({ name, expected }) => ({ name, expected })) }
}

/** Calls again what failed for a fault of the service; other refusals are thrown. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const passing = !(error instanceof ApiError) || error.status >= 500 || error.status === 429
      if (!passing || attempt >= 50) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

/** Executes a job whose first call may have succeeded without an answer. */
export async function start(client: Client, id: string): Promise<void> {
  try {
    await insist(() => client.jobs.execute({ job_id: id }))
  } catch (error) {
    if (!(error instanceof ApiError && error.has('job_not_pending'))) throw error
  }
}

/** Cancels a job, which may have ended before. */
export async function cancel(client: Client, id: string): Promise<void> {
  try {
    await insist(() => client.jobs.cancel({ job_id: id }))
  } catch (error) {
    if (!(error instanceof ApiError && error.has('job_finished'))) throw error
  }
}

/** What is wrong with how a job ended; nothing when all is as it must be. */
export async function faultsOf(client: Client, trial: Trial, wasCancelled: boolean): Promise<string[]> {
  const job = await client.jobs.get({ job_id: trial.id })
  if (job.status === 'CANCELLED')
    return wasCancelled && job.result?.assets.length === 0 ? [] : ['cancelled without cause or with output']
  const poisoned = trial.files.some(({ expected }) => expected === undefined)
  const wanted = poisoned ? 'FAILED' : 'SUCCEEDED'
  if (job.status !== wanted)
    return [`is ${job.status} instead of ${wanted}: ${job.errors.map(({ type, msg }) => `${type} ${msg}`)}`]
  return [...countsWrong(job, trial), ...(await outputsWrong(job, trial))]
}

function countsWrong({ result, progress }: Job, { files }: Trial): string[] {
  const succeeded = files.filter(({ expected }) => expected !== undefined).length
  const { counts } = result!
  const right =
    progress.done === files.length &&
    counts.assets === files.length &&
    counts.succeeded === succeeded &&
    counts.failed === files.length - succeeded &&
    counts.findings === succeeded &&
    result!.assets.length === files.length
  return right ? [] : [`counts ${JSON.stringify({ counts, progress })} for ${files.length} files`]
}

async function outputsWrong({ result }: Job, { files }: Trial): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, expected } of files) {
    const outcome = result!.assets.find(asset => asset.name === name)
    if (expected === undefined) {
      if (outcome?.errors[0]?.type !== 'unsupported_format' || outcome.url) wrong.push(`${name} should be refused`)
    } else if (!outcome?.url || (await (await fetch(outcome.url)).text()) !== expected)
      wrong.push(`${name} has a wrong output`)
  }
  return wrong
}
