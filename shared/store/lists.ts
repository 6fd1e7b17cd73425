import { listIndexes } from '../settings.ts'
import { countItems, getItems, getTogether, type Item, queryItems } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { counterKey, type Stored, totalKeys } from './records.ts'

/** A page of a list as asked for. */
export type ListQuery = {
  skip: number
  /** Place in the order of time of the record before the page; what is skipped need not be read then. */
  after?: string
  limit: number
  search?: string
  filters?: Record<string, unknown>
  sort?: { field: string; order: 'asc' | 'desc' }[]
}

/** Whose records: one owner's, or everybody's. */
export type Scope = { ownerId: string } | 'all'

/** Records of a list, how many there are in all, and the place in the order of time of the last one of the page. */
export type ListPage<T> = { records: T[]; total: number; last?: string }

/**
 * A page of records, newest first unless sorted otherwise. Without search, filters and sort it costs the keys up to
 * the page's end and the page's own records; with them the projected fields of the whole scope.
 */
export async function listRecords<T extends Stored>(
  kind: Kind,
  scope: Scope,
  query: ListQuery,
): Promise<ListPage<T & Item>> {
  const index = scope === 'all' ? 'all' : 'owner'
  const key = scope === 'all' ? kind.name : scope.ownerId
  const partition = { table: kind.table, index, keyName: listIndexes[index].partitionKey, key }
  const end = query.skip + query.limit
  const rows: Item[] = []
  if (query.search || query.filters || !byTime(query.sort)) {
    for await (const row of queryItems<Item>({ ...partition, descending: true }))
      if (matches(row, query)) rows.push(row)
    const keys = sortRows(rows, query.sort ?? []).slice(query.skip, end)
    return { records: await getItems<T & Item>(kind.table, keys), total: rows.length }
  }
  const descending = query.sort?.[0]?.order !== 'asc'
  const after = query.after && { name: listIndexes[index].sortKey, value: query.after }
  const reading = after ? { ...partition, descending, after } : { ...partition, descending }
  const read = async () => {
    for await (const row of queryItems<Item>(reading, after ? query.limit : end)) rows.push(row)
    return after ? rows : rows.slice(query.skip)
  }
  const [page, counted] = await Promise.all([read(), kind.expires ? countItems(partition) : undefined])
  const last = page.at(-1)?.listOrder as string | undefined
  if (counted !== undefined) return { records: await getItems<T & Item>(kind.table, page), total: counted, last }
  const counters = scope === 'all' ? totalKeys(kind) : [counterKey(kind, scope.ownerId)]
  const items = await getTogether([...page, ...counters].map(key => ({ table: kind.table, key })))
  const records = items.slice(0, page.length).filter(item => item !== undefined) as (T & Item)[]
  const total = items.slice(page.length).reduce((sum, item) => sum + ((item?.n as number | undefined) ?? 0), 0)
  return { records, total, last }
}

/** Ids of an owner's records, newest first, as far as the index knows them by now. */
export async function* idsOwnedBy(kind: Kind, ownerId: string, limit?: number): AsyncGenerator<string> {
  const { partitionKey } = listIndexes.owner
  const partition = { table: kind.table, index: 'owner', keyName: partitionKey, key: ownerId, descending: true }
  for await (const { pk } of queryItems<Item>(partition, limit)) yield pk.slice(kind.name.length + 1)
}

/** Whether the order is the index's own, one way or the other. */
const byTime = (sort: ListQuery['sort'] = []): boolean =>
  sort.length === 0 || (sort.length === 1 && sort[0]?.field === 'createdAt')

/** Whether a row holds the searched text in its name or address and has the filtered values. */
export function matches(row: Record<string, unknown>, query: Pick<ListQuery, 'search' | 'filters'>): boolean {
  const wanted = query.search?.trim().toLowerCase()
  const holds = (text: unknown) => typeof text === 'string' && text.toLowerCase().includes(wanted ?? '')
  if (wanted && !holds(row.name) && !holds(row.email)) return false
  return Object.entries(query.filters ?? {}).every(([field, value]) => [value].flat().includes(row[field]))
}

/** Rows by the given fields, the first one deciding first; equal rows keep their order. */
export function sortRows<T extends Record<string, unknown>>(rows: T[], sort: NonNullable<ListQuery['sort']>): T[] {
  return rows.toSorted((a, b) => {
    for (const { field, order } of sort) {
      const difference = compare(sortable(a, field), sortable(b, field))
      if (difference !== 0) return order === 'asc' ? difference : -difference
    }
    return 0
  })
}

const sortable = (row: Record<string, unknown>, field: string): unknown =>
  field === 'createdAt' ? (row.listOrder ?? row.createdAt) : row[field]

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a ?? ''), String(b ?? '')]
  return left < right ? -1 : left > right ? 1 : 0
}
