import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { t } from '../i18n/index.ts'
import { useEvery } from '../ui/load.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { fits, type Scope } from './decide.ts'
import { Ending } from './ending.tsx'
import { allOf, Filters, type Shown } from './filters.tsx'
import { type Entry, FindingList } from './finding-list.tsx'
import { lookAgain, type OpenReview, openFile, openReview, readOn, start } from './open-review.ts'
import type { Finding } from './proposals.ts'
import { Strokes } from './strokes.tsx'
import { TextView } from './text-view.tsx'

/** How often is looked for what others have decided, milliseconds. */
const LOOK_MS = 10_000

/** The review of a job: what would be replaced in its files, and every decision on it, by keyboard or by pointer. */
export function Review({ id }: { id: string }) {
  const words = t.value.review
  const review = useMemo(() => openReview(id), [id])
  const [ended, setEnded] = useState<'released' | 'rejected'>()
  useEffect(() => void start(review), [review])
  const job = review.job.value
  const isOver = ended !== undefined || review.error.value?.has('not_in_review')
  useEvery(job && !isOver ? LOOK_MS : undefined, () => lookAgain(review))
  if (ended)
    return (
      <section>
        <h1>{job!.name}</h1>
        <p role="status">{words.ends[ended]}</p>
        <a class="button primary" href="#/reviews">
          {t.value.menu.reviews}
        </a>
      </section>
    )
  if (!job) return review.error.value ? <Failure error={review.error.value} /> : <Loading />
  return (
    <section class="review">
      <h1>{job.name}</h1>
      <Files review={review} />
      <Failure error={review.error.value} />
      <Desk key={review.assetId.value} review={review} />
      <Ending review={review} ended={setEnded} />
    </section>
  )
}

/** Which file of the job is open. */
function Files({ review }: { review: OpenReview }) {
  const { assets, owner } = review.job.value!
  const words = t.value.review
  if (assets.length === 1) return <p class="muted">{[assets[0]!.name, owner.name].filter(Boolean).join(' · ')}</p>
  const index = assets.findIndex(({ id }) => id === review.assetId.value)
  const go = (to: number) => assets[to] && openFile(review, assets[to].id)
  return (
    <nav class="row" aria-label={t.value.job.files}>
      <button type="button" disabled={index <= 0} onClick={() => go(index - 1)}>
        {words.before}
      </button>
      <select
        class="name"
        aria-label={t.value.found.file}
        value={review.assetId.value}
        onChange={event => openFile(review, event.currentTarget.value)}
      >
        {assets.map(({ id, name }, n) => (
          <option key={id} value={id}>
            {n + 1}. {name}
          </option>
        ))}
      </select>
      <button type="button" disabled={index + 1 >= assets.length} onClick={() => go(index + 1)}>
        {words.after}
      </button>
    </nav>
  )
}

/** One file: its text, the list of what was found in it, and what can be done. */
function Desk({ review }: { review: OpenReview }) {
  const words = t.value.review
  const { sections, findings, cursor } = review.proposals.value
  const [shown, setShown] = useState<Shown>(allOf)
  const [scope, setScope] = useState<Scope>('here')
  const [section, setSection] = useState(0)
  const current = useSignal<Finding | undefined>(undefined)
  const entries = useMemo(() => entriesOf(findings, shown), [findings, shown])
  const choose = (finding: Finding | undefined) => {
    current.value = finding
    if (finding) setSection(finding.section)
  }
  useEffect(() => {
    if (!entries.some(({ finding }) => finding === current.peek())) choose(entries[0]?.finding)
  }, [entries])
  const isTable = review.job.value!.assets.find(({ id }) => id === review.assetId.value)?.type === 'TABLE'
  return (
    <>
      <Progress review={review} />
      <Strokes review={review} {...{ entries, current, choose, scope, setScope, shown }}>
        <div class={isTable ? 'desk table' : 'desk'}>
          {isTable ? null : (
            <div class="page">
              <TextView
                section={sections[section] ?? []}
                additions={review.additions.value.filter(({ assetId }) => !assetId || assetId === review.assetId.value)}
                {...{ current, choose }}
              />
              <Sections count={sections.length} section={section} go={setSection} />
            </div>
          )}
          <div class="found">
            <Filters shown={shown} set={setShown} findings={findings} />
            <FindingList {...{ entries, current, choose }} />
            {cursor && !review.isReading.value ? (
              <button type="button" onClick={() => readOn(review)}>
                {words.readOn}
              </button>
            ) : null}
          </div>
        </div>
      </Strokes>
    </>
  )
}

/** What is listed of the findings of a file; decisions that are taken meanwhile move nothing. */
function entriesOf(findings: Finding[], { filter, search, state, byValue }: Shown): Entry[] {
  const wanted = search.toLowerCase()
  const some = findings.filter(
    finding =>
      fits(filter, finding) &&
      (wanted === '' || finding.value.toLowerCase().includes(wanted)) &&
      (state === 'all' || finding.verdict.peek() === null),
  )
  if (!byValue) return some.map(finding => ({ finding, count: finding.count }))
  const groups = new Map<string, Entry>()
  for (const finding of some) {
    const key = `${finding.label}\n${finding.value}`
    const group = groups.get(key)
    const doubtful = group && group.finding.score <= finding.score ? group.finding : finding
    groups.set(key, { finding: doubtful, count: (group?.count ?? 0) + finding.count })
  }
  // What the rules were least sure of comes first.
  return [...groups.values()].toSorted((a, b) => a.finding.score - b.finding.score)
}

function Progress({ review }: { review: OpenReview }) {
  const words = t.value.review
  const { findings, cursor } = review.proposals.value
  const decided = findings.filter(({ verdict }) => verdict.value !== null).length
  return (
    <label class="field progress">
      <span role="status">
        {review.isReading.value ? t.value.loading : words.decided(decided, findings.length, cursor !== null)}
        {review.unsaved.value > 0 ? ` · ${words.saving}` : ''}
      </span>
      <progress value={decided} max={Math.max(1, findings.length)} />
    </label>
  )
}

function Sections({ count, section, go }: { count: number; section: number; go(section: number): void }) {
  const words = t.value.review
  if (count <= 1) return null
  return (
    <nav class="row pager" aria-label={words.section(section + 1, count)}>
      <button type="button" disabled={section === 0} onClick={() => go(section - 1)}>
        {words.before}
      </button>
      <span class="muted">{words.section(section + 1, count)}</span>
      <button type="button" disabled={section + 1 >= count} onClick={() => go(section + 1)}>
        {words.after}
      </button>
    </nav>
  )
}
