import type { NewReidentification, Reidentification } from '../api/reidentifications.ts'
import { setting, type Write } from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { keyOf } from './records.ts'

export const REIDENTIFICATION: Kind = kinds.reidentification_id

/** A request as stored; `status` is what it was last made, whether or not it has expired since. */
export type ReidentificationRecord = Reidentification & {
  tokens?: string[]
  encrypted?: NewReidentification['encrypted']
  /** Keyed digests of the tokens or encrypted values, in their order. */
  fingerprints?: string[]
  /** Counts the changes. */
  revision: number
}

/** A request as it is now: one that nobody decided on or opened in time has expired. */
export function asOf<T extends ReidentificationRecord>(record: T, now = Date.now()): T {
  const isOpen = record.status === 'PENDING' || record.status === 'APPROVED'
  return isOpen && Date.parse(record.expiresAt) <= now ? { ...record, status: 'EXPIRED' } : record
}

/** The write that changes a request, if nobody has changed it since it was read. */
export function changingRequest(before: ReidentificationRecord, changes: Partial<ReidentificationRecord>): Write {
  const set = setting({ ...changes, revision: before.revision + 1, updatedAt: new Date().toISOString() })
  return {
    table: 'reidentifications',
    update: keyOf(REIDENTIFICATION, before.id),
    change: {
      ...set,
      condition: '#revision = :before',
      names: { ...set.names, '#revision': 'revision' },
      values: { ...set.values, ':before': before.revision },
    },
  }
}
