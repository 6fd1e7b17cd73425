import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { t } from '../i18n/index.ts'
import { useEvery } from '../ui/load.ts'
import { Failure } from '../ui/parts.tsx'
import { NotLoaded, Pending } from '../ui/pending.tsx'
import { Again, Gone } from './again.tsx'
import { fits, type Scope } from './decide.ts'
import { Ending } from './ending.tsx'
import { allOf, Filters, type Shown } from './filters.tsx'
import { type Entry, FindingList } from './finding-list.tsx'
import { lookAgain, type OpenReview, openFile, openReview, readOn, start } from './open-review.ts'
import type { Sheet } from './page-view.tsx'
import type { Finding } from './proposals.ts'
import { Steps } from './steps.tsx'
import { type Question, Strokes } from './strokes.tsx'
import { Views } from './views.tsx'

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
  const missing = review.missing.value
  if (!job) return <Pending of={{ reload: () => start(review), ...missing }} what={t.value.menu.reviews} isScreen />
  return (
    <section class="review">
      <h1>{job.name}</h1>
      <Again {...job} />
      <Files review={review} />
      <Failure error={review.error.value} />
      {missing ? <NotLoaded what={t.value.found.file} {...missing} /> : null}
      <Desk key={review.assetId.value} review={review} />
      <Ending review={review} ended={setEnded} />
    </section>
  )
}

/** Which file of the job is open. */
function Files({ review }: { review: OpenReview }) {
  const { assets, owner } = review.job.value!
  if (assets.length === 1) return <p class="muted">{[assets[0]!.name, owner.name].filter(Boolean).join(' · ')}</p>
  return (
    <Steps
      label={t.value.found.file}
      names={assets.map(({ name }, n) => `${n + 1}. ${name}`)}
      at={assets.findIndex(({ id }) => id === review.assetId.value)}
      go={to => void openFile(review, assets[to]!.id)}
    />
  )
}

/** One file: its pages or its text, the list of what was found in it, and what can be done. */
function Desk({ review }: { review: OpenReview }) {
  const words = t.value.review
  const { findings, pages, cursor } = review.proposals.value
  const [shown, setShown] = useState<Shown>(allOf)
  const [scope, setScope] = useState<Scope>('here')
  const [section, setSection] = useState(0)
  const [asked, ask] = useState<Question>()
  const sheet: Sheet = { page: useSignal(1), drawn: useSignal(undefined) }
  const shownSheet = pages > 0 && review.view.value === 'page' ? sheet : undefined
  const current = useSignal<Finding | undefined>(undefined)
  const entries = useMemo(() => entriesOf(findings, shown), [findings, shown])
  const choose = (finding: Finding | undefined) => {
    current.value = finding
    if (finding) setSection(finding.section)
    const drawn = finding?.boxes.filter(({ page }) => page <= pages) ?? []
    if (drawn[0] && !drawn.some(({ page }) => page === sheet.page.value)) sheet.page.value = drawn[0].page
  }
  useEffect(() => {
    if (!entries.some(({ finding }) => finding === current.peek())) choose(entries[0]?.finding)
  }, [entries])
  const isTable = review.job.value!.assets.find(({ id }) => id === review.assetId.value)?.type === 'TABLE'
  return (
    <>
      <Progress review={review} />
      <Strokes review={review} sheet={shownSheet} {...{ entries, current, choose, scope, setScope, shown, asked, ask }}>
        <div class={isTable ? 'desk table' : 'desk'}>
          {isTable ? null : (
            <Views
              review={review}
              sheet={shownSheet}
              take={box => ask({ about: 'box', box })}
              {...{ section, setSection, current, choose }}
            />
          )}
          <div class="found">
            <Filters shown={shown} set={setShown} findings={findings} />
            <FindingList {...{ entries, current, choose }} />
            <Gone review={review} />
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
