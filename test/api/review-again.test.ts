import { describe, expect, test } from 'vitest'
import { deployed } from './deployed.ts'
import { redeploy } from './redeployed.ts'
import { useOwnService } from './setup.ts'
import { type Job, type NewDecision, useReviews } from './under-review.ts'
import { jobUntil } from './waiting.ts'

const service = await useOwnService({ environment: { FAN_OUT_BYTES: '200000', CHUNK_BYTES: '100000' } })
const { owner, reviewer, start, ended, outputOf, proposalsOf } = await useReviews(service)

const deploy = (job: Job, pattern?: string) => redeploy(service, job, pattern)

const decide = (job: Job, decisions: NewDecision[]) =>
  reviewer.client.jobs.decide({ job_id: job.id, body: { decisions } })

async function release(job: Job): Promise<void> {
  const { review } = await reviewer.client.jobs.get({ job_id: job.id })
  await reviewer.client.jobs.release({ job_id: job.id, body: { version: review!.version } })
}

/** Releases a job and waits until it waits again. */
async function releasedInVain(job: Job): Promise<Job> {
  const round = job.review!.round + 1
  await release(job)
  return jobUntil(owner.client, job.id, ({ review }) => review!.state === 'waiting' && review!.round === round)
}

/** All pages of what is proposed for a job. */
async function allPagesOf({ id: job_id }: Job) {
  const pages = [await reviewer.client.jobs.proposals({ job_id })]
  for (let cursor = pages[0]!.cursor; cursor; cursor = pages.at(-1)!.cursor)
    pages.push(await reviewer.client.jobs.proposals({ job_id, query: { cursor } }))
  return pages
}

/** What is proposed for a job of one document, and what was decided on it. */
const decided = async (job: Job) =>
  (await proposalsOf(job)).texts.flatMap(({ text, findings }) =>
    findings.map(({ start, end, decision }) => [text.slice(start, end), decision] as const),
  )

describe.skipIf(deployed)('a job that was released when another program is there than that of its proposals', () => {
  test('is proposed anew, keeps its decisions where the same is found, and waits for its release again', async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'zyada@example.org, zybob@example.org, Zymax\n' }] })
    const [text] = (await proposalsOf(job)).texts
    const { id: textId, assetId, findings } = text!
    await decide(job, [
      { action: 'reject', assetId, findingId: findings[0]!.id },
      { action: 'add', assetId, at: { textId, start: 38, end: 43 }, label: 'NAME' },
    ])
    await deploy(job)
    const again = await releasedInVain(job)
    expect(again).toMatchObject({ status: 'IN_PROGRESS', result: null, review: { approvals: [], gone: 0 } })
    const kept = [
      ['zyada@example.org', 'reject'],
      ['zybob@example.org', null],
    ]
    expect(await decided(again)).toEqual(kept)
    const old = reviewer.client.jobs.release({ job_id: job.id, body: { version: 1 } })
    await expect(old).rejects.toMatchObject({ detail: [{ type: 'review_changed' }] })
    await deploy(again)
    const third = await releasedInVain(again)
    expect(await decided(third)).toEqual(kept)
    await release(third)
    const done = await ended(job.id)
    expect(done).toMatchObject({ status: 'SUCCEEDED', review: { state: 'released', round: 2 } })
    expect(await outputOf(done)).toBe('zyada@example.org, [E-mail], [NAME]\n')
  })

  test('has no decision on what is found for the first time, or found as another value', async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'zyada@example.org 4711 4711 zybob@example.org' }] })
    await decide(job, [
      { action: 'reject', filter: {} },
      { action: 'reject', value: '4711' },
    ])
    await deploy(job, 'zyada@example|[0-9]+|zybob@example.org')
    const again = await releasedInVain(job)
    expect(again.review!.gone).toBe(0)
    expect(await decided(again)).toEqual([
      ['zyada@example', null],
      ['4711', null],
      ['4711', null],
      ['zybob@example.org', 'reject'],
    ])
    await release(again)
    expect(await outputOf(await ended(job.id))).toBe('[E-mail].org [E-mail] [E-mail] zybob@example.org')
  })

  test('has decisions that are taken later count for all that is found', async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'zyada@example.org 4711' }] })
    await deploy(job, '[0-9]+')
    const again = await releasedInVain(job)
    await decide(again, [{ action: 'reject', filter: {} }])
    await release(again)
    expect(await outputOf(await ended(job.id))).toBe('zyada@example.org 4711')
  })

  test('tells what is not found any more, and keeps what was added where the same stands', async () => {
    const job = await start({ files: [{ name: 'a.txt', content: 'zyada@example.org zybob@example.org Zymax' }] })
    const { id: textId, assetId } = (await proposalsOf(job)).texts[0]!
    await decide(job, [
      { action: 'accept', filter: {} },
      { action: 'add', assetId, at: { textId, start: 36, end: 41 }, label: 'NAME' },
    ])
    await deploy(job, 'zyada@example.org')
    const again = await releasedInVain(job)
    expect(again.review!.gone).toBe(1)
    const { gone } = await proposalsOf(again)
    expect(gone).toEqual([{ assetId, value: 'zybob@example.org', label: 'E-mail', column: null }])
    const { decisions } = await reviewer.client.jobs.decisions({ job_id: job.id })
    expect(decisions.map(({ lapsed }) => lapsed)).toEqual([false, false])
  })

  test('has its columns compared value by value', async () => {
    const content = 'mail,n\nzyada@example.org,1\nzybob@example.org,2\nzyada@example.org,3\n'
    const job = await start({ type: 'TABLE', files: [{ name: 'a.csv', content }] })
    const { values } = await proposalsOf(job)
    const [ada] = values
    await decide(job, [{ action: 'reject', assetId: ada!.assetId, findingId: ada!.id }])
    await deploy(job, 'zyada@example.org|3')
    const again = await releasedInVain(job)
    expect(again.review!.gone).toBe(1)
    const now = await proposalsOf(again)
    expect(now.gone.map(({ value, column }) => [value, column])).toEqual([['zybob@example.org', 'mail']])
    expect(now.values.map(({ value, decision }) => [value, decision])).toEqual([
      ['zyada@example.org', 'reject'],
      ['3', null],
    ])
    await release(again)
    expect(await outputOf(await ended(job.id))).toBe(content.replace(',3\n', ',[E-mail]\n'))
  })

  test('tells what is gone of files for which nothing is proposed any more, too', async () => {
    const files = ['zyada@example.org', 'zybob@example.org'].map((mail, n) => {
      return { name: `${n}.csv`, content: `mail\n${mail}\n` }
    })
    const job = await start({ type: 'TABLE', files })
    await deploy(job, 'zyada@example.org')
    const again = await releasedInVain(job)
    const seen = await allPagesOf(again)
    expect(seen.flatMap(({ values }) => values.map(({ value }) => value))).toEqual(['zyada@example.org'])
    expect(seen.flatMap(({ gone }) => gone.map(({ value }) => value))).toEqual(['zybob@example.org'])
  })

  test('has the chunks of its large tables searched and compared anew', async () => {
    const rows = Array.from({ length: 8000 }, (_, n) => `zy${n % 50}@example.org,${n}`)
    const job = await start({ type: 'TABLE', files: [{ name: 'a.csv', content: `mail,n\n${rows.join('\n')}\n` }] })
    await decide(job, [{ action: 'reject', value: 'zy7@example.org' }])
    await deploy(job, 'zy[7-9]@example.org')
    const again = await releasedInVain(job)
    expect(again.review!.gone).toBe(47)
    const { values } = await proposalsOf(again)
    expect(values.map(({ value, decision, count }) => [value, decision, count])).toEqual([
      ['zy7@example.org', 'reject', 160],
      ['zy8@example.org', null, 160],
      ['zy9@example.org', null, 160],
    ])
    await release(again)
    const output = await outputOf(await ended(job.id))
    expect(output.split('\n').slice(8, 12)).toEqual([
      'zy7@example.org,7',
      '[E-mail],8',
      '[E-mail],9',
      'zy10@example.org,10',
    ])
  })
})
