import { describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { problemsOf } from './http.ts'
import { useService } from './setup.ts'
import { all, letter, useReviews } from './under-review.ts'

const service = await useService()
const { owner, reviewer, second, rule, start, ended, outputOf, proposalsOf } = await useReviews(service)
const { client } = owner

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
    expect((await release(reviewer.client, 1)).review.state).toBe('releasing')
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

  test('are refused decisions on assets and places that the job does not have', async () => {
    const [job, other] = [await start(), await start()]
    const assetId = job.Assets[0]!.id
    const textId = (await proposalsOf(job)).texts[0]!.id
    const foreign = other.Assets[0]!.id
    const at = { textId, start: 0, end: 5 }
    const wrong: [object, string][] = [
      [{ action: 'reject', assetId: foreign, value: 'zyada@example.org' }, 'assetId'],
      [{ action: 'reject', assetId: foreign, filter: {} }, 'assetId'],
      [{ action: 'add', assetId: foreign, value: 'Zymargaret', label: 'A' }, 'assetId'],
      [{ action: 'add', assetId: foreign, at, label: 'A' }, 'assetId'],
      [{ action: 'add', assetId, at: { ...at, textId: 'nothing' }, label: 'A' }, 'at'],
      [{ action: 'add', assetId, at: { ...at, end: letter.length + 1 }, label: 'A' }, 'at'],
      [{ action: 'add', assetId, at: { ...at, start: letter.length, end: letter.length + 3 }, label: 'A' }, 'at'],
    ]
    for (const [decision, field] of wrong) {
      const body = { decisions: [{ action: 'accept', ...all }, decision] }
      const reply = await service.send('POST', `/jobs/${job.id}/decisions`, { ...reviewer, body })
      expect([decision, reply.status, problemsOf(reply)]).toMatchObject([
        decision,
        400,
        [{ type: 'finding_unknown', loc: ['body', 'decisions', '1', field] }],
      ])
    }
    expect((await client.jobs.get({ job_id: job.id })).review!.version).toBe(0)
    const whole = { action: 'add' as const, assetId, at: { ...at, end: letter.length }, label: 'A' }
    const { review } = await reviewer.client.jobs.decide({ job_id: job.id, body: { decisions: [whole] } })
    expect(review.version).toBe(1)
  })

  test('have decided nothing where what they want remembered is refused', async () => {
    const job = await start()
    const { roles, lists } = service.admin.client
    const name = `reviewer-${job.id.slice(0, 8)}`
    await roles.create({ body: { name, permissions: ['jobs:review'] } })
    const unlisted = await service.person(name)
    const list = await lists.create({ body: { name: 'Known' } })
    const decided = (person: typeof owner, decision: object) =>
      service.send('POST', `/jobs/${job.id}/decisions`, {
        ...person,
        body: { decisions: [{ action: 'reject', ...decision }] },
      })
    const value = 'zyada@example.org'
    const replies = [
      await decided(unlisted, { value, rememberIn: list.id }),
      await decided(reviewer, { value, rememberIn: job.id }),
      await decided(reviewer, { value: '  ', rememberIn: list.id }),
    ]
    expect(replies.map(reply => [reply.status, problemsOf(reply)[0]!.type])).toEqual([
      [403, 'permission_denied'],
      [404, 'not_found'],
      [422, 'entry_invalid'],
    ])
    const { review } = await client.jobs.get({ job_id: job.id })
    expect(review).toMatchObject({ state: 'waiting', version: 0 })
    expect((await reviewer.client.jobs.decisions({ job_id: job.id })).decisions).toEqual([])
  })
})
