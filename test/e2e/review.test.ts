import { expect, test } from 'vitest'
import { useOwnService } from '../api/setup.ts'
import { type Job, useReviews } from '../api/under-review.ts'

const CHUNK_BYTES = 64 * 1024
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const { reviewer, start, outputOf, proposalsOf, released } = await useReviews(service)

const ROWS = 10_000
/** Two people, one of whom stands in the last row only. */
const mailOf = (n: number) => (n === ROWS - 1 ? 'zybob@example.org' : 'zyada@example.org')
const table = (mail: (n: number) => string) =>
  `id,mail\n${Array.from({ length: ROWS }, (_, n) => `${n},${mail(n)}\n`).join('')}`
const files = [{ name: 'people.csv', content: table(mailOf) }]

/** How far a job has come. */
const progressOf = async ({ id: job_id }: Job) => (await reviewer.client.jobs.get({ job_id })).progress

test('a table that is cut into chunks is reviewed as one', { timeout: 240_000 }, async () => {
  const plain = await outputOf(await start({ type: 'TABLE', files, review: null }))
  expect(plain).toBe(table(() => '[E-mail]'))
  const job = await start({ type: 'TABLE', files })
  expect(job.review!.state).toBe('waiting')
  const { values } = await proposalsOf(job)
  expect(values.map(({ column, value, count, rows }) => ({ column, value, count, rows }))).toEqual([
    { column: 'mail', value: 'zyada@example.org', count: ROWS - 1, rows: [2, 3, 4] },
    { column: 'mail', value: 'zybob@example.org', count: 1, rows: [ROWS + 1] },
  ])
  const decisions = [{ action: 'reject' as const, assetId: job.Assets[0]!.id, findingId: values[0]!.id }]
  const ended = await released(job, decisions)
  expect(await outputOf(ended)).toBe(table(n => (n === ROWS - 1 ? '[E-mail]' : mailOf(n))))
  expect(await progressOf(ended)).toMatchObject({ done: 1, bytesDone: Buffer.byteLength(files[0]!.content) })
})

test('accepting all of it gives what no review gives, and rejecting all the table as it was', {
  timeout: 240_000,
}, async () => {
  const accepted = await released(await start({ type: 'TABLE', files }), [{ action: 'accept', filter: {} }])
  expect(await outputOf(accepted)).toBe(table(() => '[E-mail]'))
  const rejected = await released(await start({ type: 'TABLE', files }), [{ action: 'reject', filter: {} }])
  expect(await outputOf(rejected)).toBe(table(mailOf))
})
