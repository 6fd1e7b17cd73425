import type * as z from 'zod'
import type { Client, FileToSend } from '../../shared/api/client.ts'
import type { NewDecision as Declared } from '../../shared/api/reviews.ts'
import type { Service } from './setup.ts'
import { ended as jobEnded, jobUntil } from './waiting.ts'

export type NewDecision = z.input<typeof Declared>
export type Job = Awaited<ReturnType<Client['jobs']['get']>>

type Asked = {
  type?: 'DOCUMENT' | 'TABLE'
  files?: FileToSend[]
  review?: { approvers?: number; expiresInDays?: number } | null
}

export const letter = 'Write to zyada@example.org or zybob@example.org.\nNot to Zymargaret, again zyada@example.org.\n'

/** What all findings are like. */
export const all = { filter: {} }

/** Somebody with workflows that replace e-mail addresses, two who review, and what they do with jobs. */
export async function useReviews(service: Service) {
  const owner = await service.person()
  const { client } = owner
  const reviewer = service.admin
  const second = await service.person('admin')
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const workflow = async (supportedAssetType: 'DOCUMENT' | 'TABLE') => {
    const rules = [{ ruleId: rule.id, replacement: { text: '[{{label}}]' } }]
    return (await client.workflows.create({ body: { name: 'Mail', supportedAssetType, config: { rules } } })).id
  }
  const workflows = { DOCUMENT: await workflow('DOCUMENT'), TABLE: await workflow('TABLE') }

  /** A job that waits for its review, or has ended without. */
  async function start({ type = 'DOCUMENT', files = [{ name: 'a.txt', content: letter }], review = {} }: Asked = {}) {
    const { id: job_id } = await client.jobs.upload({ body: { name: 'Letters' }, files })
    await client.jobs.update({ job_id, body: { workflowId: workflows[type], review } })
    await client.jobs.execute({ job_id })
    return until(job_id, job => job.review?.state === 'waiting' || job.status !== 'IN_PROGRESS')
  }

  const until = (job_id: string, isSo: (job: Job) => boolean) => jobUntil(client, job_id, isSo)
  const ended = (job_id: string) => jobEnded(client, job_id)

  async function outputOf(job: Job): Promise<string> {
    const { url } = (await client.jobs.get({ job_id: job.id })).result!.assets[0]!
    return (await fetch(url!)).text()
  }

  const proposalsOf = (job: Job) => reviewer.client.jobs.proposals({ job_id: job.id })

  /** A job that is released with some decisions, as it ends. */
  async function released(job: Job, decisions: NewDecision[]) {
    const { review } = await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions } })
    await reviewer.client.jobs.release({ job_id: job.id, body: { version: review.version } })
    return ended(job.id)
  }

  return { owner, reviewer, second, rule, workflows, start, ended, outputOf, proposalsOf, released }
}
