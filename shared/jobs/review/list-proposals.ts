import type { KeyObject } from 'node:crypto'
import { decider, type ProposedText, type ProposedValue } from 'anonymisation-engine'
import * as z from 'zod'
import { Id } from '../../api/common.ts'
import { ProblemError } from '../../api/problems.ts'
import type { PagePicture, ProposalPage, TakenDecision as Shown } from '../../api/reviews.ts'
import { writeCursor } from '../../http/cursor.ts'
import type { Place } from '../../store/ahead.ts'
import { listAssetsNamed } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { planKeyOf } from '../../store/jobs.ts'
import {
  type Kept,
  loadDecisions,
  loadKept,
  loadPage,
  loadProposals,
  type NamedRules,
  type Proposed,
  placeOfRuleNames,
  proposalsAhead,
  proposalsOf,
  reviewKey,
  type TakenDecision,
} from '../../store/reviews.ts'
import { decisionsOn, isLapsed, placedAt, roundsOf } from './decisions-on.ts'
import { requireWaiting } from './review.ts'
import { ruleNamesOf } from './rule-names.ts'

const At = z.tuple([Id, z.coerce.number().int().min(0)])

function readAt(after: string): { assetId: string; part: number } {
  const { data } = At.safeParse(after.split('.'))
  if (!data)
    throw new ProblemError({
      type: 'invalid_format',
      msg: 'Must be the cursor of a page before',
      loc: ['query', 'cursor'],
    })
  return { assetId: data[0], part: data[1] }
}

const startOf = (assetId: string | undefined, after: string | undefined): { assetId: string; part: number } =>
  after === undefined ? { assetId: assetId ?? '', part: 0 } : readAt(after)

/** What a page of proposals reads first. */
export const pageOfProposalsAhead = (
  jobId: string,
  assetId: string | undefined,
  after: string | undefined,
): Place[] => [
  ...proposalsAhead(jobId, { only: assetId, from: startOf(assetId, after).assetId }),
  placeOfRuleNames(jobId),
]

/** A page of what is to be replaced in the assets of a job that waits for its review, with its values. */
export async function listProposals(
  job: JobRecord,
  assetId: string | undefined,
  after: string | undefined,
): Promise<ProposalPage> {
  const { version } = requireWaiting(job)
  const from = startOf(assetId, after)
  const page: ProposalPage = { version, texts: [], values: [], pages: 0, gone: [], cursor: null }
  const key = keyAhead(job.id)
  for await (const row of proposalsOf(job, { only: assetId, from: from.assetId })) {
    const part = row.assetId === from.assetId ? from.part : 0
    if (part >= partsShown(row)) continue
    const shown = await present(job, row, part, key)
    const cursor = writeCursor({ skip: 0, after: `${row.assetId}.${part + 1}` })
    return { ...page, ...shown, pages: row.pages, cursor }
  }
  return page
}

/** Of an asset for which nothing is proposed any more, what is gone is shown all the same. */
const partsShown = ({ parts, gone = 0 }: Proposed): number => (gone > 0 ? Math.max(1, parts) : parts)

/** The key that the values are sealed with, asked for before it is known whether there are any. */
function keyAhead(jobId: string): Promise<KeyObject> {
  const key = reviewKey(jobId)
  key.catch(() => {})
  return key
}

async function present(
  job: JobRecord,
  { assetId, parts }: Proposed,
  part: number,
  key: Promise<KeyObject>,
): Promise<Pick<ProposalPage, 'texts' | 'values' | 'gone'>> {
  const [lines, rules, taken, kept] = await Promise.all([
    part < parts ? loadProposals(job, assetId, part, key) : [],
    rulesOf(job, assetId),
    loadDecisions(job, key),
    loadKept(job, assetId, key),
  ])
  const decide = decider(decisionsOn({ assetId, job, kept }, taken), roundsOf(job, kept))
  const told = (value: string, { id, label, rule, score, reason }: Omit<ProposedValue, 'value' | 'count' | 'rows'>) => {
    const { ruleId, name } = rules[rule]!
    const decision = decide({ id, value, label, score })
    const relabelled = decision?.action === 'relabel' ? decision.label : null
    return { id, label, ruleId, rule: name, score, reason, decision: decision?.action ?? null, relabelled }
  }
  const proposed = lines.map(line => JSON.parse(line) as ProposedText | ProposedValue)
  return {
    texts: proposed.flatMap(one => {
      if (!('findings' in one)) return []
      const { id, place, text, findings } = one
      const shown = findings.map(finding => {
        const { start, end, boxes } = finding
        return { ...told(text.slice(start, end), finding), start, end, ...(boxes && { boxes }) }
      })
      return [{ id, assetId, place, offset: place.offset ?? 0, text, findings: shown }]
    }),
    values: proposed.flatMap(one => {
      if ('findings' in one) return []
      const { value, column = null, count, rows } = one
      return [{ ...told(value, one), assetId, column, value, count, rows }]
    }),
    gone: part > 0 || !kept ? [] : kept.gone.map(({ column = null, ...one }) => ({ ...one, assetId, column })),
  }
}

/** The rules that an asset of a job is worked on with; where there are several snapshots, type and name tell which it is. */
async function rulesOf(job: JobRecord, assetId: string): Promise<NamedRules> {
  const isSure = !job.plan?.length
  const [asset] = isSure ? [] : await listAssetsNamed(job.id, [assetId])
  const [rules] = await ruleNamesOf(job, [isSure ? job.planKey! : planKeyOf(job, asset!)])
  return rules!
}

/** The picture of a page of an asset of a job that waits for its review. */
export async function showPage(job: JobRecord, asked: string | undefined, page: number): Promise<PagePicture> {
  requireWaiting(job)
  const key = keyAhead(job.id)
  for await (const { assetId, pages } of proposalsOf(job, { only: asked })) {
    if (page > pages) break
    return { assetId, ...(await loadPage(job, assetId, page, key)) }
  }
  throw new ProblemError({ type: 'page_unknown', loc: ['query', 'page'] })
}

/** All decisions on a job that waits for its review, as they are shown. */
export async function listDecisions(job: JobRecord): Promise<Shown[]> {
  // No key is asked for where nothing is sealed.
  if (!job.review?.decisions) return []
  const key = keyAhead(job.id)
  const taken = await loadDecisions(job, key)
  const added = taken.flatMap(({ assetId, decision }) => (assetId && placedAt(decision) ? assetId : []))
  const kept = new Map<string | null, Kept | undefined>()
  for (const assetId of new Set(added)) kept.set(assetId, await loadKept(job, assetId, key))
  return presentDecisions(job, taken, kept)
}

/** Decisions as they are shown, with the values that they are about. */
const presentDecisions = (
  job: JobRecord,
  taken: readonly TakenDecision[],
  kept: ReadonlyMap<string | null, Kept | undefined>,
): Shown[] =>
  taken.map((one, n) => {
    const { userId, at, assetId, findingId = null, undone = false, decision } = one
    const about = decision.action === 'add' ? decision.at : decision.of
    const value = 'value' in about ? about.value : null
    const place = 'textId' in about ? about : null
    const box = 'box' in about ? { page: about.page, ...about.box } : null
    const label = 'label' in decision ? decision.label : null
    const lapsed = isLapsed({ ...one, n }, job, kept.get(assetId))
    return { n, userId, at, action: decision.action, assetId, findingId, value, place, box, label, undone, lapsed }
  })
