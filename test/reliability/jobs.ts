import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalCloud } from '../../local/cloud.ts'
import { ApiError, type Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/job.ts'
import { LARGE_TABLE, type Stage } from './setup.ts'

/** A job under test: what it holds, and what must come of each file; nothing of one that must be refused. */
export type Trial = { id: string; files: { name: string; expected?: { text: string; findings: number } }[] }

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
  const files = Array.from({ length: texts }, (_, m) => letter(n, m))
  const all = poisoned ? [...files, { name: 'unknown.bin', content: UNKNOWN, expected: undefined }] : files
  const { id } = await client.jobs.upload({
    body: { name: `Trial ${n}` },
    files: all.map(({ name, content }) => ({ name, content })),
  })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  return { id, files: all.map(({ name, expected }) => ({ name, expected })) }
}

const letter = (n: number, m: number) => {
  const text = (address: string) => `Letter ${n}.${m}: write to ${address} today.\n`
  const expected = { text: text('[EMAIL]'), findings: 1 }
  return { name: `${n}-${m}.txt`, content: text(`person${n}.${m}@example.org`), expected }
}

/** Creates a job of one table that is large enough to be cut into chunks. */
export async function createTableTrial(client: Client, workflowId: string, n: number): Promise<Trial> {
  const rows = Math.ceil(LARGE_TABLE / 40) + (n % 50)
  const table = (address: (row: number) => string) => {
    const lines = Array.from({ length: rows }, (_, row) => `${row},${address(row)},"a note, and ""quotes"" of ${row}"`)
    return `id,mail,note\r\n${lines.join('\r\n')}\r\n`
  }
  const [name, content] = [`${n}.csv`, table(row => `row${row}.of${n}@example.org`)]
  const { id } = await client.jobs.upload({ body: { name: `Table ${n}` }, files: [{ name, content }] })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  return { id, files: [{ name, expected: { text: table(() => '[EMAIL]'), findings: rows } }] }
}

/** Loads a job of some texts from the local files of a stage, whatever goes wrong meanwhile; they are there when it answers. */
export async function loadTrial(stage: Stage, n: number, texts: number): Promise<Trial> {
  const { client, files: folder, sourceId, workflowId } = stage
  const files = Array.from({ length: texts }, (_, m) => letter(n, m))
  await mkdir(folder, { recursive: true })
  for (const { name, content } of files) await writeFile(join(folder, name), content)
  const filenames = files.map(({ name }) => name)
  const body = { sourceId, sourceType: 'LOCAL_ASSET' as const, files_load_config: { filenames } }
  const { id } = await insist(() => client.jobs.load({ body }))
  for (;;) {
    const { Assets } = await insist(() => client.jobs.get({ job_id: id }))
    if (Assets.every(({ status }) => status !== 'LOADING')) break
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  await insist(() => client.jobs.update({ job_id: id, body: { workflowId } }))
  return { id, files: files.map(({ name, expected }) => ({ name, expected })) }
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

/** Milliseconds between looks at a job: a look costs as much as a step of it, and many jobs are looked at side by side. */
const LOOK = 700

/** How a job ended, waited for. */
export async function ended(client: Client, id: string): Promise<string> {
  for (;;) {
    const { status } = await insist(() => client.jobs.status({ job_id: id }))
    if (status !== 'IN_PROGRESS') return status
    await sleep(LOOK)
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

/** Waits for something while the sweeper runs again and again, after each pause of so many milliseconds. */
export async function whileSweeping<T>(cloud: LocalCloud, pause: number, waiting: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const sweep = async () => {
    while (!over.signal.aborted) {
      await cloud.invoke('pipeline-sweeper', {})
      await sleep(pause, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const sweeping = sweep()
  // Nobody waits for it any more where the test has run out of time, and its cloud was closed.
  sweeping.catch(() => {})
  try {
    return await waiting()
  } finally {
    over.abort()
    await sweeping
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
    counts.findings === files.reduce((sum, { expected }) => sum + (expected?.findings ?? 0), 0) &&
    result!.assets.length === files.length
  return right ? [] : [`counts ${JSON.stringify({ counts, progress })} for ${files.length} files`]
}

async function outputsWrong({ result }: Job, { files }: Trial): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, expected } of files) {
    const outcome = result!.assets.find(asset => asset.name === name)
    if (expected === undefined) {
      if (outcome?.errors[0]?.type !== 'unsupported_format' || outcome.url) wrong.push(`${name} should be refused`)
    } else if (!outcome?.url || (await (await fetch(outcome.url)).text()) !== expected.text)
      wrong.push(`${name} has a wrong output`)
  }
  return wrong
}
