import { batch } from '@preact/signals'
import type { Review } from '../../shared/api/reviews.ts'
import { call, user } from '../api.ts'
import { fail, type NewDecision, type OpenReview, readJob, refresh } from './open-review.ts'
import type { Finding } from './proposals.ts'

/** What a decision on a finding reaches: its place, or all with its value and label, in the file or in the job. */
export type Scope = 'here' | 'asset' | 'job'

/** Most decisions of one request. */
const AT_ONCE = 1000

/** Does one thing after the other; after a failure what is shown is read anew. */
function enqueue(review: OpenReview, task: () => Promise<unknown>): Promise<unknown> {
  review.work = review.work.then(task).catch(async reason => {
    review.steps = []
    await refresh(review).catch(() => {
      // Until what counts has been read again, nothing that is shown can be released.
      review.version = -1
    })
    fail(review, reason)
  })
  return review.work
}

/** Sends decisions after those before them; `show` shows at once what they change. */
function send(review: OpenReview, decisions: NewDecision[], show: () => void): Promise<unknown> {
  review.error.value = undefined
  batch(show)
  review.unsaved.value += decisions.length
  for (let at = 0; at < decisions.length; at += AT_ONCE) {
    review.queue.push(decisions.slice(at, at + AT_ONCE))
    enqueue(review, () => sendQueued(review))
  }
  return review.work
}

/** Sends the steps that have gathered while others were sent, as many as one request takes. */
async function sendQueued(review: OpenReview): Promise<void> {
  const { job_id, queue, steps, unsaved } = review
  const some: NewDecision[][] = []
  const size = () => some.reduce((sum, { length }) => sum + length, 0)
  while (queue[0] && size() + queue[0].length <= AT_ONCE) some.push(queue.shift()!)
  if (some.length === 0) return
  try {
    const changed = await call('jobs', 'decide', { job_id, body: { decisions: some.flat() } })
    steps.push(...some.map(({ length }) => length))
    await seen(review, changed.review)
  } finally {
    unsaved.value -= size()
  }
}

/** Takes note of the review after a change of one's own; where others have decided too, that is read. */
async function seen(review: OpenReview, now: Review): Promise<void> {
  const isAlone = now.version <= review.version + 1
  review.version = Math.max(review.version, now.version)
  if (review.job.value) review.job.value = { ...review.job.value, review: now }
  if (!isAlone) await refresh(review)
}

/** What is decided; with `rememberIn` the value is put on a list as well. */
type Judgement =
  | { action: 'accept' | 'reject'; rememberIn?: string }
  | { action: 'relabel'; label: string; ruleId?: string }

const verdictOf = (judgement: Judgement) => ({
  action: judgement.action,
  relabelled: judgement.action === 'relabel' ? judgement.label : null,
})

/** Decides on findings of the file that is open, and on what the scope reaches beyond them. */
export function judge(review: OpenReview, findings: Finding[], judgement: Judgement, scope: Scope): void {
  const sent = findings.map(({ id: findingId, assetId }) => ({ ...judgement, assetId, findingId, scope }))
  const sameAs = ({ value, label }: Finding) => `${label}\n${value}`
  const same = new Set(findings.map(sameAs))
  send(review, sent, () => {
    const reached = scope === 'here' ? findings : review.proposals.value.findings.filter(one => same.has(sameAs(one)))
    for (const { verdict } of reached) verdict.value = verdictOf(judgement)
  })
}

/** Which findings are meant by label and score. */
export type Filter = { label?: string; maxScore?: number }

export const fits = ({ label, maxScore = 1 }: Filter, finding: Finding): boolean =>
  (label === undefined || finding.label === label) && finding.score <= maxScore

/** Decides on all findings that are like that, in the file or in the job, those that were not read as well. */
export function judgeAll(review: OpenReview, filter: Filter, action: 'accept' | 'reject', scope: Scope): void {
  const assetId = scope === 'job' ? undefined : review.assetId.value
  send(review, [{ action, filter, ...(assetId && { assetId }) }], () => {
    for (const finding of review.proposals.value.findings)
      if (fits(filter, finding)) finding.verdict.value = verdictOf({ action })
  })
}

/** Adds what was missed. */
export const add = (review: OpenReview, decision: Omit<NewDecision, 'action'>): Promise<unknown> => {
  send(review, [{ ...decision, action: 'add' }], () => undefined)
  return enqueue(review, () => readJob(review))
}

/** Takes back the last step of this user. */
export const undo = (review: OpenReview): Promise<unknown> =>
  enqueue(review, async () => {
    review.error.value = undefined
    const own = (await readJob(review)).filter(({ userId, undone }) => userId === user.value!.id && !undone)
    const last = own.at(-1)
    if (!last) return
    // Of an earlier visit: what came with one request has one time.
    const count = review.steps.pop() ?? own.filter(({ at }) => at === last.at).length
    await takeBack(
      review,
      own.slice(-count).map(({ n }) => n),
    )
  })

/** Takes back one decision. */
export const remove = (review: OpenReview, n: number): Promise<unknown> =>
  enqueue(review, () => {
    review.steps = []
    return takeBack(review, [n])
  })

async function takeBack(review: OpenReview, undo: number[]): Promise<void> {
  await call('jobs', 'decide', { job_id: review.job_id, body: { undo } })
  await refresh(review)
}

/** Releases the job as it is shown; tells whether that was the last release that it needed. */
export const release = (review: OpenReview): Promise<boolean> =>
  ending(review, async () => {
    const { review: now } = await call('jobs', 'release', { job_id: review.job_id, body: { version: review.version } })
    if (review.job.value) review.job.value = { ...review.job.value, review: now }
    return now.state !== 'waiting'
  })

/** Rejects the whole job. */
export const rejectJob = (review: OpenReview): Promise<unknown> =>
  ending(review, () => call('jobs', 'rejectReview', { job_id: review.job_id }))

/** Does what may end the review, after what is under way; nothing looks for others' decisions until it is done. */
async function ending<T>(review: OpenReview, end: () => Promise<T>): Promise<T> {
  await review.work
  review.unsaved.value++
  try {
    return await end()
  } finally {
    review.unsaved.value--
  }
}
