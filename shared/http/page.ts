import { Refusal } from '../api/problems.ts'
import type { ListQuery } from '../store/lists.ts'

const DEFAULT_LIMIT = 100

/** The page asked for in the body or in the query; both may say it, if they say the same (422 otherwise). */
export function readPage(body: Record<string, unknown>, query: Record<string, unknown>): ListQuery {
  for (const name of ['skip', 'limit']) {
    if (body[name] !== undefined && query[name] !== undefined && body[name] !== query[name]) {
      throw new Refusal({ type: 'conflicting_values', loc: ['query', name] })
    }
  }
  return {
    skip: (body.skip ?? query.skip ?? 0) as number,
    limit: (body.limit ?? query.limit ?? DEFAULT_LIMIT) as number,
    search: body.search as string | undefined,
    filters: body.filters as ListQuery['filters'],
    sort: body.sort as ListQuery['sort'],
  }
}

/** The headers of a list's answer: how many records there are, and where the next page is. */
export function pageHeaders(page: ListQuery, total: number, url: string): Record<string, string> {
  const next = page.skip + page.limit
  const more = page.limit > 0 && next < total
  return {
    'X-Total-Count': String(total),
    ...(more && { Link: `<${url}?skip=${next}&limit=${page.limit}>; rel="next"` }),
  }
}
