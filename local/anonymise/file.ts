import { createWriteStream, openAsBlob } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/jobs.ts'
import type { Task } from './find.ts'
import type { Outcome } from './outcome.ts'
import { type Outputs, outputOf, workFolder } from './outputs.ts'
import { eraseJob, type Run } from './run.ts'

/** A file above this goes to the store itself, bytes. */
const MULTIPART_BYTES = 4_000_000
/** How long to wait before the status is asked for again, milliseconds: at first, and in the end. */
const POLL_MS = { least: 200, most: 5000 }

/** Walks the flow with one file: uploads it, runs the workflow for its type, downloads the result, erases the job. */
export async function anonymiseFile(
  run: Run,
  task: Task,
  outputs: Outputs,
  { signal, told }: { signal: AbortSignal; told(bytesDone: number): void },
): Promise<Outcome> {
  const { client } = run
  const { file } = task
  const blocked = outputs.blocked(file, outputOf(task, basename(file)))
  if (blocked) return blocked
  const { id, Assets } = await upload(run, file, signal)
  try {
    await client.jobs.update({ job_id: id, body: { workflowId: run.workflowFor(Assets[0]!.type) } })
    signal.throwIfAborted()
    await client.jobs.execute({ job_id: id })
    const job = await finished(client, id, signal, told)
    const result = job.result?.assets[0]
    const problems = job.errors.map(({ type, msg }) => `${type}: ${msg}`)
    if (!result?.url) return { file, findings: [], problems }
    const { name } = await client.assets.get({ asset_id: result.outputAssetId! })
    const wanted = outputOf(task, name)
    const taken = outputs.blocked(file, wanted)
    if (taken) return taken
    const output = await download(result.url, dirname(wanted), made => outputs.place(made, task, wanted), signal)
    const { dropped, warnings } = result.report ?? {}
    return { file, output, findings: result.findings, problems, dropped, warnings }
  } finally {
    await eraseJob(client, id)
  }
}

async function upload({ client, named }: Run, file: string, signal: AbortSignal): Promise<Job> {
  const blob = await openAsBlob(file)
  const name = basename(file)
  signal.throwIfAborted()
  if (blob.size <= MULTIPART_BYTES) return client.jobs.upload({ body: named, files: [new File([blob], name)] })
  const job = await client.jobs.uploads({ body: { ...named, files: [{ filename: name, size: blob.size }] } })
  try {
    const ticket = job.Assets[0]!.upload!
    if (ticket.method === 'PUT') await put(ticket.url, blob, signal, ticket.headers)
    else {
      const partAt = (n: number) => blob.slice((n - 1) * ticket.partSize, n * ticket.partSize)
      for (const { n, url } of ticket.parts) await put(url, partAt(n), signal)
    }
    return await client.jobs.completeUploads({ job_id: job.id })
  } catch (error) {
    await eraseJob(client, job.id)
    throw error
  }
}

async function put(url: string, body: Blob, signal: AbortSignal, headers: Record<string, string> = {}): Promise<void> {
  const reply = await fetch(url, { method: 'PUT', body, headers, signal })
  if (!reply.ok) throw new Error(`The upload was refused: ${reply.status}`)
}

async function finished(client: Client, id: string, signal: AbortSignal, told: (bytesDone: number) => void) {
  for (let wait = POLL_MS.least; ; wait = Math.min(POLL_MS.most, wait * 1.5)) {
    const { status, progress } = await client.jobs.status({ job_id: id, signal })
    told(progress.bytesDone)
    if (status !== 'IN_PROGRESS') return client.jobs.get({ job_id: id })
    await sleep(wait, undefined, { signal })
  }
}

/** Brings an output into a folder, where `place` gives it its name once it is whole; answers its path. */
async function download(url: string, folder: string, place: (made: string) => string, signal: AbortSignal) {
  const reply = await fetch(url, { signal })
  if (!reply.ok || !reply.body) throw new Error(`The download was refused: ${reply.status}`)
  const work = workFolder(folder)
  try {
    const made = join(work.path, 'output')
    await pipeline(Readable.fromWeb(reply.body as ReadableStream), createWriteStream(made), { signal })
    return place(made)
  } finally {
    work.remove()
  }
}
