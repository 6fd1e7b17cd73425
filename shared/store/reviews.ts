import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Decision, ProposedPage } from 'anonymisation-engine'
import type { Place } from './ahead.ts'
import {
  beginQuery,
  getItem,
  getItems,
  type Item,
  putItem,
  queryItems,
  setting,
  type Transact,
  transact,
  type Write,
} from './dynamo.ts'
import { type EngineFacts, nameOfEngine } from './evidence.ts'
import type { JobRecord } from './job-record.ts'
import { type Begun, JOB, whileRunning } from './jobs.ts'
import { deriveSecret } from './keys.ts'
import { deleteObjects, isMissing, putObject, readWhole } from './objects.ts'
import { keyOf } from './records.ts'
import type { ReviewRecord } from './review-record.ts'

/** A decision as it was taken: by whom, about which asset (all of them when null), and whether it still counts. */
export type TakenDecision = {
  userId: string
  at: string
  assetId: string | null
  findingId?: string
  undone?: true
  /** The round of proposals that it was taken on, unless that was the first. */
  round?: number
  decision: Decision
}

/**
 * What was proposed for an asset: so many sealed files of texts or values, and of pictures of its pages; `engines`: the names
 * of those that it was proposed by, unknown in older ones; `gone`: how much is gone since the round before.
 */
export type Proposed = { assetId: string; parts: number; pages: number; engines?: string[]; gone?: number }

/** A row of the job, written once. */
type ProposalRow = Item & Proposed

/** Which decisions of before hold for an asset that was proposed for anew. Holds content. */
export type Kept = {
  /** Findings that are proposed with the same value and label as before, and the number of the decision that counted for them. */
  held: [id: string, n: number][]
  /** Numbers of the decisions that add a place or a box which is still there. */
  additions: number[]
  /** What was to be replaced and is not proposed any more; the first of them. */
  gone: { value: string; label: string; column?: string }[]
}

/** A job and the round of its proposals: those of each round have names of their own, so nothing late is taken for them. */
export type Reviewed = Pick<JobRecord, 'id' | 'review'>

/** The round of the proposals of a job, from 0. */
export const roundOf = ({ review }: Pick<JobRecord, 'review'>): number => review?.round ?? 0

/** A name in a round of proposals. */
export const inRound = (job: Pick<JobRecord, 'review'>, name: string): string =>
  roundOf(job) === 0 ? name : `${name}.${roundOf(job)}`

const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Everything that a review holds of values lies here, and goes with its end. */
const folderOf = (jobId: string) => `${jobId}/review/`
const objectOf = (jobId: string, name: string) => ({ bucket: 'results' as const, key: folderOf(jobId) + name })

const proposalsName = (job: Reviewed, assetId: string, part: number) =>
  `${inRound(job, 'proposals')}-${assetId}-${part}`

/** The key that values under review are sealed with: only functions that may ask KMS for it can open them. */
export const reviewKey = (jobId: string): Promise<KeyObject> => deriveSecret(`review:${jobId}`)

type Key = KeyObject | Promise<KeyObject>

async function seal(jobId: string, name: string, text: string, key: KeyObject): Promise<void> {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(`${jobId}/${name}`))
  const sealed = Buffer.concat([iv, cipher.update(gzipSync(text)), cipher.final(), cipher.getAuthTag()])
  await putObject(objectOf(jobId, name), sealed, 'application/octet-stream')
}

/** Opens what was sealed, which is read while its key is derived. */
async function open(jobId: string, name: string, deriving: Key): Promise<string> {
  const [sealed, key] = await Promise.all([readWhole(objectOf(jobId, name)), deriving])
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES)).setAAD(Buffer.from(`${jobId}/${name}`))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  return gunzipSync(text).toString()
}

/** Keeps some lines of what was proposed for an asset, sealed. */
export const saveProposals = (job: Reviewed, assetId: string, part: number, lines: string[], key: KeyObject) =>
  seal(job.id, proposalsName(job, assetId, part), lines.join('\n'), key)

/** The lines of one part of what was proposed for an asset. */
export const loadProposals = async (job: Reviewed, assetId: string, part: number, key: Key): Promise<string[]> =>
  (await open(job.id, proposalsName(job, assetId, part), key)).split('\n')

const chunkName = (job: Reviewed, assetId: string, n: number) => `${inRound(job, 'chunk')}-${assetId}-${n}`

/** Keeps what was proposed for one chunk of an asset, sealed. */
export const saveChunkProposals = (job: Reviewed, assetId: string, n: number, lines: string, key: KeyObject) =>
  seal(job.id, chunkName(job, assetId, n), lines, key)

/** What was proposed for one chunk of an asset. */
export const loadChunkProposals = (job: Reviewed, assetId: string, n: number, key: KeyObject): Promise<string> =>
  open(job.id, chunkName(job, assetId, n), key)

const keptName = (job: Reviewed, assetId: string) => `${inRound(job, 'kept')}-${assetId}`

/** Keeps which decisions of before hold for an asset, sealed. */
export const saveKept = (job: Reviewed, assetId: string, kept: Kept, key: KeyObject) =>
  seal(job.id, keptName(job, assetId), JSON.stringify(kept), key)

/** Which decisions of before hold for an asset; undefined in the first round, and of one for which nothing was proposed. */
export async function loadKept(job: Reviewed, assetId: string, key: Key): Promise<Kept | undefined> {
  if (roundOf(job) === 0) return undefined
  try {
    return JSON.parse(await open(job.id, keptName(job, assetId), key)) as Kept
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const pageName = (job: Reviewed, assetId: string, page: number) => `${inRound(job, 'page')}-${assetId}-${page}`

/** Keeps the picture of a page of an asset, sealed. */
export const savePage = (job: Reviewed, assetId: string, page: ProposedPage, key: KeyObject) =>
  seal(job.id, pageName(job, assetId, page.page), JSON.stringify(page), key)

/** The picture of a page of an asset, which has been kept. */
export const loadPage = async (job: Reviewed, assetId: string, page: number, key: Key): Promise<ProposedPage> =>
  JSON.parse(await open(job.id, pageName(job, assetId, page), key)) as ProposedPage

const rowPrefix = (job: Reviewed) => `${inRound(job, 'PROPOSALS')}#`
const rowKey = (job: Reviewed, assetId: string) => ({ pk: keyOf(JOB, job.id).pk, sk: rowPrefix(job) + assetId })

/** The rules of a snapshot in its order, as they are called. */
export type NamedRules = { ruleId: string; name: string }[]

const namesKey = (jobId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: 'RULE-NAMES' })

/** Where the names of the rules of a job under review stand. */
export const placeOfRuleNames = (jobId: string): Place => ({ table: 'jobs', key: namesKey(jobId) })

/** Longest names that are kept, characters: a row holds 400 KB. */
const LONGEST_NAMES = 100_000

/** Keeps the names of the rules of the snapshots that a job under review runs with, by their keys, unless they are very long. */
export async function saveRuleNames(jobId: string, names: Record<string, NamedRules>): Promise<void> {
  if (JSON.stringify(names).length <= LONGEST_NAMES) await putItem('jobs', { ...namesKey(jobId), names })
}

/** The names of the rules of the snapshots that were kept; none of jobs of older versions. */
export const findRuleNames = async (jobId: string): Promise<Readonly<Record<string, NamedRules | undefined>>> =>
  (await getItem<Item & { names: Record<string, NamedRules> }>('jobs', namesKey(jobId)))?.names ?? {}

/**
 * Counts an asset for which all is proposed, with what is gone since the round before, once, and only while this round of the
 * review of the job as it was begun is prepared.
 */
export function recordProposals(
  job: Begun & Reviewed,
  assetId: string,
  made: Omit<Proposed, 'assetId'>,
): Promise<boolean> {
  const { condition, names, values } = whileRunning(job)
  return transact([
    {
      table: 'jobs',
      put: { ...rowKey(job, assetId), assetId, ...made },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    {
      table: 'jobs',
      update: keyOf(JOB, job.id),
      change: {
        update: 'ADD proposed :one, gone :gone SET heartbeatAt = :now',
        condition: `${condition} AND #review.#state = :preparing AND ${sameRound(job)}`,
        names: { ...names, '#review': 'review', '#state': 'state', '#round': 'round' },
        values: {
          ...values,
          ...(roundOf(job) > 0 && { ':round': roundOf(job) }),
          ':one': 1,
          ':gone': made.gone ?? 0,
          ':now': new Date().toISOString(),
          ':preparing': 'preparing',
        },
      },
    },
  ])
}

const sameRound = (job: Reviewed): string =>
  roundOf(job) === 0 ? 'attribute_not_exists(#review.#round)' : '#review.#round = :round'

/** Which of the assets have proposals already. */
export async function assetsWithProposals(job: Reviewed, assetIds: string[]): Promise<Set<string>> {
  const rows = await getItems<ProposalRow>(
    'jobs',
    assetIds.map(id => rowKey(job, id)),
  )
  return new Set(rows.map(({ assetId }) => assetId))
}

/** Whether what was proposed was proposed by an engine, and by no other. */
export const isProposedBy = ({ engines = [] }: Pick<Proposed, 'engines'>, engine: EngineFacts): boolean =>
  engines.length > 0 && engines.every(name => name === nameOfEngine(engine))

/** How many pages of an asset were drawn. */
export async function pagesOf(job: Reviewed, assetId: string): Promise<number> {
  return (await findProposals(job, assetId))?.pages ?? 0
}

// Jobs that began to wait before pages were drawn have none.
const proposedOf = (row: ProposalRow): Proposed => ({ ...row, pages: row.pages ?? 0 })

/** What was proposed for an asset; undefined where nothing was. */
export async function findProposals(job: Reviewed, assetId: string): Promise<Proposed | undefined> {
  const row = await getItem<ProposalRow>('jobs', rowKey(job, assetId))
  return row && proposedOf(row)
}

const partitionFrom = (job: Reviewed, assetId: string) => ({
  table: 'jobs' as const,
  key: keyOf(JOB, job.id).pk,
  from: rowPrefix(job) + assetId,
})

/** The assets of a job for which something was proposed, with the number of their files: one, or those from one on. */
export async function* proposalsOf(
  job: Reviewed,
  { only, from = '' }: { only?: string; from?: string } = {},
): AsyncGenerator<Proposed> {
  const found = only === undefined ? undefined : await findProposals(job, only)
  if (found) yield found
  if (only !== undefined) return
  for await (const row of queryItems<ProposalRow>(partitionFrom(job, from))) {
    if (!row.sk.startsWith(rowPrefix(job))) return
    yield proposedOf(row)
  }
}

/** Where it stands what was proposed first for an asset; for those from one on it is begun to be read. */
export function proposalsAhead(id: string, { only, from = '' }: { only?: string; from?: string }): Place[] {
  if (only !== undefined) return [{ table: 'jobs', key: rowKey({ id }, only) }]
  beginQuery(partitionFrom({ id }, from), 2)
  return []
}

/** All decisions that were taken on a job, in order. */
export async function loadDecisions({ id, review }: Reviewed, key?: Key): Promise<TakenDecision[]> {
  if (!review?.decisions) return []
  return JSON.parse(await open(id, review.decisions, key ?? reviewKey(id))) as TakenDecision[]
}

/**
 * Puts decisions in the place of those of a version; false if others have changed them since. Whoever had released the job
 * has to do so again.
 */
export async function saveDecisions(job: JobRecord, decisions: TakenDecision[], write: Transact): Promise<boolean> {
  const { id, review } = job
  const name = `decisions-${randomBytes(8).toString('hex')}`
  await seal(id, name, JSON.stringify(decisions), await reviewKey(id))
  const after = { ...review!, decisions: name, approvals: [], version: review!.version + 1 }
  const changed = await changeReview(job, after, {}, write)
  // Those before stay until the review ends: somebody may be reading them.
  if (!changed) await deleteObjects('results', objectOf(id, name).key)
  return changed
}

/** Changes the review of a job that runs, with other fields and writes, if nobody has changed it since it was read. */
export function changeReview(
  { id, review }: JobRecord,
  changed: ReviewRecord,
  others: { changes?: Partial<JobRecord>; with?: Write[] } = {},
  write: Transact = transact,
): Promise<boolean> {
  const updatedAt = new Date().toISOString()
  const { update, names, values } = setting({
    ...others.changes,
    review: { ...changed, changes: review!.changes + 1 },
    updatedAt,
  })
  return write([
    {
      table: 'jobs',
      update: keyOf(JOB, id),
      change: {
        update,
        condition: '#status = :running AND #review.#changes = :before',
        names: { ...names, '#status': 'status', '#review': 'review', '#changes': 'changes' },
        values: { ...values, ':before': review!.changes, ':running': 'IN_PROGRESS' },
      },
    },
    ...(others.with ?? []),
  ])
}

/**
 * Whether nothing is to be made for a job by what is known of its review: before its release there are only proposals, and after
 * a rejection or the end of its time there is nothing. What is only looked at is never reviewed.
 */
export const isHeldBack = ({ mode, review }: Pick<JobRecord, 'mode' | 'review'>): boolean =>
  mode !== 'INSPECT' && review != null && review.state !== 'preparing' && review.state !== 'released'

/** Removes all values that a review held. */
export const eraseReview = (jobId: string): Promise<void> => deleteObjects('results', folderOf(jobId))
