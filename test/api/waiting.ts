import type { Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/job.ts'

/** Milliseconds between looks at a job, each of which takes the service some work: at first, and at most. */
const pause = { first: 100, most: 400 }

/** Looks at a job until something is so, and answers it as it is then. */
export async function jobUntil(client: Client, job_id: string, isSo: (job: Job) => boolean): Promise<Job> {
  for (let wait = pause.first; ; wait = Math.min(pause.most, wait * 1.2)) {
    const job = await client.jobs.get({ job_id })
    if (isSo(job)) return job
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

/** A job once it is no longer in progress. */
export const ended = (client: Client, job_id: string): Promise<Job> =>
  jobUntil(client, job_id, ({ status }) => status !== 'IN_PROGRESS')

/** A job that has succeeded; one that ends otherwise is an error. */
export async function succeeded(client: Client, job_id: string): Promise<Job> {
  const job = await ended(client, job_id)
  if (job.status !== 'SUCCEEDED') throw new Error(`The job is ${job.status}: ${JSON.stringify(job.errors)}`)
  return job
}
