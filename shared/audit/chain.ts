import { createHash } from 'node:crypto'
import type { AuditEntry, AuditHead } from '../api/audit.ts'

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** What stands for the entry before the first one of a chain. */
export const genesis = (shard: number): string => digest(['audit', shard])

/** Hash of an entry: of all its other fields, the hash of the entry before it among them. */
export const hashOf = (entry: Omit<AuditEntry, 'hash'>): string =>
  digest([
    entry.shard,
    entry.seq,
    entry.at,
    entry.requestId,
    entry.userId,
    entry.operation,
    entry.recordId,
    entry.address,
    entry.outcome,
    entry.status,
    entry.problem,
    entry.previous,
  ])

/** What is wrong with the trail, and where. */
export type Finding = { shard: number; seq: number; msg: string }

/**
 * Checks entries in any order against each other and, where they are known, against the ends that their chains had
 * before the entries were read: newer ones may have come since. Chains may begin at any number, because older entries
 * may have been taken out to an archive: what came before the first is not checked.
 */
export function checkTrail(entries: readonly AuditEntry[], heads: readonly AuditHead[] = []): Finding[] {
  const shards = new Set([...entries, ...heads].map(({ shard }) => shard))
  return [...shards]
    .toSorted((a, b) => a - b)
    .flatMap(shard => {
      const chain = entries.filter(entry => entry.shard === shard).toSorted((a, b) => a.seq - b.seq)
      return [
        ...checkLinks(shard, chain),
        ...checkEnd(
          chain,
          heads.find(head => head.shard === shard),
        ),
      ]
    })
}

function checkLinks(shard: number, chain: AuditEntry[]): Finding[] {
  const findings: Finding[] = []
  let before: AuditEntry | undefined
  for (const entry of chain) {
    const { seq } = entry
    const expected = before?.hash ?? (seq === 1 ? genesis(shard) : entry.previous)
    if (before && seq === before.seq) findings.push({ shard, seq, msg: 'stands there twice' })
    else if (before && seq !== before.seq + 1) findings.push({ shard, seq: before.seq + 1, msg: 'was removed' })
    else if (entry.previous !== expected) findings.push({ shard, seq, msg: 'does not follow the entry before it' })
    if (hashOf(entry) !== entry.hash) findings.push({ shard, seq, msg: 'was changed' })
    before = entry
  }
  return findings
}

function checkEnd(chain: AuditEntry[], head: AuditHead | undefined): Finding[] {
  if (!head || head.seq === 0) return []
  const { shard, seq } = head
  const last = chain.at(-1)?.seq ?? 0
  if (last < seq) return [{ shard, seq: last + 1, msg: 'was removed' }]
  const end = chain.find(entry => entry.seq === seq)
  return end && end.hash !== head.hash ? [{ shard, seq, msg: 'is not the one that was written' }] : []
}
