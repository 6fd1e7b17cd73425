import { describe, expect, test } from 'vitest'
import { makePdf, showPdf } from '../engine/formats/pdf-samples.ts'
import { verdictOn } from './certified.ts'
import { problemsOf } from './http.ts'
import { useService } from './setup.ts'
import { all, letter, type NewDecision, useReviews } from './under-review.ts'

const service = await useService()
const { owner, reviewer, rule, start, ended, outputOf, proposalsOf, released } = await useReviews(service)
const { client } = owner

const table = 'name,mail\nAda,zyada@example.org\nBob,zybob@example.org\nAda,zyada@example.org\n'

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
