import type { APIGatewayProxyEvent } from 'aws-lambda'
import { readAccessToken, unauthenticated } from '../auth/tokens.ts'
import { findRecord } from '../store/records.ts'
import { permissionsOf } from '../store/roles.ts'
import { findSession, isCurrent } from '../store/sessions.ts'
import { USER, type UserRecord } from '../store/users.ts'
import type { Caller } from './caller.ts'

/** The value of a header, whatever the case of its name. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value
  }
  return undefined
}

/** The bearer token of a request; refuses a request without one (401). */
export function bearerToken(event: APIGatewayProxyEvent): string {
  const match = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header(event, 'authorization') ?? '')
  if (match) return match[1]!
  throw unauthenticated(header(event, 'authorization') ? 'invalid_token' : 'not_authenticated')
}

/**
 * Who makes a request. Session and user are read on each request, so that log-out, block and a changed role act on
 * the very next one.
 */
export async function authenticate(event: APIGatewayProxyEvent): Promise<Caller> {
  const { userId, sessionId } = await readAccessToken(bearerToken(event))
  const [session, user] = await Promise.all([findSession(userId, sessionId), findRecord<UserRecord>(USER, userId)])
  if (!session || !user || user.blocked || !isCurrent(session, user)) throw unauthenticated('token_expired')
  const { id, name, email, role, mustChangePassword = false } = user
  return { id, name, email, role, sessionId, mustChangePassword, permissions: new Set(await permissionsOf(role)) }
}
