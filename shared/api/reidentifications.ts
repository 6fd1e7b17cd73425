import * as z from 'zod'
import { Id, ListQuery, listBody, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

/** Most tokens that one request may open. */
export const MAX_TOKENS = 1000
/** Most characters of all tokens of a request, so that its record stays within what DynamoDB takes. */
const MAX_TOKEN_TEXT = 200_000
/** How long the opening of an approved request stays possible in an emergency, minutes. */
export const EMERGENCY_MINUTES = 15
/** Openings of one user in a minute. */
export const OPENINGS_PER_MINUTE = 60

const Purpose = z.enum([
  'care',
  'legal_obligation',
  'data_subject_request',
  'safety',
  'investigation',
  'quality',
  'research',
  'other',
])

const Kinds = z
  .array(upTo(32).regex(/^[A-Z0-9_]+$/, 'must be capitals, digits and underscores'))
  .min(1)
  .max(100)

const words = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most, { abort: true })
    .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')

export const NewReidentification = z
  .strictObject({
    purpose: Purpose,
    reason: words(1000).describe('In words; never the values themselves'),
    legalBasis: words(200).optional().describe('Such as `GDPR Art. 6(1)(c)`'),
    ticket: words(100).optional().describe('Where else it is on record'),
    tokens: z
      .array(upTo(10_000).min(1))
      .min(1)
      .max(MAX_TOKENS)
      .refine(tokens => tokens.reduce((sum, { length }) => sum + length, 0) <= MAX_TOKEN_TEXT, 'is too long in all')
      .optional()
      .describe(
        'Tokens whose values are requested. Those of the scopes `job` and `document` also need `jobId` or `assetId`',
      ),
    encrypted: z
      .strictObject({
        ruleId: Id,
        label: Kinds.element
          .optional()
          .describe('What the model calls them, where the rule is of one and says no `as`'),
        values: z.array(upTo(1000).min(1)).min(1).max(MAX_TOKENS),
      })
      .refine(({ values }) => values.reduce((sum, { length }) => sum + length, 0) <= MAX_TOKEN_TEXT, {
        message: 'is too long in all',
        path: ['values'],
      })
      .optional()
      .describe(
        'Values as an `fpe` rule of the job has made them. They need the `jobId`, and of the scope `document` the `assetId`. ' +
          'A value that the rule has not made becomes one that never was there: nothing tells it apart',
      ),
    jobId: Id.optional().describe('The job whose outputs are to be restored, or whose tokens these are'),
    assetId: Id.optional().describe('The output that is to be restored, or whose tokens these are'),
    labels: Kinds.optional().describe(
      'Kinds of values that are requested, as at the beginning of tokens; all by default',
    ),
    expiresIn: z
      .int()
      .min(60)
      .max(30 * 24 * 3600)
      .default(24 * 3600)
      .describe('Seconds in which it must be decided'),
    emergency: z
      .boolean()
      .default(false)
      .describe(
        `One approval is enough, and both must hold \`tokens:emergency\`; open for ${EMERGENCY_MINUTES} minutes, with an alarm`,
      ),
  })
  .refine(({ tokens, encrypted }) => !(tokens && encrypted), {
    message: 'ask for tokens or for encrypted values',
    path: ['encrypted'],
  })
  .refine(({ encrypted, jobId, assetId }) => !encrypted || jobId || assetId, {
    message: 'must name the job of encrypted values, or an asset',
    path: ['jobId'],
  })
  .refine(({ tokens, jobId, assetId }) => tokens || jobId || assetId, {
    message: 'must name tokens, a job or an asset',
    path: ['tokens'],
  })
  .refine(({ jobId, assetId }) => !(jobId && assetId), {
    message: 'an asset belongs to one job: name either',
    path: ['jobId'],
  })
  .meta({
    id: 'NewReidentification',
    examples: [{ purpose: 'care', reason: 'The patient of the study is to be called', tokens: ['PERSON~2400…'] }],
  })
export type NewReidentification = z.infer<typeof NewReidentification>

export const Reidentification = z
  .object({
    id: Id,
    ownerId: Id.describe('Who asks'),
    dataOwnerId: Id.describe('Whose values they are'),
    status: z.enum(['PENDING', 'APPROVED', 'REJECTED', 'OPENED', 'EXPIRED']),
    purpose: Purpose,
    reason: z.string(),
    legalBasis: z.string().nullable(),
    ticket: z.string().nullable(),
    tokenCount: z.int().nullable().describe('Of tokens or encrypted values; null where files are to be restored'),
    jobId: Id.nullable(),
    assetId: Id.nullable(),
    labels: z
      .array(z.string())
      .nullable()
      .describe('Kinds that are asked for, and once approved those that were; null for all'),
    emergency: z.boolean(),
    fingerprint: z.string().describe('Keyed digest of what is asked for, as the audit trail names it'),
    approvals: z.array(z.object({ userId: Id, at: Timestamp })),
    approvalsNeeded: z.int(),
    rejectedBy: Id.nullable(),
    expiresAt: Timestamp.describe('Until when it must be decided; once approved, until when it must be opened'),
    openedAt: Timestamp.nullable(),
    restoredJobId: Id.nullable().describe('The job that restores the files'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Reidentification' })
export type Reidentification = z.infer<typeof Reidentification>

export const Opened = z
  .object({
    request: Reidentification,
    values: z
      .array(z.object({ token: z.string().describe('As it was asked for'), value: z.string().nullable() }))
      .describe('In the order of the request; null for whatever is no token of this owner, kind and place'),
  })
  .meta({ id: 'Opened' })

export const reidentifications = {
  create: {
    route: 'POST /reidentifications/',
    access: 'tokens:request',
    extension: true,
    summary: 'Request the values of tokens, or files with their values restored',
    body: NewReidentification,
    reply: Reidentification,
    problems: ['nothing_reversible', 'not_found'],
  },
  list: {
    route: 'POST /reidentifications/list',
    access: 'tokens:read',
    extension: true,
    audited: false,
    summary: 'List requests',
    description: 'Own ones; everybody’s with `tokens:approve` or `tokens:any`.',
    query: ListQuery,
    body: listBody(['status'], ['status', 'createdAt', 'updatedAt']),
    reply: z.array(Reidentification),
  },
  get: {
    route: 'GET /reidentifications/{reidentification_id}',
    access: 'tokens:read',
    extension: true,
    summary: 'Show a request',
    reply: Reidentification,
  },
  approve: {
    route: 'POST /reidentifications/{reidentification_id}/approve',
    access: 'tokens:approve',
    fresh: true,
    extension: true,
    summary: 'Approve the request of somebody else',
    description: 'With `labels` only these kinds of values are approved.',
    body: z.strictObject({ labels: Kinds.optional() }),
    reply: Reidentification,
    problems: ['own_request', 'already_decided'],
  },
  reject: {
    route: 'POST /reidentifications/{reidentification_id}/reject',
    access: 'tokens:approve',
    extension: true,
    summary: 'Reject the request of somebody else',
    reply: Reidentification,
    problems: ['own_request', 'already_decided'],
  },
  open: {
    route: 'POST /reidentifications/{reidentification_id}/open',
    access: 'tokens:request',
    fresh: true,
    extension: true,
    summary: 'Open your own approved request, once',
    description:
      'Answers the values of tokens; for files a job starts that restores them, whose results are fetched like those of any other.',
    reply: Opened,
    secretReply: true,
    problems: ['not_approved', 'nothing_reversible', 'rate_limited'],
  },
} as const satisfies Resource
