import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Id } from '../api/common.ts'
import { type Endpoint, parseRoute } from '../api/endpoint.ts'
import { type Kind, kinds } from '../store/kinds.ts'
import { keyOf } from '../store/records.ts'
import { placesOfRecording } from './audited.ts'
import type { Wanted } from './authenticate.ts'

/** API Gateway hands path parameters over as they were sent, percent-encoded. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The id that a path begins with, if it does, and the kind of record that it is of, if there is one. */
export function namedIn(event: APIGatewayProxyEvent, { route }: Endpoint): { id?: string; kind?: Kind } {
  const [name = ''] = parseRoute(route).parameters
  const { data: id } = Id.safeParse(decoded(event.pathParameters?.[name] ?? ''))
  return { id, kind: (kinds as Record<string, Kind>)[name] }
}

/** What a call will read: the record that its path begins with, and what it takes to record the call in a chain of the trail. */
export function wantedBy(event: APIGatewayProxyEvent, endpoint: Endpoint, chain: number): Wanted {
  const { id, kind } = namedIn(event, endpoint)
  const record = id && kind ? [{ table: kind.table, key: keyOf(kind, id) }] : []
  return sessionId => [...record, ...placesOfRecording(endpoint, { chain, sessionId, recordId: id })]
}
