import type { JobSummary } from '../../shared/api/job.ts'
import { callFull } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { useKept } from '../ui/kept.ts'
import { useEvery, useLoad } from '../ui/load.ts'
import { Empty, Field, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 20
const statuses = ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const

/** The user's jobs, newest first; looks again while one of them runs. */
export function Jobs() {
  const words = t.value
  const [skip, setSkip] = useKept('jobs.skip', 0)
  const [search, setSearch] = useKept('jobs.search', '')
  const [status, setStatus] = useKept('jobs.status', '')
  const loaded = useLoad(
    () =>
      callFull('jobs', 'list', {
        body: { skip, limit: LIMIT, ...(search && { search }), ...(status && { filters: { status } }) },
      }),
    [skip, search, status],
  )
  const { data, reload } = loaded
  useEvery(data?.body.some(job => job.status === 'IN_PROGRESS') ? 3000 : undefined, reload)
  const look = (set: () => void) => {
    setSkip(0)
    set()
  }
  return (
    <section>
      <h1>{words.job.title}</h1>
      <search class="row">
        <Field label={words.search}>
          <input type="search" value={search} onInput={event => look(() => setSearch(event.currentTarget.value))} />
        </Field>
        <Field label={words.job.progress}>
          <select value={status} onChange={event => look(() => setStatus(event.currentTarget.value))}>
            <option value="">{words.job.all}</option>
            {statuses.map(one => (
              <option key={one} value={one}>
                {words.job.status[one]}
              </option>
            ))}
          </select>
        </Field>
      </search>
      <Pending of={loaded} what={words.job.title} />
      {data?.body.length === 0 ? (
        search || status ? (
          <p class="muted">{words.noneLikeThat}</p>
        ) : (
          <Empty text={words.job.empty} action={words.menu.new} to="#/new" />
        )
      ) : null}
      {data && data.body.length > 0 ? <JobTable jobs={data.body} /> : null}
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

function JobTable({ jobs }: { jobs: JobSummary[] }) {
  const words = t.value.job
  return (
    <section class="scroll" tabIndex={0} aria-label={words.title}>
      <table class="stacked list">
        <thead>
          <tr>
            <th scope="col">{t.value.name}</th>
            <th scope="col">{words.progress}</th>
            <th scope="col" class="number">
              {words.files}
            </th>
            <th scope="col">{words.created}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ id, name, status, review, assetCount, createdAt }) => (
            <tr key={id}>
              <td class="head">
                <a href={`#/jobs/${id}`}>{name}</a>
              </td>
              <td data-title={words.progress}>
                <Status status={status} review={review} />
              </td>
              <td data-title={words.files} class="number">
                {assetCount}
              </td>
              <td data-title={words.created} class="when">
                {dateOf(createdAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A job's state, told by words and not by colour alone. */
export function Status({ status, review }: Pick<JobSummary, 'status'> & Partial<Pick<JobSummary, 'review'>>) {
  const waits = status === 'IN_PROGRESS' && review?.state === 'waiting'
  return (
    <span class={`status ${status.toLowerCase()}`}>{waits ? t.value.review.waits : t.value.job.status[status]}</span>
  )
}
