import { createWriteStream, openAsBlob } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Download, download, erase, upload, wait } from '../../shared/api/flow.ts'
import { saveCertificate } from './certificate.ts'
import type { Task } from './find.ts'
import type { Outcome } from './outcome.ts'
import { type Outputs, outputOf, workFolder } from './outputs.ts'
import type { Run } from './run.ts'

/** Walks the flow with one file: uploads it, runs the workflow for its type, downloads the result and its certificate, erases the job. */
export async function anonymiseFile(
  run: Run,
  task: Task,
  outputs: Outputs,
  { signal, told }: { signal: AbortSignal; told(bytesDone: number): void },
): Promise<Outcome> {
  const { client, named } = run
  const { file } = task
  const blocked = outputs.blocked(file, outputOf(task, basename(file)))
  if (blocked) return blocked
  const content = await openAsBlob(file)
  signal.throwIfAborted()
  const files = [{ name: basename(file), content }]
  const { id, Assets } = await upload(client, named, files, { signal })
  try {
    await client.jobs.update({ job_id: id, body: run.choiceFor(Assets[0]!.type) })
    if (run.table) await client.assets.update({ asset_id: Assets[0]!.id, body: { table: run.table } })
    signal.throwIfAborted()
    await client.jobs.execute({ job_id: id })
    const job = await wait(client, id, { signal, progress: ({ bytesDone }) => told(bytesDone) })
    const result = job.result?.assets[0]
    const problems = job.errors.map(({ type, msg }) => `${type}: ${msg}`)
    if (!result?.outputAssetId) return { file, findings: [], problems }
    const { name } = await client.assets.get({ asset_id: result.outputAssetId })
    const wanted = outputOf(task, name)
    const taken = outputs.blocked(file, wanted)
    if (taken) return taken
    const coming = await download(client, result.outputAssetId, { signal })
    const output = await save(coming, dirname(wanted), made => outputs.place(made, task, wanted), signal)
    const certificate = await saveCertificate(client, id, { task, output, outputs, signal })
    const { dropped, warnings, choices } = result.report ?? {}
    const encoding = choices?.encoding as string | undefined
    return { file, output, certificate, findings: result.findings, problems, dropped, warnings, encoding }
  } finally {
    await erase(client, id)
  }
}

/** Brings an output into a folder, where `place` gives it its name once it is whole; answers its path. */
async function save({ body }: Download, folder: string, place: (made: string) => string, signal: AbortSignal) {
  const work = workFolder(folder)
  try {
    const made = join(work.path, 'output')
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(made), { signal })
    return place(made)
  } finally {
    work.remove()
  }
}
