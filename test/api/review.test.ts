import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { operator } from '../../local/cloud.ts'
import type { Client, FileToSend } from '../../shared/api/client.ts'
import type { NewDecision as Declared } from '../../shared/api/reviews.ts'
import { makePdf, showPdf } from '../engine/formats/pdf-samples.ts'
import { verdictOn } from './certified.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { useOwnService } from './setup.ts'

const directory = mkdtempSync(join(tmpdir(), 'review-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const service = await useOwnService({ directory })
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

const letter = 'Write to zyada@example.org or zybob@example.org.\nNot to Zymargaret, again zyada@example.org.\n'
const table = 'name,mail\nAda,zyada@example.org\nBob,zybob@example.org\nAda,zyada@example.org\n'

type NewDecision = z.input<typeof Declared>
type Asked = {
  type?: 'DOCUMENT' | 'TABLE'
  files?: FileToSend[]
  review?: { approvers?: number; expiresInDays?: number } | null
}

async function start({ type = 'DOCUMENT', files = [{ name: 'a.txt', content: letter }], review = {} }: Asked = {}) {
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Letters' }, files })
  await client.jobs.update({ job_id, body: { workflowId: workflows[type], review } })
  await client.jobs.execute({ job_id })
  return until(job_id, job => job.review?.state === 'waiting' || job.status !== 'IN_PROGRESS')
}

type Job = Awaited<ReturnType<Client['jobs']['get']>>

async function until(job_id: string, isSo: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get({ job_id })
    if (isSo(job)) return job
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const ended = (job_id: string) => until(job_id, ({ status }) => status !== 'IN_PROGRESS')

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

const all = { filter: {} }

describe('a review before release', () => {
  test('holds a job back until it is released, and shows what is to be replaced', async () => {
    const job = await start()
    expect(job).toMatchObject({
      status: 'IN_PROGRESS',
      result: null,
      review: { state: 'waiting', version: 0, approvals: [] },
    })
    expect((await client.jobs.status({ job_id: job.id })).status).toBe('IN_PROGRESS')
    const { texts, cursor } = await proposalsOf(job)
    expect(texts[0]!.text).toBe(letter)
    const found = texts[0]!.findings.map(({ start, end }) => letter.slice(start, end))
    expect(found).toEqual(['zyada@example.org', 'zybob@example.org', 'zyada@example.org'])
    expect((await reviewer.client.jobs.proposals({ job_id: job.id, query: { cursor: cursor! } })).texts).toEqual([])
    await expect(client.jobs.findings({ job_id: job.id })).rejects.toMatchObject({ status: 400 })
    const [told] = await client.notifications.list({ body: { filters: { kind: 'review.waiting' }, limit: 1 } })
    expect(told!.resource).toEqual({ type: 'job', id: job.id })
  })

  test('accepting all gives what no review gives, byte for byte; rejecting all gives the file as it was', async () => {
    const plain = await outputOf(await start({ review: null }))
    expect(await outputOf(await released(await start(), [{ action: 'accept', ...all }]))).toBe(plain)
    const rejected = await released(await start(), [{ action: 'reject', ...all }])
    const { problems, statement } = await verdictOn(client, rejected.id)
    const review = { state: 'released', approvers: 1, decisions: 1, approvals: [{ by: expect.any(Object) }] }
    expect([problems, statement!.predicate.review]).toMatchObject([[], review])
    expect(rejected.result!.counts.findings).toBe(0)
    expect(await outputOf(rejected)).toBe(letter)
  })

  test('one decision changes its place only, with a scope all of its value; the last one counts', async () => {
    const here = await start()
    const [first] = (await proposalsOf(here)).texts[0]!.findings
    const assetId = here.Assets[0]!.id
    const one = { action: 'reject' as const, assetId, findingId: first!.id }
    expect(await outputOf(await released(here, [one]))).toBe(
      'Write to zyada@example.org or [E-mail].\nNot to Zymargaret, again [E-mail].\n',
    )
    expect(await outputOf(await released(await start(), [{ action: 'reject', value: 'zyada@example.org' }]))).toBe(
      'Write to zyada@example.org or [E-mail].\nNot to Zymargaret, again zyada@example.org.\n',
    )
    const job = await start()
    const [same] = (await proposalsOf(job)).texts[0]!.findings
    const more = { ...one, assetId: job.Assets[0]!.id, findingId: same!.id, scope: 'asset' as const }
    const added = { action: 'add' as const, value: 'Zymargaret', label: 'PERSON' }
    const accepted = { action: 'accept' as const, value: 'zybob@example.org' }
    const { review } = await reviewer.client.jobs.decide({
      job_id: job.id,
      body: { decisions: [more, added, { action: 'reject', ...all }, accepted] },
    })
    const undone = await reviewer.client.jobs.decide({ job_id: job.id, body: { ifVersion: review.version, undo: [2] } })
    const shown = await reviewer.client.jobs.decisions({ job_id: job.id })
    expect(shown.decisions.map(decision => decision.undone)).toEqual([false, false, true, false])
    expect((await proposalsOf(job)).texts[0]!.findings.map(({ decision }) => decision)).toEqual([
      'reject',
      'accept',
      'reject',
    ])
    await reviewer.client.jobs.release({ job_id: job.id, body: { version: undone.review.version } })
    expect(await outputOf(await ended(job.id))).toBe(
      'Write to zyada@example.org or [E-mail].\nNot to [PERSON], again zyada@example.org.\n',
    )
  })

  test('tables are decided on by column and value', async () => {
    const files = [{ name: 'a.csv', content: table }]
    const job = await start({ type: 'TABLE', files })
    const { values } = await proposalsOf(job)
    expect(values.map(({ column, value, count, rows }) => ({ column, value, count, rows }))).toEqual([
      { column: 'mail', value: 'zyada@example.org', count: 2, rows: [2, 4] },
      { column: 'mail', value: 'zybob@example.org', count: 1, rows: [3] },
    ])
    const decisions: NewDecision[] = [
      { action: 'reject', assetId: job.Assets[0]!.id, findingId: values[0]!.id },
      { action: 'add', value: 'Bob', column: 'name', label: 'PERSON' },
    ]
    expect(await outputOf(await released(job, decisions))).toBe(
      'name,mail\nAda,zyada@example.org\n[PERSON],[E-mail]\nAda,zyada@example.org\n',
    )
  })

  test('pages are shown as pictures, with boxes, and a box that is drawn on one is replaced', async () => {
    const pdf = Uint8Array.from(await makePdf(['Write to zyada@example.org today.', 'Not to Zymargaret.']))
    const job = await start({ files: [{ name: 'a.pdf', content: pdf }] })
    const assetId = job.Assets[0]!.id
    const { texts, pages } = await proposalsOf(job)
    expect([pages, texts[0]!.findings.map(({ boxes }) => boxes!.length)]).toEqual([1, [1]])
    const shown = await reviewer.client.jobs.page({ job_id: job.id, query: { assetId, page: 1 } })
    expect(Buffer.from(shown.picture, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
    expect(shown).toMatchObject({ assetId, page: 1, width: 909, height: 1286 })
    // The second line of the page is 92 points from its top.
    const box = { page: 1, left: 0.05, right: 0.95, top: 80 / 842, bottom: 96 / 842 }
    const added = { action: 'add' as const, assetId, box, label: 'PERSON' }
    const body = { decisions: [{ ...added, box: { ...box, page: 2 } }] }
    const refused = await service.send('POST', `/jobs/${job.id}/decisions`, { ...reviewer, body })
    expect(problemsOf(refused)).toEqual([expect.objectContaining({ type: 'page_unknown' })])
    const ended = await released(job, [added])
    const { url } = (await client.jobs.get({ job_id: ended.id })).result!.assets[0]!
    const lines = await showPdf(new Uint8Array(await (await fetch(url!)).arrayBuffer()))
    expect(lines).toEqual(['Write to [E-mail] today.', '[PERSON]'])
  })

  test('a workflow asks for it of all its jobs, and the stricter of what it and a job ask for counts', async () => {
    const rules = [{ ruleId: rule.id, replacement: { remove: {} } }]
    const strict = { rules, review: { approvers: 2, expiresInDays: 9 } }
    const body = { name: 'Two', supportedAssetType: 'DOCUMENT' as const, config: strict }
    const { id: workflowId } = await client.workflows.create({ body })
    const executed = async (more: object) => {
      const { id: job_id } = await client.jobs.upload({
        body: { name: 'Letters' },
        files: [{ name: 'a.txt', content: letter }],
      })
      await client.jobs.update({ job_id, body: { workflowId, ...more } })
      return (await client.jobs.execute({ job_id })).review
    }
    expect(await executed({})).toMatchObject({ state: 'preparing', approvers: 2, expiresInDays: 9 })
    expect(await executed({ review: null })).toMatchObject({ approvers: 2 })
    expect(await executed({ review: { approvers: 1, expiresInDays: 3 } })).toMatchObject({
      approvers: 2,
      expiresInDays: 3,
    })
    expect(await executed({ mode: 'INSPECT' })).toBe(null)
  })

  test('a decision is kept for later on a list', async () => {
    const list = await reviewer.client.lists.create({ body: { name: 'Known' } })
    const job = await start()
    const [first] = (await proposalsOf(job)).texts[0]!.findings
    const decision = {
      action: 'reject' as const,
      assetId: job.Assets[0]!.id,
      findingId: first!.id,
      rememberIn: list.id,
    }
    await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions: [decision] } })
    const entries = await reviewer.client.lists.entries({ list_id: list.id })
    expect(entries).toEqual([expect.objectContaining({ value: 'zyada@example.org', why: `Review of job ${job.id}` })])
  })
})

describe('those who review', () => {
  test('see which jobs of others wait, those first whose time ends first, and who has done what in them', async () => {
    const [late, soon] = [await start(), await start({ review: { approvers: 2, expiresInDays: 1 } })]
    const listed = await reviewer.client.reviews.list({ query: { limit: 1000 } })
    const mine = listed.filter(({ id }) => [late.id, soon.id].includes(id))
    expect(mine.map(({ id }) => id)).toEqual([soon.id, late.id])
    expect(mine[0]).toMatchObject({
      name: 'Letters',
      owner: { id: owner.user.id, name: owner.user.name },
      assetCount: 1,
      review: { state: 'waiting', approvers: 2 },
    })
    const [text] = (await proposalsOf(soon)).texts
    const at = { textId: text!.id, start: 0, end: 5 }
    const added = { action: 'add' as const, assetId: soon.Assets[0]!.id, at, label: 'VERB' }
    const { review } = await second.client.jobs.decide({ job_id: soon.id, body: { decisions: [added] } })
    expect((await reviewer.client.jobs.decisions({ job_id: soon.id })).decisions[0]).toMatchObject({ place: at })
    const seen = await reviewer.client.jobs.review({ job_id: soon.id })
    expect(seen).toMatchObject({
      people: [{ id: second.user.id, name: second.user.name }],
      assets: [{ id: soon.Assets[0]!.id, name: 'a.txt', type: 'DOCUMENT' }],
      rules: [{ ruleId: rule.id, name: 'E-mail' }],
    })
    for (const who of [reviewer, second])
      await who.client.jobs.release({ job_id: soon.id, body: { version: review.version } })
    expect((await reviewer.client.reviews.list({ query: { limit: 1000 } })).map(({ id }) => id)).not.toContain(soon.id)
    await expect(reviewer.client.jobs.review({ job_id: soon.id })).rejects.toMatchObject({ status: 400 })
    expect((await service.send('GET', '/reviews/', owner)).status).toBe(403)
  })

  test('need the permission for it, be they the owner of the job or not', async () => {
    const job = await start()
    for (const path of ['', '/proposals', '/decisions'])
      expect((await service.send('GET', `/jobs/${job.id}/review${path}`, owner)).status).toBe(403)
    for (const path of ['decisions', 'review/release', 'review/reject'])
      expect((await service.send('POST', `/jobs/${job.id}/${path}`, { ...owner, body: { version: 0 } })).status).toBe(
        403,
      )
    const { id } = await client.jobs.upload({ body: { name: 'None' }, files: [{ name: 'a.txt', content: letter }] })
    const reply = await service.send('GET', `/jobs/${id}/review/proposals`, reviewer)
    expect(problemsOf(reply)).toEqual([expect.objectContaining({ type: 'not_in_review' })])
  })

  test('are two where the job asks for two, and a decision in between takes the first release back', async () => {
    const job = await start({ review: { approvers: 2 } })
    const release = (who: Client, version: number) => who.jobs.release({ job_id: job.id, body: { version } })
    const { review } = await release(reviewer.client, 0)
    expect(review).toMatchObject({ state: 'waiting', approvals: [{ userId: reviewer.user.id }] })
    await expect(release(reviewer.client, 0)).rejects.toMatchObject({ status: 400 })
    const decided = await second.client.jobs.decide({
      job_id: job.id,
      body: { decisions: [{ action: 'reject', ...all }] },
    })
    expect(decided.review).toMatchObject({ version: 1, approvals: [] })
    await expect(release(second.client, 0)).rejects.toMatchObject({ status: 400 })
    await release(second.client, 1)
    expect((await release(reviewer.client, 1)).review.state).toBe('released')
    expect(await outputOf(await ended(job.id))).toBe(letter)
  })

  test('lose none of their decisions when they decide at the same time, and see each other with ifVersion', async () => {
    const job = await start()
    const people = [reviewer, second]
    const values = Array.from({ length: 6 }, (_, n) => `value ${n}`)
    await Promise.all(
      values.map((value, n) =>
        people[n % 2]!.client.jobs.decide({ job_id: job.id, body: { decisions: [{ action: 'reject', value }] } }),
      ),
    )
    const { version, decisions } = await reviewer.client.jobs.decisions({ job_id: job.id })
    expect(version).toBe(6)
    expect(decisions.map(({ value }) => value).sort()).toEqual(values)
    expect(new Set(decisions.map(({ userId }) => userId))).toEqual(new Set(people.map(({ user }) => user.id)))
    const late = { job_id: job.id, body: { ifVersion: 5, decisions: [] } }
    await expect(second.client.jobs.decide(late)).rejects.toMatchObject({ detail: [{ type: 'review_changed' }] })
  })

  test('end a job that they reject with a name for it, and nothing is made or left', async () => {
    const job = await start()
    await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions: [{ action: 'reject', value: 'zyada' }] } })
    expect(await reviewer.client.jobs.rejectReview({ job_id: job.id })).toMatchObject({ status: 'FAILED' })
    const failed = await ended(job.id)
    expect(failed.errors).toEqual([expect.objectContaining({ type: 'review_rejected' })])
    expect(failed.review!.state).toBe('rejected')
    expect(failed.result!.assets).toEqual([])
    for (const path of ['review/proposals', 'review/decisions'])
      expect((await service.send('GET', `/jobs/${job.id}/${path}`, reviewer)).status).toBe(400)
  })

  test('are told what is wrong with a decision', async () => {
    const job = await start()
    const assetId = job.Assets[0]!.id
    const wrong: [object, string][] = [
      [{ action: 'reject' }, 'action'],
      [{ action: 'reject', value: 'a', filter: {} }, 'action'],
      [{ action: 'add', filter: {}, label: 'A' }, 'action'],
      [{ action: 'add', value: 'a' }, 'label'],
      [{ action: 'accept', value: 'a', label: 'A' }, 'label'],
      [{ action: 'reject', findingId: 'a.1' }, 'assetId'],
      [{ action: 'add', assetId, at: { textId: 'a', start: 3, end: 3 }, label: 'A' }, 'at'],
      [{ action: 'add', assetId, box: { page: 1, left: 0.5, right: 0.5, top: 0, bottom: 1 }, label: 'A' }, 'box'],
      [{ action: 'add', box: { page: 1, left: 0, right: 1, top: 0, bottom: 1 }, label: 'A' }, 'assetId'],
      [{ action: 'add', value: 'x'.repeat(501), label: 'A' }, 'value'],
      [{ action: 'reject', assetId, findingId: 'nothing.1', scope: 'job' }, 'findingId'],
      [{ action: 'reject', assetId, findingId: '../../x' }, 'findingId'],
      [{ action: 'relabel', value: 'a', label: 'A', ruleId: assetId }, 'ruleId'],
    ]
    for (const [decision, field] of wrong) {
      const body = { decisions: [decision] }
      const reply = await service.send('POST', `/jobs/${job.id}/decisions`, { ...reviewer, body })
      expect([decision, problemsOf(reply).map(({ loc }) => loc.slice(0, 4))]).toEqual([
        decision,
        expect.arrayContaining([['body', 'decisions', '0', field]]),
      ])
    }
    expect((await client.jobs.get({ job_id: job.id })).review!.version).toBe(0)
  })
})

test.skipIf(deployed)('a job that nobody releases in time fails, and nothing of its review is left', async () => {
  const job = await start()
  const dynamodb = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: 'us-east-1', credentials: operator, endpoint: service.cloud.endpoints.dynamodb }),
  )
  await dynamodb.send(
    new UpdateCommand({
      TableName: 'TableJobs',
      Key: { pk: `JOB#${job.id}`, sk: 'JOB' },
      UpdateExpression: 'SET #review.deadline = :past',
      ExpressionAttributeNames: { '#review': 'review' },
      ExpressionAttributeValues: { ':past': new Date(Date.now() - 1000).toISOString() },
    }),
  )
  dynamodb.destroy()
  const release = reviewer.client.jobs.release({ job_id: job.id, body: { version: 0 } })
  await expect(release).rejects.toMatchObject({ detail: [{ type: 'not_in_review' }] })
  await service.cloud.invoke('pipeline-sweeper', {})
  const failed = await ended(job.id)
  expect(failed).toMatchObject({ status: 'FAILED', review: { state: 'expired' }, errors: [{ type: 'review_expired' }] })
})

test.skipIf(deployed)(
  'no value under review stands anywhere but in the uploads, outputs and sealed files',
  async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'Zyunique zyunique@example.org' }] })
    const decisions: NewDecision[] = [{ action: 'add', value: 'Zyunique', label: 'PERSON' }]
    await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions } })
    const holding: string[] = []
    const look = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) look(path)
        else if (entry.isFile() && /zyunique/i.test(readFileSync(path, 'latin1'))) holding.push(path)
      }
    }
    look(directory)
    // The file itself, as it was uploaded.
    expect(holding).toHaveLength(1)
  },
)
