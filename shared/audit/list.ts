import type * as z from 'zod'
import { AUDIT_SHARDS, type AuditEntry, type audit } from '../api/audit.ts'
import type { ListPage, ListQuery } from '../store/lists.ts'
import { auditChain, countOfChain, newestOfChain } from './records.ts'

type Body = z.infer<(typeof audit.list)['body']>

const shards = Array.from({ length: AUDIT_SHARDS }, (_, shard) => shard)

/** A page of a day's trail: of one chain in its order, or of all of them, newest first. */
export async function listAudit(
  { day = new Date().toISOString().slice(0, 10), shard, from, filters = {} }: Body,
  { skip, limit }: Pick<ListQuery, 'skip' | 'limit'>,
): Promise<ListPage<AuditEntry>> {
  const wanted = Object.entries(filters) as [keyof AuditEntry, unknown][]
  const matching = (entry: AuditEntry) => wanted.every(([field, value]) => entry[field] === value)
  if (shard !== undefined) {
    const entries = (await collect(auditChain(day, shard, from))).filter(matching)
    return { records: entries.slice(skip, skip + limit), total: entries.length }
  }
  // Any of the newest may be in any chain, so each gives as many as the page may need.
  const most = wanted.length > 0 ? Number.POSITIVE_INFINITY : skip + limit
  const chains = await Promise.all(shards.map(one => collect(newestOfChain(day, one, most))))
  const entries = chains
    .flat()
    .filter(matching)
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  const counted = async () => (await Promise.all(shards.map(one => countOfChain(day, one)))).reduce((a, b) => a + b, 0)
  const total = wanted.length > 0 ? entries.length : await counted()
  return { records: entries.slice(skip, skip + limit), total }
}

async function collect<T>(items: AsyncGenerator<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
