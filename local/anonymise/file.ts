import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, extname, join, parse } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/jobs.ts'
import type { AssetResult } from '../../shared/api/results.ts'

/** What came of one file. */
export type Outcome = { file: string; output?: string; findings: AssetResult['findings']; problems: string[] }

/** A file above this goes to the store itself, bytes. */
const MULTIPART_BYTES = 4_000_000
/** How often the status is asked for, milliseconds. */
const POLL_MS = 250

/** Where the anonymised file goes: `letter.txt` gives `letter.anonymised.txt` beside it. */
export const outputPath = (file: string): string => {
  const { dir, name } = parse(file)
  return join(dir, `${name}.anonymised${extname(file)}`)
}

/** Walks the flow with one file: uploads it, runs the workflow for its type, downloads the result, erases the job. */
export async function anonymiseFile(
  client: Client,
  workflowFor: (type: 'TABLE' | 'DOCUMENT') => string,
  file: string,
): Promise<Outcome> {
  const { id, Assets } = await upload(client, file)
  try {
    await client.jobs.update({ job_id: id, body: { workflowId: workflowFor(Assets[0]!.type) } })
    await client.jobs.execute({ job_id: id })
    const job = await finished(client, id)
    const result = job.result?.assets[0]
    const problems = job.errors.map(({ type, msg }) => `${type}: ${msg}`)
    if (!result?.url) return { file, findings: [], problems }
    const output = outputPath(file)
    await download(result.url, output)
    return { file, output, findings: result.findings, problems }
  } finally {
    await client.jobs.delete({ job_id: id })
  }
}

async function upload(client: Client, file: string): Promise<Job> {
  const blob = await openAsBlob(file)
  const name = basename(file)
  if (blob.size <= MULTIPART_BYTES) {
    return client.jobs.upload({ body: { name }, files: [new File([blob], name)] })
  }
  const job = await client.jobs.uploads({ body: { name, files: [{ filename: name, size: blob.size }] } })
  const ticket = job.Assets[0]!.upload!
  if (ticket.method === 'PUT') await put(ticket.url, blob, ticket.headers)
  else {
    for (const { n, url } of ticket.parts) await put(url, blob.slice((n - 1) * ticket.partSize, n * ticket.partSize))
  }
  return client.jobs.completeUploads({ job_id: job.id })
}

async function put(url: string, body: Blob, headers: Record<string, string> = {}): Promise<void> {
  const reply = await fetch(url, { method: 'PUT', body, headers })
  if (!reply.ok) throw new Error(`The upload was refused: ${reply.status}`)
}

async function finished(client: Client, id: string): Promise<Job> {
  for (;;) {
    const { status } = await client.jobs.status({ job_id: id })
    if (status !== 'IN_PROGRESS') return client.jobs.get({ job_id: id })
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** Half a file is removed again. */
async function download(url: string, path: string): Promise<void> {
  const reply = await fetch(url)
  if (!reply.ok || !reply.body) throw new Error(`The download was refused: ${reply.status}`)
  try {
    await pipeline(Readable.fromWeb(reply.body as ReadableStream), createWriteStream(path))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
