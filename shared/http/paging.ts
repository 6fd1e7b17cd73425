import { FURTHEST } from '../api/common.ts'
import { ProblemError } from '../api/problems.ts'
import type { ListQuery } from '../store/lists.ts'
import { readCursor, writeCursor } from './cursor.ts'

const DEFAULT_LIMIT = 100

/**
 * The page asked for in the body or in the query; both may say where it is, if they say the same (422 otherwise). Lists
 * without a body are searched, filtered and sorted by the query.
 */
export function readPage(body: Record<string, unknown>, query: Record<string, unknown>): ListQuery {
  for (const name of ['skip', 'limit', 'cursor']) {
    if (body[name] !== undefined && query[name] !== undefined && body[name] !== query[name]) {
      throw new ProblemError({ type: 'conflicting_values', loc: ['query', name] })
    }
  }
  const skip = (body.skip ?? query.skip) as number | undefined
  const cursor = (body.cursor ?? query.cursor) as string | undefined
  if (cursor !== undefined && skip !== undefined) {
    throw new ProblemError({
      type: 'conflicting_values',
      msg: 'Give a cursor or skip, not both',
      loc: ['query', 'cursor'],
    })
  }
  return {
    ...(cursor === undefined ? { skip: skip ?? 0 } : readCursor(cursor)),
    limit: (body.limit ?? query.limit ?? DEFAULT_LIMIT) as number,
    search: (body.search ?? query.search) as string | undefined,
    filters: (body.filters as ListQuery['filters']) ?? readFilters(query),
    sort: (body.sort as ListQuery['sort']) ?? readSort(query.sort),
  }
}

/** `?role=admin,user&blocked=true` as filters. */
function readFilters({ skip: _s, limit: _l, cursor: _c, search: _q, sort: _o, ...fields }: Record<string, unknown>) {
  const filters = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.split(',').map(plain)] as const] : [],
  )
  return filters.length > 0 ? Object.fromEntries(filters) : undefined
}

const plain = (text: string): string | boolean => (text === 'true' || text === 'false' ? text === 'true' : text)

/** `?sort=name,-createdAt` as an order. */
const readSort = (sort: unknown): ListQuery['sort'] =>
  typeof sort === 'string'
    ? sort.split(',').map(field => ({ field: field.replace(/^-/, ''), order: field.startsWith('-') ? 'desc' : 'asc' }))
    : undefined

/**
 * The headers of a list's answer: how many records there are, and where the next page of the same query is. Where `skip` cannot
 * lead, a cursor does, which also holds `last`, the place in the order of the last record of this page.
 */
export function pageHeaders(
  page: ListQuery,
  { total, last }: { total: number; last?: string },
  url: string,
  { skip: _skip, cursor: _cursor, ...query }: Record<string, unknown> = {},
): Record<string, string> {
  const next = page.skip + page.limit
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const parameters = new URLSearchParams({
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(next > FURTHEST ? { cursor: writeCursor({ skip: next, after: last }) } : { skip: String(next) }),
    limit: String(page.limit),
  })
  const more = page.limit > 0 && next < total
  return { 'X-Total-Count': String(total), ...(more && { Link: `<${url}?${parameters}>; rel="next"` }) }
}
