import { user } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { Form, sure } from '../ui/parts.tsx'
import { rejectJob, release } from './decide.ts'
import { type OpenReview, refresh } from './open-review.ts'

/** How the review ends: who has released the job, and the release or rejection of one's own. */
export function Ending({ review, ended }: { review: OpenReview; ended(how: 'released' | 'rejected'): void }) {
  const words = t.value.review
  const job = review.job.value!
  const { approvals, approvers, deadline } = job.review
  const names = new Map(job.people.map(({ id, name }) => [id, name]))
  const hasReleased = approvals.some(({ userId }) => userId === user.value!.id)
  const isLast = approvals.length + 1 >= approvers
  const send = async () => {
    try {
      if (await release(review)) ended('released')
    } catch (reason) {
      await refresh(review)
      throw reason
    }
  }
  const reject = async () => {
    if (!sure(words.rejectSure)) return
    await rejectJob(review)
    ended('rejected')
  }
  return (
    <section class="ending" aria-label={words.ending}>
      <p>
        {words.released(approvals.length, approvers)} · {words.until(dateOf(deadline!))}
      </p>
      <ul>
        {approvals.map(({ userId, at }) => (
          <li key={userId}>
            {userId === user.value!.id ? words.you : (names.get(userId) ?? words.somebody)}{' '}
            <small class="muted">{dateOf(at)}</small>
          </li>
        ))}
      </ul>
      {hasReleased ? (
        <p role="status">{words.passedOn}</p>
      ) : (
        <Form submit={send} label={isLast ? words.release : words.passOn}>
          <p class="muted">{words.releaseNote}</p>
        </Form>
      )}
      <details>
        <summary>{words.rejectJob}</summary>
        <Form submit={reject} label={words.rejectJob}>
          <p class="muted">{words.rejectNote}</p>
        </Form>
      </details>
    </section>
  )
}
