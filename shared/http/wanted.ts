import type { APIGatewayProxyEvent } from 'aws-lambda'
import * as z from 'zod'
import { Id } from '../api/common.ts'
import { type Endpoint, parseRoute } from '../api/endpoint.ts'
import { ProblemError } from '../api/problems.ts'
import type { Claims } from '../auth/tokens.ts'
import type { Place } from '../store/ahead.ts'
import { type Kind, kinds } from '../store/kinds.ts'
import { keyOf } from '../store/records.ts'
import { placesOfRecording } from './audited.ts'
import type { Wanted } from './authenticate.ts'
import { readPage } from './paging.ts'
import type { Call } from './request.ts'

/** API Gateway hands path parameters over as they were sent, percent-encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** What the parts of a request are parsed with. */
type Schemas = { parameters: string[]; path: z.ZodType; query: z.ZodObject; body: z.ZodType }

const prepared = new WeakMap<Endpoint, Schemas>()

/** The schemas of an endpoint, made once: zod compiles each when it first parses with it. */
export function schemasOf(endpoint: Endpoint): Schemas {
  const found = prepared.get(endpoint)
  if (found) return found
  const { parameters } = parseRoute(endpoint.route)
  const made = {
    parameters,
    path: z.object(Object.fromEntries(parameters.map(name => [name, endpoint.path?.[name] ?? Id]))),
    query: endpoint.query ?? z.strictObject({}),
    body: endpoint.body ?? z.strictObject({}),
  }
  prepared.set(endpoint, made)
  return made
}

/** Path and query of a request, to be parsed as the declaration says. */
export function addressed(event: APIGatewayProxyEvent, endpoint: Endpoint) {
  const { parameters, path, query } = schemasOf(endpoint)
  const named = parameters.map(name => [name, decoded(event.pathParameters?.[name] ?? '')])
  return {
    path: { at: 'path', schema: path, value: Object.fromEntries(named) as Record<string, string> },
    query: { at: 'query', schema: query, value: event.queryStringParameters ?? {} },
  } as const
}

/** The id that a path begins with, if it does, and the kind of record that it is of, if there is one. */
export function namedIn(event: APIGatewayProxyEvent, endpoint: Endpoint): { id?: string; kind?: Kind } {
  const [name = ''] = schemasOf(endpoint).parameters
  const { data: id } = Id.safeParse(decoded(event.pathParameters?.[name] ?? ''))
  return { id, kind: (kinds as Record<string, Kind>)[name] }
}

/** What is known of a call before it is known that its caller is who they say, and may make it. */
export type Asked<E extends Endpoint> = Pick<Call<E>, 'params' | 'query' | 'page'> & {
  /** Who says to make it, and the role that they had a while ago, if that is known. */
  by: Pick<Claims, 'userId' | 'role'>
}

/**
 * Where a call will read besides, so that it is read together with its caller; begins to read partitions itself. Nothing of what
 * is read is told before the caller is known and has the permission.
 */
export type Ahead<E extends Endpoint> = (asked: Asked<E>) => Place[] | Promise<Place[]>

/** Where a function will read; nowhere where what it is asked for is to be refused, once the caller is known. */
function readBy<E extends Endpoint>(event: APIGatewayProxyEvent, endpoint: E, by: Claims, ahead: Ahead<E>) {
  const { path, query } = addressed(event, endpoint)
  const [params, wanted] = [path.schema.safeParse(path.value), query.schema.safeParse(query.value)]
  if (!params.success || !wanted.success) return []
  try {
    const page = readPage({}, wanted.data)
    return ahead({ params: params.data, query: wanted.data, page, by } as object as Asked<E>)
  } catch (error) {
    if (error instanceof ProblemError) return []
    throw error
  }
}

/**
 * What a call will read: the record that its path begins with, what it takes to record the call in a chain of the trail, and
 * what its function says.
 */
export function wantedBy<E extends Endpoint>(
  event: APIGatewayProxyEvent,
  endpoint: E,
  { chain, ahead }: { chain: number; ahead: Ahead<E> | undefined },
): Wanted {
  const { id, kind } = namedIn(event, endpoint)
  const record = id && kind ? [{ table: kind.table, key: keyOf(kind, id) }] : []
  return by => {
    const known = [...record, ...placesOfRecording(endpoint, { chain, sessionId: by.sessionId, recordId: id })]
    const more = ahead ? readBy(event, endpoint, by, ahead) : []
    return Array.isArray(more) ? [...known, ...more] : more.then(places => [...known, ...places])
  }
}
