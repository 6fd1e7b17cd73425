import type { KeyObject } from 'node:crypto'
import type { Concerns, Decision, ProposedText, ProposedValue } from 'anonymisation-engine'
import type { Entry } from '../../api/lists.ts'
import { ProblemError } from '../../api/problems.ts'
import { type Decisions, MAX_DECISIONS_OF_JOB, type NewDecision } from '../../api/reviews.ts'
import { findOwned } from '../../http/authorise.ts'
import { type Caller, hasPermission } from '../../http/caller.ts'
import { checkEntries, merged } from '../../rules/lists.ts'
import { listAssetsNamed } from '../../store/assets.ts'
import type { Transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { getJob, type PlanOfJob, plansOf } from '../../store/jobs.ts'
import {
  loadDecisions,
  loadProposals,
  type Proposed,
  pagesOf,
  proposalsOf,
  reviewKey,
  roundOf,
  saveDecisions,
  type TakenDecision,
} from '../../store/reviews.ts'
import { changeEntries, LIST, type ListRecord, readEntries } from '../../store/value-lists.ts'
import { requireWaiting } from './review.ts'

/** How often decisions are taken anew that others come before. */
const ATTEMPTS = 10

/** What a finding that is decided on is. */
type Meant = { value: string; label: string }

const unknown = (n: number, field: 'assetId' | 'findingId' | 'at', msg?: string) => ({
  type: 'finding_unknown' as const,
  ...(msg && { msg }),
  loc: ['body', 'decisions', String(n), field],
})

/** Refuses decisions on assets that the job was not given. */
async function checkAssets(jobId: string, decisions: readonly NewDecision[]): Promise<void> {
  const named = new Set(decisions.flatMap(({ assetId }) => assetId ?? []))
  const known = new Set((await listAssetsNamed(jobId, [...named])).map(({ id }) => id))
  const wrong = decisions.flatMap(({ assetId }, n) =>
    assetId === undefined || known.has(assetId) ? [] : [unknown(n, 'assetId', 'The job has no such asset')],
  )
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
}

/** Some texts of an asset that something is added in, and up to where each of the places has been found to be there. */
function createPlaces(decisions: readonly NewDecision[], assetId: string) {
  const open = new Map<string, { n: number; reached: number; end: number }[]>()
  for (const [n, { assetId: of, at }] of decisions.entries())
    if (at && of === assetId)
      open.set(at.textId, [...(open.get(at.textId) ?? []), { n, reached: at.start, end: at.end }])
  return {
    /** Is told of the pieces of every text in order. */
    see({ id, text, place: { offset = 0 } }: ProposedText): void {
      const places = open.get(id)
      if (!places) return
      for (const place of places)
        if (offset <= place.reached) place.reached = Math.max(place.reached, offset + text.length)
      const left = places.filter(({ reached, end }) => reached < end)
      if (left.length > 0) open.set(id, left)
      else open.delete(id)
    },
    isOpen: () => open.size > 0,
    missing: () => [...open.values()].flatMap(places => places.map(({ n }) => n)),
  }
}

/** Parts of proposals that are read at a time. */
const PARTS_AT_ONCE = 8

/** The lines of what was proposed for an asset, a part after the other; the next ones are read meanwhile. */
async function* partsOf(job: JobRecord, { assetId, parts }: Proposed, key: KeyObject): AsyncGenerator<string[]> {
  for (let at = 0; at < parts; at += PARTS_AT_ONCE) {
    const count = Math.min(PARTS_AT_ONCE, parts - at)
    yield* await Promise.all(Array.from({ length: count }, (_, n) => loadProposals(job, assetId, at + n, key)))
  }
}

/** Looks up what the findings are that decisions are about; refuses those that are not there, and places outside of the texts. */
async function lookUp(job: JobRecord, decisions: readonly NewDecision[]): Promise<(Meant | undefined)[]> {
  const concerned = decisions.flatMap(({ assetId, findingId, at }) => (assetId && (findingId || at) ? [assetId] : []))
  if (concerned.length === 0) return []
  const meant = new Map<string, Meant>()
  const outside = new Set<number>()
  const key = await reviewKey(job.id)
  for (const assetId of new Set(concerned)) {
    const wanted = new Set(decisions.flatMap(one => (one.assetId === assetId ? (one.findingId ?? []) : [])))
    const places = createPlaces(decisions, assetId)
    for await (const row of proposalsOf(job, { only: assetId })) {
      for await (const lines of partsOf(job, row, key)) {
        for (const line of lines) {
          const proposed = JSON.parse(line) as ProposedText | ProposedValue
          for (const { id, value, label } of meantBy(proposed))
            if (wanted.delete(id)) meant.set(`${assetId} ${id}`, { value, label })
          if ('findings' in proposed) places.see(proposed)
        }
        if (wanted.size === 0 && !places.isOpen()) break
      }
    }
    for (const n of places.missing()) outside.add(n)
  }
  const found = decisions.map(({ assetId, findingId }) => meant.get(`${assetId} ${findingId}`))
  const wrong = decisions.flatMap(({ findingId }, n) => {
    if (outside.has(n)) return [unknown(n, 'at', 'The asset has no such text, or it has no such place')]
    return findingId && !found[n] ? [unknown(n, 'findingId')] : []
  })
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
  return found
}

function meantBy(proposed: ProposedText | ProposedValue): (Meant & { id: string })[] {
  if (!('findings' in proposed)) return [proposed]
  return proposed.findings.map(({ id, label, start, end }) => ({ id, label, value: proposed.text.slice(start, end) }))
}

function decisionOf(given: NewDecision, meant: Meant | undefined): Decision {
  const { action, findingId, scope, value, column, filter, at, box, label, ruleId } = given
  const as = { label: label!, ...(ruleId && { ruleId }) }
  if (action === 'add' && box) {
    const { page, ...sides } = box
    return { action, at: { page, box: sides }, ...as }
  }
  if (action === 'add') return { action, at: at ?? { value: value!, ...(column !== undefined && { column }) }, ...as }
  const concerns = (): Concerns => {
    if (filter) return { filter }
    if (value !== undefined) return { value }
    return scope === 'here' ? { id: findingId! } : { value: meant!.value, label: meant!.label }
  }
  return action === 'relabel' ? { action, of: concerns(), ...as } : { action, of: concerns() }
}

/** Refuses boxes on pages of which there is no picture. */
async function checkPages(job: JobRecord, decisions: readonly NewDecision[]): Promise<void> {
  const pages = new Map<string, number>()
  for (const { assetId, box } of decisions)
    if (box && !pages.has(assetId!)) pages.set(assetId!, await pagesOf(job, assetId!))
  for (const [n, { assetId, box }] of decisions.entries())
    if (box && box.page > pages.get(assetId!)!)
      throw new ProblemError({ type: 'page_unknown', loc: ['body', 'decisions', String(n), 'box'] })
}

/** Refuses decisions that name a rule which the job does not have. */
function checkRules(decisions: readonly NewDecision[], plans: readonly PlanOfJob[]): void {
  const known = new Set(plans.flatMap(({ plan }) => plan.rules.map(({ ruleId }) => ruleId)))
  const wrong = decisions.flatMap(({ ruleId }, n) =>
    ruleId !== undefined && !known.has(ruleId)
      ? [
          {
            type: 'rule_not_found' as const,
            msg: 'The job has no such rule',
            loc: ['body', 'decisions', String(n), 'ruleId'],
          },
        ]
      : [],
  )
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
}

/** Values that are put on a list. */
type Remembered = { listId: string; entries: Entry[] }

/** What is put on the lists that decisions name; refuses what the caller may not put there, or what has no room. */
async function findRemembered(
  decisions: readonly NewDecision[],
  meant: readonly (Meant | undefined)[],
  jobId: string,
  user: Caller,
): Promise<Remembered[]> {
  const lists = new Map<string, { value: string; n: number }[]>()
  decisions.forEach(({ rememberIn, value }, n) => {
    if (rememberIn) lists.set(rememberIn, [...(lists.get(rememberIn) ?? []), { value: value ?? meant[n]!.value, n }])
  })
  if (lists.size === 0) return []
  if (!hasPermission(user, 'lists:write'))
    throw new ProblemError({ type: 'permission_denied', msg: 'rememberIn needs the permission lists:write' })
  const told = { until: null, why: `Review of job ${jobId}`, addedAt: new Date().toISOString(), addedBy: user.id }
  const remembered: Remembered[] = []
  for (const [named, values] of lists) {
    const { id: listId } = await findOwned<ListRecord>(LIST, named, user, 'lists')
    const entries = values.map(({ value }) => ({ value, match: 'case' as const, ...told }))
    checkEntries(entries, n => ['body', 'decisions', String(values[n]!.n), 'rememberIn'])
    merged(await readEntries(listId), entries)
    remembered.push({ listId, entries })
  }
  return remembered
}

/** Puts values on lists. */
async function remember(lists: readonly Remembered[]): Promise<void> {
  for (const { listId, entries } of lists) await changeEntries(listId, before => merged(before, entries))
}

/** Takes decisions on a job that waits for its review, after those of others; all or none. */
export async function takeDecisions(
  job: JobRecord,
  { ifVersion, decisions, undo }: Decisions,
  user: Caller,
  write: Transact,
): Promise<JobRecord> {
  requireWaiting(job)
  checkRules(decisions, await plansOf(job))
  await checkPages(job, decisions)
  await checkAssets(job.id, decisions)
  const meant = await lookUp(job, decisions)
  // Whatever is refused is refused before the decisions count.
  const remembered = await findRemembered(decisions, meant, job.id, user)
  const at = new Date().toISOString()
  const taken = decisions.map((given, n): TakenDecision => {
    // What is decided of all of a job that has this value is decided of no asset alone.
    const everywhere = given.findingId !== undefined && given.scope === 'job'
    const named = {
      assetId: everywhere ? null : (given.assetId ?? null),
      ...(given.findingId && { findingId: given.findingId }),
    }
    const round = roundOf(job)
    return { userId: user.id, at, ...named, ...(round > 0 && { round }), decision: decisionOf(given, meant[n]) }
  })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = attempt === 0 ? job : await getJob(job.id)
    const { version } = requireWaiting(current)
    // What they are about was looked up in the proposals that were there.
    if (roundOf(current) !== roundOf(job)) throw new ProblemError({ type: 'review_changed' })
    if (ifVersion !== undefined && ifVersion !== version)
      throw new ProblemError({ type: 'review_changed', loc: ['body', 'ifVersion'] })
    const before = await loadDecisions(current)
    const beyond = undo.findIndex(n => n >= before.length)
    if (beyond >= 0) throw new ProblemError({ type: 'finding_unknown', loc: ['body', 'undo', String(beyond)] })
    if (before.length + taken.length > MAX_DECISIONS_OF_JOB)
      throw new ProblemError({
        type: 'too_big',
        msg: `A job takes at most ${MAX_DECISIONS_OF_JOB} decisions`,
        loc: ['body', 'decisions'],
      })
    const gone = new Set(undo)
    const all = before.map((one, n) => (gone.has(n) ? { ...one, undone: true as const } : one))
    if (await saveDecisions(current, [...all, ...taken], write)) {
      await remember(remembered)
      return getJob(job.id)
    }
  }
  throw new ProblemError({ type: 'review_changed' })
}
