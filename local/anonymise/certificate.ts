import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError, type Client } from '../../shared/api/client.ts'
import type { Task } from './find.ts'
import { type Outputs, workFolder } from './outputs.ts'

/** The files that certify a job, by the ends of their names: its certificate, and its list of assets where that stands beside it. */
async function filesOf(client: Client, job_id: string, signal: AbortSignal): Promise<[end: string, content: string][]> {
  try {
    const { certificate, list } = await client.jobs.certificate({ job_id, signal })
    const listed = list?.url ? await (await fetch(list.url, { signal })).text() : undefined
    return [
      ['certificate.json', `${JSON.stringify(certificate, null, 2)}\n`],
      ...(listed === undefined ? [] : [['assets.ndjson', listed] as [string, string]]),
    ]
  } catch (error) {
    // A service of an earlier version makes none.
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

/**
 * Saves the certificate of a job of one file beside its output, `letter.anonymised.pdf.certificate.json`; answers its path,
 * unless there is none.
 */
export async function saveCertificate(
  client: Client,
  job_id: string,
  { task, output, outputs, signal }: { task: Task; output: string; outputs: Outputs; signal: AbortSignal },
): Promise<string | undefined> {
  const work = workFolder(dirname(output))
  const paths: string[] = []
  try {
    for (const [end, content] of await filesOf(client, job_id, signal)) {
      const made = join(work.path, end)
      await writeFile(made, content)
      paths.push(outputs.place(made, task, `${output}.${end}`))
    }
    return paths[0]
  } finally {
    work.remove()
  }
}
