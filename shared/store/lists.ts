import { listIndexes } from '../settings.ts'
import type { Place } from './ahead.ts'
import { countItems, getItems, getTogether, type Item, type Key, queryAhead, queryItems } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { counterKey, keyOf, type Stored, totalKeys } from './records.ts'

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

/** Rows of an index and records that are read at most before it is known whether the caller may see them. */
const MOST_AHEAD = { rows: 1000, records: 100 }

/** What a page in the order of time reads of an index: rows from some place on, and how many of them. */
function readingOf(kind: Kind, scope: Scope, { skip, after, limit, sort }: ListQuery) {
  const partition = { ...partitionOf(kind, scope), descending: sort?.[0]?.order !== 'asc', fields: PLACED }
  const name = listIndexes[indexOf(scope)].sortKey
  return after
    ? { reading: { ...partition, after: { name, value: after } }, most: limit, skipped: 0 }
    : { reading: partition, most: skip + limit, skipped: skip }
}

/** A row of an index by its place in the order of time, which tells the record too: a list of 100 is a third as long as with all keys. */
type Placed = { listOrder: string }
const PLACED = ['listOrder']

const idIn = ({ listOrder }: Placed): string => listOrder.slice(listOrder.indexOf('#') + 1)

const indexOf = (scope: Scope): keyof typeof listIndexes => (scope === 'all' ? 'all' : 'owner')

const partitionOf = (kind: Kind, scope: Scope) => ({
  table: kind.table,
  index: indexOf(scope),
  keyName: listIndexes[indexOf(scope)].partitionKey,
  key: scope === 'all' ? kind.name : scope.ownerId,
})

/** Where the number of records of a list stands; nowhere where they expire. */
function countersOf(kind: Kind, scope: Scope): Key[] {
  if (kind.expires) return []
  return scope === 'all' ? totalKeys(kind) : [counterKey(kind, scope.ownerId)]
}

/**
 * Where the records of a page and their number stand, so that they are read together with the caller: the rows of the index are
 * read for that. Nothing where the whole index would have to be read, or the page is large.
 */
export function listAhead(kind: Kind, scope: Scope, query: ListQuery): Place[] | Promise<Place[]> {
  const { reading, most, skipped } = readingOf(kind, scope, query)
  const isLarge = most > MOST_AHEAD.rows || query.limit > MOST_AHEAD.records
  if (!isByTime(query) || most === 0 || isLarge) return []
  return queryAhead<Placed>(reading, most).then(rows => placesOf(kind, scope, rows.slice(skipped)))
}

/** Where the records of some rows stand, and then their number. */
function placesOf(kind: Kind, scope: Scope, rows: Placed[]): Place[] {
  const keys = [...rows.map(row => keyOf(kind, idIn(row))), ...countersOf(kind, scope)]
  return keys.map(key => ({ table: kind.table, key }))
}

/**
 * A page of records, newest first unless sorted otherwise. Without search, filters and sort it costs the keys up to
 * the page's end and the page's own records; with them the projected fields of the whole scope.
 */
export async function listRecords<T extends Stored>(
  kind: Kind,
  scope: Scope,
  query: ListQuery,
): Promise<ListPage<T & Item>> {
  const partition = partitionOf(kind, scope)
  if (!isByTime(query)) {
    const rows: Item[] = []
    for await (const row of queryItems<Item>({ ...partition, descending: true }))
      if (matches(row, query)) rows.push(row)
    const keys = sortRows(rows, query.sort ?? []).slice(query.skip, query.skip + query.limit)
    return { records: await getItems<T & Item>(kind.table, keys), total: rows.length }
  }
  const { reading, most, skipped } = readingOf(kind, scope, query)
  const rows: Placed[] = []
  for await (const row of queryItems<Placed>(reading, most)) rows.push(row)
  const page = rows.slice(skipped)
  const places = placesOf(kind, scope, page)
  const last = page.at(-1)?.listOrder
  if (kind.expires) {
    // An index that ends before the page does tells how many there are.
    const isAll = !query.after && rows.length < most
    const counting = isAll ? rows.length : countItems(partition)
    const [items, total] = await Promise.all([getTogether(places), counting])
    return { records: present<T>(items), total, last }
  }
  const items = await getTogether(places)
  const records = present<T>(items.slice(0, page.length))
  const total = items.slice(page.length).reduce((sum, item) => sum + ((item?.n as number | undefined) ?? 0), 0)
  return { records, total, last }
}

const present = <T extends Stored>(items: (Item | undefined)[]) =>
  items.filter(item => item !== undefined) as (T & Item)[]

/** Ids of an owner's records, newest first, as far as the index knows them by now. */
export async function* idsOwnedBy(kind: Kind, ownerId: string, limit?: number): AsyncGenerator<string> {
  const partition = { ...partitionOf(kind, { ownerId }), descending: true, fields: PLACED }
  for await (const row of queryItems<Placed>(partition, limit)) yield idIn(row)
}

/** Whether a list shows all in the index's own order, one way or the other. */
const isByTime = ({ search, filters, sort = [] }: ListQuery): boolean =>
  !search && !filters && (sort.length === 0 || (sort.length === 1 && sort[0]?.field === 'createdAt'))

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
