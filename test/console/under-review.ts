import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FileToSend } from '../../shared/api/client.ts'
import type { Person, Service } from '../api/setup.ts'
import { jobUntil } from '../api/waiting.ts'
import { soon } from './browser.ts'

/** Somebody with workflows that replace e-mail addresses, somebody who reviews, and jobs of the one for the other. */
export type Reviewing = {
  owner: Person
  reviewer: Person
  /** A job that waits for its review. */
  waitingJob(files: FileToSend[], type?: 'DOCUMENT' | 'TABLE', approvers?: number): Promise<string>
  /** What became of the only file of a job. */
  outputOf(job_id: string): Promise<Response>
  /** Opens the review of a job. */
  open(page: Page, job: string): Promise<void>
}

/** Makes all of that at a service. */
export async function startReviewing(service: Service): Promise<Reviewing> {
  const [owner, reviewer] = [await service.person(), await service.person('admin')]
  const { client } = owner
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const workflows: Record<string, string> = {}
  for (const supportedAssetType of ['DOCUMENT', 'TABLE'] as const) {
    const rules = [{ ruleId: rule.id, replacement: { text: '[{{label}}]' } }]
    const body = { name: `Mail ${supportedAssetType}`, supportedAssetType, config: { rules } }
    workflows[supportedAssetType] = (await client.workflows.create({ body })).id
  }

  const until = (job_id: string, isSo: (job: { status: string; state: string | undefined }) => boolean) =>
    jobUntil(client, job_id, ({ status, review }) => isSo({ status, state: review?.state }))

  return {
    owner,
    reviewer,
    async waitingJob(files, type = 'DOCUMENT', approvers = 1) {
      const { id: job_id } = await client.jobs.upload({ body: { name: 'Letters' }, files })
      await client.jobs.update({ job_id, body: { workflowId: workflows[type]!, review: { approvers } } })
      await client.jobs.execute({ job_id })
      await until(job_id, ({ state }) => state === 'waiting')
      return job_id
    },
    async outputOf(job_id) {
      await until(job_id, ({ status }) => status !== 'IN_PROGRESS')
      const { url } = (await client.jobs.get({ job_id })).result!.assets[0]!
      return fetch(url!)
    },
    async open(page, job) {
      await page.goto(`${service.baseUrl}/api/console/#/reviews/${job}`)
      await page.waitForSelector('.finding')
    },
  }
}

/** Waits until the service has confirmed all decisions. */
export const saved = (page: Page): Promise<void> =>
  expect.poll(() => page.textContent('.progress'), soon).not.toContain('saving')

/** Takes a picture of a page, where a folder for them is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
}
