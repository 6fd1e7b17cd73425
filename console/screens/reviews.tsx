import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { WaitingJob } from '../../shared/api/reviews.ts'
import { callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { useEvery, useLoad } from '../ui/load.ts'
import { Empty, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 20
/** How often the list looks for jobs that have come or gone, milliseconds. */
const LOOK_MS = 10_000

/** How many jobs wait for a review, as far as is known. */
export const waiting = signal(0)

const load = async (skip: number, limit: number) => {
  const page = await callFull('reviews', 'list', { query: { skip, limit } })
  waiting.value = page.total
  return page
}

/** Counts the jobs that wait, for those who may review; the count stays as it was where that fails. */
export const countWaiting = async (): Promise<void> => {
  if (may('jobs:review')) await load(0, 0).catch(() => undefined)
}

/** The jobs of everybody that wait for their review, those first whose time ends first. */
export function Reviews() {
  const words = t.value
  const [skip, setSkip] = useState(0)
  const loaded = useLoad(() => load(skip, LIMIT), [skip])
  const { data, reload } = loaded
  useEvery(LOOK_MS, reload)
  return (
    <section>
      <h1>{words.menu.reviews}</h1>
      <Pending of={loaded} what={words.menu.reviews} />
      {data?.body.length === 0 ? <Empty text={words.review.empty} action={words.menu.new} to="#/new" /> : null}
      <ul class="cards">
        {data?.body.map(job => (
          <li key={job.id}>
            <Waiting job={job} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

function Waiting({ job: { id, name, owner, assetCount, review } }: { job: WaitingJob }) {
  const words = t.value.review
  return (
    <>
      <div class="row">
        <a class="name" href={`#/reviews/${id}`}>
          <strong>{name}</strong>
        </a>
        <span>{words.released(review.approvals.length, review.approvers)}</span>
      </div>
      <p class="muted">
        {[owner.name, words.fileCount(assetCount), words.until(dateOf(review.deadline!))].filter(Boolean).join(' · ')}
      </p>
    </>
  )
}

/** Leads those who may review to what waits for them. */
export function WaitingNote() {
  if (waiting.value === 0) return null
  return (
    <p class="note">
      <a href="#/reviews">{t.value.review.waiting(waiting.value)}</a>
    </p>
  )
}
