import { randomInt } from 'node:crypto'
import { AUDIT_SHARDS, type AuditEntry, type AuditHead } from '../api/audit.ts'
import type { Place } from '../store/ahead.ts'
import { getItem, type Item, queryItems, transact, type Write } from '../store/dynamo.ts'
import { signWith } from '../store/keys.ts'
import { genesis, hashOf, signed } from './chain.ts'

/** What is recorded of a call. */
export type AuditRecord = Omit<AuditEntry, 'shard' | 'seq' | 'previous' | 'hash' | 'signature'>

const HEADS = 'HEAD'
const two = (shard: number) => String(shard).padStart(2, '0')
const headKey = (shard: number) => ({ pk: HEADS, sk: two(shard) })
const dayKey = (day: string, shard: number) => `DAY#${day}#${two(shard)}`
const seqKey = (seq: number) => String(seq).padStart(12, '0')

/** Any of the chains. */
export const anyChain = (): number => randomInt(AUDIT_SHARDS)

/** Where it stands how a chain ends. */
export const placeOfEnd = (shard: number): Place => ({ table: 'audit', key: headKey(shard) })

/** Writers that meet in a chain try another one, so that this many rounds are ample. */
const ATTEMPTS = 40

/** An entry that is signed and only has to be written, on the condition that its chain still ends where it was read to end. */
type Drafted = { entry: AuditEntry; head: (Item & AuditHead) | undefined }

/** Makes the entry that follows the last one of a chain. */
export async function draftAudit(record: AuditRecord, shard: number): Promise<Drafted> {
  const head = await getItem<Item & AuditHead>('audit', headKey(shard))
  const draft = { ...record, shard, seq: (head?.seq ?? 0) + 1, previous: head?.hash ?? genesis(shard) }
  const hash = hashOf(draft)
  const signature = Buffer.from(await signWith('audit', signed({ ...draft, hash }))).toString('base64')
  return { entry: { ...draft, hash, signature }, head }
}

/** Makes it again as of now: the day that an entry stands in is that of its time. */
const draftAnew = (record: AuditRecord): Promise<Drafted> =>
  draftAudit({ ...record, at: new Date().toISOString() }, anyChain())

/** Thrown inside where another entry was faster. */
class ChainMoved extends Error {}

/**
 * Writes an entry and the new end of its chain together, and what goes with them; false where a condition of the latter does
 * not hold, undefined where only the chain was in the way.
 */
async function writeDrafted({ entry, head }: Drafted, also: Write[]): Promise<boolean | undefined> {
  const { shard, seq, at, hash, signature } = entry
  const since = head ? (head.since ?? null) : at
  const next: AuditHead = { shard, seq, at, hash, signature, since }
  const unmoved = head
    ? { condition: '#hash = :hash', names: { '#hash': 'hash' }, values: { ':hash': head.hash } }
    : { condition: 'attribute_not_exists(pk)' }
  const place = { pk: dayKey(at.slice(0, 10), shard), sk: seqKey(seq) }
  const free = { condition: 'attribute_not_exists(pk)' }
  const otherwise = new ChainMoved()
  try {
    return await transact([
      ...also,
      { table: 'audit', put: { ...headKey(shard), ...next }, condition: unmoved, otherwise },
      { table: 'audit', put: { ...place, ...entry }, condition: free, otherwise },
    ])
  } catch (error) {
    if (error === otherwise) return undefined
    throw error
  }
}

/**
 * Appends an entry to a chain, or to another one where others write to it: the entry and the new end of the chain are written
 * together. Needs the rights to read, to put and to sign, none to change or delete.
 * @param drafted the entry, where it was made before.
 * @param also what is written with it, all or nothing (at most 98 items).
 * @returns false where a condition of what is written with it does not hold.
 */
export async function appendAudit(
  record: AuditRecord,
  { chain = anyChain(), drafted, also = [] }: { chain?: number; drafted?: Drafted; also?: Write[] } = {},
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const made = attempt === 0 ? (drafted ?? (await draftAudit(record, chain))) : await draftAnew(record)
    const isWritten = await writeDrafted(made, also)
    if (isWritten !== undefined) return isWritten
  }
  throw new Error('The audit trail is being written to too often')
}

/** The entries of a day in one chain, in their order from a number on. */
export const auditChain = (day: string, shard: number, from = 1): AsyncGenerator<Item & AuditEntry> =>
  queryItems({ table: 'audit', key: dayKey(day, shard), from: seqKey(from) })

/** The newest entries of a day in one chain, at most so many. */
export const newestOfChain = (day: string, shard: number, limit: number): AsyncGenerator<Item & AuditEntry> =>
  queryItems({ table: 'audit', key: dayKey(day, shard), descending: true }, limit)

/** Where each chain ends, by number. */
export async function auditHeads(): Promise<AuditHead[]> {
  const heads: AuditHead[] = []
  for await (const head of queryItems<Item & AuditHead>({ table: 'audit', key: HEADS })) heads.push(head)
  return heads
}

/** How many entries of a day a chain holds: they are numbered without gaps. */
export async function countOfChain(day: string, shard: number): Promise<number> {
  const at = (descending: boolean) =>
    queryItems<Item & AuditEntry>({ table: 'audit', key: dayKey(day, shard), descending }, 1)
  const [first, last] = await Promise.all([at(false).next(), at(true).next()])
  return first.done || last.done ? 0 : last.value.seq - first.value.seq + 1
}
