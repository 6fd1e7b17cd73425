import { expect } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { NewDelivery } from '../../shared/api/deliveries.ts'
import type { Job } from '../../shared/api/job.ts'
import { jobUntil } from '../api/waiting.ts'

/** What it takes to deliver something, by the client of somebody. */
export function deliveriesBy(client: Client) {
  /** A workflow that replaces e-mail addresses. */
  async function workflowFor(type: 'DOCUMENT' | 'TABLE'): Promise<string> {
    const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
    const rules = [{ ruleId, replacement: { text: '[EMAIL]' } }]
    return (await client.workflows.create({ body: { name: 'People', supportedAssetType: type, config: { rules } } })).id
  }

  /** Loads files or tables, anonymises them, and answers the job. */
  async function anonymised(sourceId: string, filenames: string[], type: 'DOCUMENT' | 'TABLE'): Promise<Job> {
    const source = await client.sources.get({ source_id: sourceId })
    const { id: job_id } = await client.jobs.load({
      body: { sourceId, sourceType: source.kind, files_load_config: { filenames } },
    })
    await until(job_id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
    await client.jobs.update({ job_id, body: { workflowId: await workflowFor(type) } })
    await client.jobs.execute({ job_id })
    return until(job_id, ({ status }) => status !== 'IN_PROGRESS')
  }

  const until = (job_id: string, done: (job: Job) => boolean) => jobUntil(client, job_id, done)

  /** Delivers the results of a job and answers what became of it. */
  async function deliver({ id: job_id }: Job, body: Partial<NewDelivery> & { sourceId: string }) {
    const { deliveries } = await client.jobs.deliver({ job_id, body: body as NewDelivery })
    expect(deliveries[0]).toMatchObject({ status: 'IN_PROGRESS', finishedAt: null })
    const job = await until(job_id, job => job.deliveries[0]!.status !== 'IN_PROGRESS')
    return job.deliveries[0]!
  }
  return { workflowFor, anonymised, until, deliver }
}
