import type { Concerns, Decision, ProposedText, ProposedValue } from 'anonymisation-engine'
import { ProblemError } from '../../api/problems.ts'
import { type Decisions, MAX_DECISIONS_OF_JOB, type NewDecision } from '../../api/reviews.ts'
import { findOwned } from '../../http/authorise.ts'
import { type Caller, hasPermission } from '../../http/caller.ts'
import { checkEntries, merged } from '../../rules/lists.ts'
import type { Transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { getJob, type PlanOfJob, plansOf } from '../../store/jobs.ts'
import {
  loadDecisions,
  loadProposals,
  pagesOf,
  proposalsOf,
  reviewKey,
  saveDecisions,
  type TakenDecision,
} from '../../store/reviews.ts'
import { changeEntries, LIST, type ListRecord } from '../../store/value-lists.ts'
import { requireWaiting } from './review.ts'

/** How often decisions are taken anew that others come before. */
const ATTEMPTS = 10

/** What a finding that is decided on is. */
type Meant = { value: string; label: string }

const unknown = (n: number) =>
  new ProblemError({ type: 'finding_unknown', loc: ['body', 'decisions', String(n), 'findingId'] })

/** Looks up what findings of a job are. */
async function lookUp(jobId: string, asked: { assetId: string; id: string; n: number }[]): Promise<Map<string, Meant>> {
  const meant = new Map<string, Meant>()
  const key = await reviewKey(jobId)
  for (const assetId of new Set(asked.map(one => one.assetId))) {
    const wanted = new Set(asked.filter(one => one.assetId === assetId).map(({ id }) => id))
    for await (const row of proposalsOf(jobId, { only: assetId })) {
      for (let part = 0; part < row.parts && wanted.size > 0; part++)
        for (const line of await loadProposals(jobId, assetId, part, key))
          for (const { id, value, label } of meantBy(line))
            if (wanted.delete(id)) meant.set(`${assetId} ${id}`, { value, label })
    }
  }
  for (const { assetId, id, n } of asked) if (!meant.has(`${assetId} ${id}`)) throw unknown(n)
  return meant
}

function meantBy(line: string): (Meant & { id: string })[] {
  const proposed = JSON.parse(line) as ProposedText | ProposedValue
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
async function checkPages(jobId: string, decisions: readonly NewDecision[]): Promise<void> {
  const pages = new Map<string, number>()
  for (const { assetId, box } of decisions)
    if (box && !pages.has(assetId!)) pages.set(assetId!, await pagesOf(jobId, assetId!))
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

/** Puts values on the lists that decisions name. */
async function remember(decisions: readonly NewDecision[], meant: (Meant | undefined)[], jobId: string, user: Caller) {
  const lists = new Map<string, { value: string; n: number }[]>()
  decisions.forEach(({ rememberIn, value }, n) => {
    if (rememberIn) lists.set(rememberIn, [...(lists.get(rememberIn) ?? []), { value: value ?? meant[n]!.value, n }])
  })
  if (lists.size === 0) return
  if (!hasPermission(user, 'lists:write'))
    throw new ProblemError({ type: 'permission_denied', msg: 'rememberIn needs the permission lists:write' })
  const addedAt = new Date().toISOString()
  for (const [listId, values] of lists) {
    const { id } = await findOwned<ListRecord>(LIST, listId, user, 'lists')
    const entries = values.map(({ value }) => ({ value, match: 'case' as const }))
    checkEntries(entries, n => ['body', 'decisions', String(values[n]!.n), 'rememberIn'])
    const told = { until: null, why: `Review of job ${jobId}`, addedAt, addedBy: user.id }
    await changeEntries(id, before =>
      merged(
        before,
        entries.map(entry => ({ ...entry, ...told })),
      ),
    )
  }
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
  await checkPages(job.id, decisions)
  const asked = decisions.flatMap(({ findingId: id, assetId }, n) => (id && assetId ? [{ assetId, id, n }] : []))
  const known = asked.length > 0 ? await lookUp(job.id, asked) : new Map<string, Meant>()
  const meant = decisions.map(({ findingId, assetId }) => known.get(`${assetId} ${findingId}`))
  const at = new Date().toISOString()
  const taken = decisions.map((given, n): TakenDecision => {
    // What is decided of all of a job that has this value is decided of no asset alone.
    const everywhere = given.findingId !== undefined && given.scope === 'job'
    const named = {
      assetId: everywhere ? null : (given.assetId ?? null),
      ...(given.findingId && { findingId: given.findingId }),
    }
    return { userId: user.id, at, ...named, decision: decisionOf(given, meant[n]) }
  })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = attempt === 0 ? job : await getJob(job.id)
    const { version } = requireWaiting(current)
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
      await remember(decisions, meant, job.id, user)
      return getJob(job.id)
    }
  }
  throw new ProblemError({ type: 'review_changed' })
}
