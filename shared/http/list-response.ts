import { type ListPage, type ListQuery, matches, sortRows } from '../store/lists.ts'
import { pageHeaders } from './paging.ts'
import type { Call } from './request.ts'

type Listing = Pick<Call<never>, 'page' | 'request' | 'header'> & { query: object }

/** Answers a page of records with the headers that lists carry. */
export function listed<T>(call: Listing, { records, total, last }: ListPage<T>): T[] {
  const headers = pageHeaders(call.page, { total, last }, call.request.url, { ...call.query })
  for (const [name, value] of Object.entries(headers)) call.header(name, value)
  return records
}

/** A page of records that are all at hand, such as the assets of one job. */
export function pageOf<T extends Record<string, unknown>>(rows: T[], query: ListQuery): ListPage<T> {
  const found = sortRows(
    rows.filter(row => matches(row, query)),
    query.sort ?? [],
  )
  return { records: found.slice(query.skip, query.skip + query.limit), total: found.length }
}
