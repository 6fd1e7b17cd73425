import { createHash } from 'node:crypto'
import { type LoggedEnd, signed } from '../audit/chain.ts'

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/**
 * The entry of a certificate: digests of the job's id, which nobody can guess, and of what was signed. Who knows a job finds
 * its entry; others learn nothing of it.
 */
export const certificateEntry = (jobId: string, payload: Uint8Array): string =>
  `certificate:${sha256(jobId)}:${sha256(payload)}`

/** The entry of the end of a chain of the audit trail: what the signature of its last entry is made over. */
export const auditEntry = (end: LoggedEnd): string => signed(end).toString()

/** The place and hash of {@link auditEntry}; undefined for another kind of entry. */
export function readAuditEntry(entry: string): LoggedEnd | undefined {
  const [, shard, seq, hash] = /^audit:(\d+):(\d+):([0-9a-f]{64})$/.exec(entry) ?? []
  return hash === undefined ? undefined : { shard: Number(shard), seq: Number(seq), hash }
}
