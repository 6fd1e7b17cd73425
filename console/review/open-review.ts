import { batch, type Signal, signal } from '@preact/signals'
import type { CallInput } from '../../shared/api/client.ts'
import type { Api } from '../../shared/api/index.ts'
import type { JobUnderReview, ProposalPage, TakenDecision } from '../../shared/api/reviews.ts'
import { type CallError, call } from '../api.ts'
import { asCallError } from '../ui/load.ts'
import { noProposals, type Proposals, verdictOf, withPage } from './proposals.ts'

/** Pages of proposals that are read without being asked for: several megabytes of text. */
const PAGES = 16

export type NewDecision = NonNullable<NonNullable<CallInput<Api['jobs']['decide']>['body']>['decisions']>[number]

/** How a file with pages is looked at. */
export type View = 'page' | 'text'

type Missing = { error: CallError; reload(): Promise<void> }

/** A job under review in this browser: what is proposed for one of its files, and what was decided. */
export type OpenReview = {
  job_id: string
  job: Signal<JobUnderReview | undefined>
  error: Signal<CallError | undefined>
  /** What could not be read, and how it is read again. */
  missing: Signal<Missing | undefined>
  /** How often something was to be read. */
  asked: number
  assetId: Signal<string | undefined>
  proposals: Signal<Proposals>
  isReading: Signal<boolean>
  view: Signal<View>
  additions: Signal<TakenDecision[]>
  /** How many changes the service has not confirmed yet. */
  unsaved: Signal<number>
  /** Why it is not known what others have decided; gone once it is. */
  lost?: CallError
  /** The newest version that was seen; -1 before any was. */
  version: number
  /** How many decisions each step of this visit took, the newest last: `undo` takes back one. */
  steps: number[]
  /** Steps that are yet to be sent. */
  queue: NewDecision[][]
  /** What is under way: changes follow one another. */
  work: Promise<unknown>
}

export const openReview = (job_id: string): OpenReview => ({
  job_id,
  job: signal(undefined),
  error: signal(undefined),
  missing: signal(undefined),
  asked: 0,
  assetId: signal(undefined),
  proposals: signal(noProposals),
  isReading: signal(true),
  view: signal<View>('page'),
  additions: signal([]),
  unsaved: signal(0),
  version: -1,
  steps: [],
  queue: [],
  work: Promise.resolve(),
})

/** Shows why something failed. */
export const fail = (review: OpenReview, reason: unknown): void => {
  review.error.value = asCallError(reason)
}

/** Reads something; what could not be read is said, and read again when somebody asks for that. The last question counts. */
async function reading(review: OpenReview, read: () => Promise<unknown>): Promise<void> {
  const question = ++review.asked
  const reload = () => reading(review, read)
  const missing = await read().then(
    () => undefined,
    reason => ({ error: asCallError(reason), reload }),
  )
  if (question === review.asked) review.missing.value = missing
}

/** Reads what the job is, and opens its first file. */
export const start = (review: OpenReview): Promise<void> =>
  reading(review, async () => {
    await readJob(review)
    const [first] = review.job.value!.assets
    if (first) await read(review, first.id)
  })

/** Reads what the job is now and all decisions; answers them. */
export async function readJob({ job_id, job, additions }: OpenReview): Promise<TakenDecision[]> {
  const asked = { job_id }
  const [now, { decisions }] = await Promise.all([call('jobs', 'review', asked), call('jobs', 'decisions', asked)])
  job.value = now
  additions.value = decisions.filter(({ action, undone, lapsed }) => action === 'add' && !undone && !lapsed)
  return decisions
}

/** What was added to the file that is open, by itself or with the whole job. */
export const additionsTo = ({ additions, assetId: of }: OpenReview): TakenDecision[] =>
  additions.value.filter(({ assetId }) => !assetId || assetId === of.value)

/** Opens another file of the job. */
export const openFile = (review: OpenReview, id: string): Promise<void> => reading(review, () => read(review, id))

/** Reads on in the file that is open. */
export const readOn = (review: OpenReview): Promise<void> => reading(review, () => readPages(review))

/** Reads a file from its beginning. */
function read(review: OpenReview, id: string): Promise<void> {
  review.assetId.value = id
  review.proposals.value = noProposals
  return readPages(review)
}

/** Reads some pages of the file that is open; opening another one meanwhile ends it. */
async function readPages(review: OpenReview): Promise<void> {
  const { assetId, proposals, isReading } = review
  const of = assetId.value
  isReading.value = true
  try {
    let othersDecided = false
    for (let n = 0; n < PAGES; n++) {
      const page = await pageAt(review, proposals.value.cursor)
      if (assetId.value !== of) return
      othersDecided ||= review.version >= 0 && page.version > review.version
      review.version = Math.max(review.version, page.version)
      proposals.value = withPage(proposals.value, page)
      if (!page.cursor) break
    }
    if (othersDecided) await refresh(review)
  } finally {
    if (assetId.value === of) isReading.value = false
  }
}

const pageAt = ({ job_id, assetId }: OpenReview, cursor: string | null): Promise<ProposalPage> =>
  call('jobs', 'proposals', { job_id, query: { assetId: assetId.value, ...(cursor && { cursor }) } })

/** Reads anew what was decided: by others, or what counts again after something was undone. */
export async function refresh(review: OpenReview): Promise<void> {
  const { assetId, proposals } = review
  const of = assetId.value
  const known = new Map(proposals.value.findings.map(finding => [finding.id, finding]))
  const end = proposals.value.cursor
  for (let cursor: string | null = null; ; ) {
    const page: ProposalPage = await pageAt(review, cursor)
    if (assetId.value !== of) return
    review.version = Math.max(review.version, page.version)
    const found = [...page.texts.flatMap(({ findings }) => findings), ...page.values]
    batch(() => {
      for (const proposed of found) {
        const finding = known.get(proposed.id)
        if (finding) finding.verdict.value = verdictOf(proposed)
      }
    })
    cursor = page.cursor
    if (!cursor || cursor === end) break
  }
  await readJob(review)
}

/** Reads what others have decided since, or that they have ended the review. */
export async function lookAgain(review: OpenReview): Promise<void> {
  const { job_id, job, unsaved } = review
  if (unsaved.value > 0) return
  const look = async () => {
    job.value = await call('jobs', 'review', { job_id })
    if (job.value.review.version > review.version) await refresh(review)
    if (review.error.value === review.lost) review.error.value = undefined
  }
  // What may end the review waits for it.
  review.work = review.work.then(look).catch(reason => {
    review.lost = asCallError(reason)
    fail(review, review.lost)
  })
  await review.work
}
