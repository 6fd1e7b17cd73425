import * as z from 'zod'
import { Id, ListQuery, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

/** Chains that the entries are spread over, so that many calls may be recorded at the same moment. */
export const AUDIT_SHARDS = 16

const Day = upTo(10)
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-20')
  .meta({ format: 'date' })
const Signature = z.string().nullable().default(null)
const Digest = z.string().describe('SHA-256, hexadecimal')

export const AuditEntry = z
  .object({
    shard: z.int().describe('Chain that the entry belongs to'),
    seq: z.int().describe('Number of the entry in its chain, counted from 1'),
    at: Timestamp,
    requestId: z.string(),
    userId: Id.nullable().describe('The user or service account; null if nobody was authenticated'),
    operation: z.string().describe('What: `POST /rules/`'),
    recordId: Id.nullable().describe('To which record'),
    address: z.string().describe('From where'),
    outcome: z.enum(['done', 'repeated', 'refused', 'failed']),
    status: z.int(),
    problem: z.string().nullable().describe('Why it was refused: a type of the table of errors'),
    subject: z
      .string()
      .nullable()
      .default(null)
      .describe('Fingerprint of the tokens that were asked for or undone, or of the key that was destroyed'),
    previous: Digest.describe('`hash` of the entry before it in its chain'),
    hash: Digest.describe('Of all the fields above'),
    signature: Signature.describe('Of shard, number and `hash`, in base64; null in entries from before there were any'),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

/** Where a chain ends: number, time, hash and signature of its last entry. */
export const AuditHead = z
  .object({
    shard: z.int(),
    seq: z.int(),
    at: Timestamp,
    hash: Digest,
    signature: Signature,
    since: Timestamp.nullable().default(null).describe('Time of the first entry; null if it was not recorded'),
  })
  .meta({ id: 'AuditHead' })
export type AuditHead = z.infer<typeof AuditHead>

export const audit = {
  list: {
    route: 'POST /audit/list',
    access: 'audit:read',
    extension: true,
    audited: false,
    summary: 'List the audit trail of a day',
    description:
      'Every call that changes something, every download and every look into a source: who, what, to which record, when, from where, and how it ended. Of calls that show a finished job or a report with download URLs, the first in an hour by each session. Newest first; with `shard` the entries of one chain in their order.',
    query: ListQuery.omit({ cursor: true }),
    body: z.strictObject({
      day: Day.optional().describe('In UTC; today by default'),
      shard: z
        .int()
        .min(0)
        .max(AUDIT_SHARDS - 1)
        .optional()
        .describe('Only this chain, in its order'),
      from: z.int().min(1).optional().describe('With `shard`: from the entry of this number on'),
      filters: z
        .strictObject({
          userId: Id.optional(),
          operation: z.string().max(64).optional(),
          recordId: Id.optional(),
          outcome: AuditEntry.shape.outcome.optional(),
        })
        .optional(),
      skip: z.int().min(0).max(10_000).optional(),
      limit: z.int().min(0).max(1000).optional(),
    }),
    reply: z.array(AuditEntry),
  },
  heads: {
    route: 'GET /audit/heads',
    access: 'audit:read',
    extension: true,
    summary: 'Show where each chain of the audit trail ends',
    reply: z.array(AuditHead),
  },
  key: {
    route: 'GET /audit/key',
    access: 'audit:read',
    extension: true,
    summary: 'Show the public key that entries of the audit trail are checked with',
    reply: z.object({
      algorithm: z.literal('ECDSA_SHA_256'),
      publicKey: z.string().describe('In PEM, as `openssl` takes it'),
    }),
  },
} as const satisfies Resource
