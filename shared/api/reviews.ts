import * as z from 'zod'
import { AssetKind } from './assets.ts'
import { Id, ListQuery, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { FindingPlace } from './findings.ts'
import { Reason } from './rules.ts'

/** Most decisions of one request, and of one job. */
export const MAX_DECISIONS = 1000
export const MAX_DECISIONS_OF_JOB = 20_000

export const NewReview = z
  .strictObject({
    approvers: z.int().min(1).max(2).default(1).describe('How many different persons must release the job'),
    expiresInDays: z.int().min(1).max(14).default(7).describe('Days after which a job that waits fails'),
  })
  .meta({ id: 'NewReview' })
export type NewReview = z.infer<typeof NewReview>

export const ReviewState = z.enum(['requested', 'preparing', 'waiting', 'releasing', 'released', 'rejected', 'expired'])
export type ReviewState = z.infer<typeof ReviewState>

export const Review = z
  .object({
    state: ReviewState.describe(
      '`waiting`: proposals can be read and decided on; nothing is replaced before the job is released. `releasing`: it goes on unless the program or a model has changed since the proposals; then everything is proposed anew, and the job waits again',
    ),
    approvers: z.int(),
    expiresInDays: z.int(),
    deadline: Timestamp.nullable().describe('Of a job that waits: when it fails'),
    version: z.int().describe('Changes with every decision, and whenever everything is proposed anew'),
    approvals: z
      .array(z.object({ userId: Id, at: Timestamp }))
      .describe('Who has released it; a decision that comes later takes all of them back'),
    round: z
      .int()
      .describe(
        'How often everything was proposed anew because the program or a model had changed. Decisions of before count where the same value is proposed at the same place again; all else is undecided',
      ),
    gone: z
      .int()
      .describe(
        'How much that was to be replaced before is not proposed any more, and stays as it is unless it is added: see `gone` of the proposals, and decisions that are `lapsed`',
      ),
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

const Person = z.object({ id: Id, name: z.string().nullable().describe('Null of somebody who was deleted') })

export const WaitingJob = z
  .object({
    id: Id,
    name: z.string(),
    owner: Person,
    assetCount: z.int(),
    startedAt: Timestamp.nullable(),
    review: Review,
  })
  .meta({ id: 'WaitingJob' })
export type WaitingJob = z.infer<typeof WaitingJob>

export const JobUnderReview = z
  .object({
    ...WaitingJob.shape,
    people: z.array(Person).describe('Who has released it or decided on it'),
    assets: z.array(z.object({ id: Id, name: z.string(), type: AssetKind })).describe('The first 1,000'),
    rules: z.array(z.object({ ruleId: Id, name: z.string() })).describe('For `ruleId` of decisions'),
  })
  .meta({ id: 'JobUnderReview' })
export type JobUnderReview = z.infer<typeof JobUnderReview>

const Label = upTo(100).regex(/^[\p{L}\p{N}_ -]+$/u, 'must be letters, digits, spaces, - and _')
const score = z.number().min(0).max(1).optional()
const FindingId = upTo(60).regex(/^[\w.-]+$/, 'must be the id of a finding')
const Value = upTo(500).min(1)
const At = z.strictObject({ textId: FindingId, start: z.int().min(0), end: z.int().min(1) })

const share = z.number().min(0).max(1)
const Box = z
  .strictObject({ left: share, top: share, right: share, bottom: share })
  .describe('A rectangle on a page as it is shown, from the top left: shares of its width and its height')
  .meta({ id: 'Box' })
const BoxOnPage = z.strictObject({ page: z.int().min(1), ...Box.shape })

export const NewDecision = z
  .strictObject({
    action: z.enum(['accept', 'reject', 'relabel', 'add']),
    assetId: Id.optional().describe('The asset that it is about; by default all of the job'),
    findingId: FindingId.optional().describe('One finding, or one value of a column; with `assetId`'),
    scope: z
      .enum(['here', 'asset', 'job'])
      .default('here')
      .describe('Of one finding: whether all that have its value and label are decided on with it'),
    value: Value.optional().describe('All with this value; for `add`, the value to replace wherever it occurs'),
    column: upTo(200).optional().describe('For `add` of a value in tables: the only column that it is meant in'),
    filter: z
      .strictObject({ label: upTo(200).optional(), minScore: score, maxScore: score })
      .optional()
      .describe('All findings that are like that; with `{}` all'),
    at: At.refine(({ start, end }) => start < end, { message: 'must end behind its start', path: ['end'] })
      .optional()
      .describe('For `add`: a place of one text of a document (UTF-16 code units); with `assetId`'),
    box: BoxOnPage.refine(({ left, right, top, bottom }) => left < right && top < bottom, {
      message: 'must be wider and higher than nothing',
    })
      .optional()
      .describe('For `add`: a box on a page of which there is a picture; with `assetId`'),
    label: Label.optional().describe('For `relabel` and `add`: the label'),
    ruleId: Id.optional().describe(
      'For `relabel` and `add`: the rule of the job that replaces it; its own, or the first',
    ),
    rememberIn: Id.optional().describe('A list that the value is put on, for the jobs to come'),
  })
  .check(ctx => {
    const { action, assetId, findingId, value, filter, at, box, label, column, rememberIn } = ctx.value
    const wrong = (path: string, message: string) =>
      void ctx.issues.push({ code: 'custom', path: [path], message, input: ctx.value })
    const given = [findingId, value, filter, at, box].filter(one => one !== undefined).length
    if (given !== 1) wrong('action', 'must be about one of findingId, value, filter, at and box')
    if (action === 'add' && (findingId !== undefined || filter)) wrong('action', 'adds a value, a place or a box')
    if (at && action !== 'add') wrong('at', 'is for what is added')
    if (box && action !== 'add') wrong('box', 'is for what is added')
    if (column !== undefined && (action !== 'add' || value === undefined))
      wrong('column', 'is for a value that is added')
    if ((findingId || at || box) && !assetId) wrong('assetId', 'is required with findingId, at and box')
    if ((action === 'relabel' || action === 'add') !== (label !== undefined)) wrong('label', `does not fit ${action}`)
    if (rememberIn && !findingId && !value) wrong('rememberIn', 'needs findingId or value')
  })
  .meta({ id: 'NewDecision' })
export type NewDecision = z.infer<typeof NewDecision>

export const Decisions = z
  .strictObject({
    ifVersion: z.int().min(0).optional().describe('The version that the caller has seen: with another nothing is done'),
    decisions: z.array(NewDecision).max(MAX_DECISIONS).default([]),
    undo: z.array(z.int().min(0)).max(MAX_DECISIONS).default([]).describe('Numbers of decisions that no longer count'),
  })
  .meta({ examples: [{ decisions: [{ action: 'accept', filter: { label: 'EMAIL' } }] }] })
export type Decisions = z.infer<typeof Decisions>

export const TakenDecision = z
  .object({
    n: z.int().describe('Its number, from 0'),
    userId: Id,
    at: Timestamp,
    action: z.enum(['accept', 'reject', 'relabel', 'add']),
    assetId: Id.nullable(),
    findingId: z.string().nullable(),
    value: z.string().nullable(),
    place: At.nullable().describe('Of what was added at one place'),
    box: BoxOnPage.nullable().describe('Of what was added by a box'),
    label: z.string().nullable(),
    undone: z.boolean(),
    lapsed: z.boolean().describe('Of what was added at one place or by a box: that is not there any more'),
  })
  .meta({ id: 'TakenDecision' })
export type TakenDecision = z.infer<typeof TakenDecision>

const Proposed = {
  id: z.string(),
  label: z.string(),
  ruleId: Id,
  rule: z.string(),
  score: z.number(),
  reason: Reason,
  decision: z.enum(['accept', 'reject', 'relabel']).nullable().describe('The last one that concerns it'),
  relabelled: z.string().nullable().describe('What `relabel` calls it'),
}

export const ProposalPage = z
  .object({
    version: z.int(),
    texts: z
      .array(
        z.object({
          id: z.string().describe('For `at` of what is added'),
          assetId: Id,
          place: FindingPlace,
          offset: z.int().describe('Characters of the whole text before this piece of it'),
          text: z.string(),
          findings: z.array(
            z.object({
              ...Proposed,
              start: z.int(),
              end: z.int(),
              boxes: z.array(Box).optional().describe('Where it stands on its page, a box for each line'),
            }),
          ),
        }),
      )
      .describe('Of documents: every text that is seen, and hidden ones in which something was found'),
    values: z
      .array(
        z.object({
          ...Proposed,
          assetId: Id,
          column: z.string().nullable(),
          value: z.string(),
          count: z.int(),
          rows: z.array(z.int()).describe('Some rows that contain it, from 1'),
        }),
      )
      .describe('Of tables: each distinct value of a column once, at most 10,000 of a column'),
    pages: z.int().describe('Pages of the asset of which there are pictures'),
    gone: z
      .array(z.object({ assetId: Id, value: z.string(), label: z.string(), column: z.string().nullable() }))
      .describe(
        'On the first page of an asset that was proposed for anew: what was to be replaced before and is not proposed any more; at most 1,000, with 262,144 characters in all',
      ),
    cursor: z.string().nullable(),
  })
  .meta({ id: 'ProposalPage' })
export type ProposalPage = z.infer<typeof ProposalPage>

export const PagePicture = z
  .object({
    assetId: Id,
    page: z.int(),
    width: z.int().describe('Pixels'),
    height: z.int(),
    picture: z.string().describe('A JPEG, in base64'),
  })
  .meta({ id: 'PagePicture' })
export type PagePicture = z.infer<typeof PagePicture>

export const reviews = {
  list: {
    route: 'GET /reviews/',
    access: 'jobs:review',
    extension: true,
    summary: 'List the jobs of everybody that wait for their review, those first whose time ends first',
    query: ListQuery,
    reply: z.array(WaitingJob),
  },
} as const satisfies Resource
