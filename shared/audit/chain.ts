import { createHash, type KeyObject, verify } from 'node:crypto'
import type { AuditEntry, AuditHead } from '../api/audit.ts'

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** What stands for the entry before the first one of a chain. */
export const genesis = (shard: number): string => digest(['audit', shard])

/** Hash of an entry: of all its other fields but the signature, the hash of the entry before it among them. */
export const hashOf = (entry: Omit<AuditEntry, 'hash' | 'signature'>): string =>
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
    // Entries from before there were subjects have hashes without any.
    ...(entry.subject ? [entry.subject] : []),
  ])

/** What an entry's signature is made over: its place and its hash, which the end of a chain tells too. */
export const signed = ({ shard, seq, hash }: Pick<AuditEntry, 'shard' | 'seq' | 'hash'>): Buffer =>
  Buffer.from(`audit:${shard}:${seq}:${hash}`)

/** What is wrong with the trail, and where. */
export type Finding = { shard: number; seq: number; msg: string }

/** An entry that once ended a chain, as the log holds it. */
export type LoggedEnd = Pick<AuditHead, 'shard' | 'seq' | 'hash'>

/** What a trail is checked against. */
export type Checks = {
  /** Ends of the chains, told before the entries were read: newer ones may have come since. Unknown when absent. */
  heads?: readonly AuditHead[]
  /** The public half of the key that entries are signed with; without it signatures are not checked. */
  key?: KeyObject
  /** Entries from before this time (ISO 8601) need no signature. */
  unsignedBefore?: string
  /** Where the chains ended at an earlier time, as somebody else has kept it. */
  anchored?: readonly AuditHead[]
  /** Entries that the log holds; not together with `from`. */
  logged?: readonly LoggedEnd[]
  /** Day that the entries begin with (UTC): what came before is not at hand. All of them are there when absent. */
  from?: string
}

/** Checks entries in any order against each other and against what else is known. */
export function checkTrail(entries: readonly AuditEntry[], checks: Checks): Finding[] {
  const { heads = [], anchored = [], logged = [] } = checks
  const shards = new Set([...entries, ...heads, ...anchored, ...logged].map(({ shard }) => shard))
  return [...shards]
    .toSorted((a, b) => a - b)
    .flatMap(shard =>
      checkChain(
        shard,
        entries.filter(entry => entry.shard === shard),
        checks,
      ),
    )
}

/** Checks the entries of one chain, in any order. */
export function checkChain(shard: number, entries: readonly AuditEntry[], checks: Checks): Finding[] {
  const chain = entries.toSorted((a, b) => a.seq - b.seq)
  const of = (heads: readonly AuditHead[] = []) => heads.find(head => head.shard === shard)
  return [
    ...checkLinks(shard, chain, checks),
    ...chain.flatMap(entry => checkSignature(entry, checks)),
    ...checkEnd(chain, of(checks.heads), checks),
    ...checkAnchor(chain, of(checks.anchored), of(checks.heads), checks),
    ...checkLogged(shard, chain, checks),
  ]
}

function checkLinks(shard: number, chain: AuditEntry[], { from }: Checks): Finding[] {
  const findings: Finding[] = []
  if (!from && chain[0] && chain[0].seq > 1) findings.push({ shard, seq: 1, msg: 'was removed' })
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

type Signed = Pick<AuditEntry, 'shard' | 'seq' | 'at' | 'hash' | 'signature'>

/** An entry that nobody has signed, or somebody without the key, was not written by the service. */
function checkSignature(entry: Signed, { key, unsignedBefore = '' }: Checks): Finding[] {
  const { shard, seq, at, signature } = entry
  if (signature === null) return at < unsignedBefore ? [] : [{ shard, seq, msg: 'is not signed' }]
  const ieee = { key: key!, dsaEncoding: 'der' as const }
  if (!key || verify('sha256', signed(entry), ieee, Buffer.from(signature, 'base64'))) return []
  return [{ shard, seq, msg: 'was not signed by the service' }]
}

function checkEnd(chain: AuditEntry[], head: AuditHead | undefined, checks: Checks): Finding[] {
  const last = chain.at(-1)
  if (!head) return checks.heads && last ? [{ ...placeOf(last), msg: 'is the end of a chain that tells none' }] : []
  // The end of a chain that nothing was written to since stands for itself.
  if (isBefore(head, checks)) return checkSignature(head, checks)
  const { shard, seq } = head
  if ((last?.seq ?? 0) < seq) return [{ shard, seq: (last?.seq ?? 0) + 1, msg: 'was removed' }]
  const end = chain.find(entry => entry.seq === seq)
  return end && end.hash !== head.hash ? [{ shard, seq, msg: 'is not the one that was written' }] : []
}

/** The entry that ended a chain when the anchor was made must still be there. */
function checkAnchor(
  chain: AuditEntry[],
  anchored: AuditHead | undefined,
  head: AuditHead | undefined,
  checks: Checks,
): Finding[] {
  if (!anchored) return []
  const { shard, seq } = anchored
  const end = Math.max(chain.at(-1)?.seq ?? 0, head?.seq ?? 0)
  if (end < seq) return [{ shard, seq: end + 1, msg: 'was removed since the anchor was made' }]
  const found = head?.seq === seq ? head : chain.find(entry => entry.seq === seq)
  if (!found && isBefore(anchored, checks)) return []
  if (!found) return [{ shard, seq, msg: 'was removed since the anchor was made' }]
  return found.hash === anchored.hash ? [] : [{ shard, seq, msg: 'is not the one that the anchor holds' }]
}

/** Every entry of a chain that the log holds must be there, as it was: a chain cut with its end lacks one. */
function checkLogged(shard: number, chain: AuditEntry[], { logged = [] }: Checks): Finding[] {
  const hashes = new Map(chain.map(({ seq, hash }) => [seq, hash]))
  return logged.flatMap(end => {
    const { seq } = end
    if (end.shard !== shard || hashes.get(seq) === end.hash) return []
    return [
      { shard, seq, msg: hashes.has(seq) ? 'is not the one that the log holds' : 'is in the log and was removed' },
    ]
  })
}

const isBefore = ({ at }: AuditHead, { from = '' }: Checks): boolean => at < from

const placeOf = ({ shard, seq }: AuditEntry) => ({ shard, seq })
