import type { APIGatewayProxyEvent } from 'aws-lambda'
import { looksLikeKey } from '../auth/account-keys.ts'
import { lacksSecondFactor } from '../auth/second-factor.ts'
import { readAccessToken, unauthenticated } from '../auth/tokens.ts'
import { findRecord } from '../store/records.ts'
import { permissionsOf } from '../store/roles.ts'
import { findSession, isCurrent } from '../store/sessions.ts'
import { USER, type UserRecord } from '../store/users.ts'
import { authenticateKey } from './authenticate-key.ts'
import type { Caller } from './caller.ts'

/** The value of a header, whatever the case of its name. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value
  }
  return undefined
}

/** The bearer token of a request, an access token or a key; refuses a request without one (401). */
export function bearerToken(event: APIGatewayProxyEvent): string {
  const match = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+|anon_\w+)$/i.exec(header(event, 'authorization') ?? '')
  if (match) return match[1]!
  throw unauthenticated(header(event, 'authorization') ? 'invalid_token' : 'not_authenticated')
}

/** Who makes a request: the user of a session, or the service account of a key. */
export function authenticate(event: APIGatewayProxyEvent): Promise<Caller> {
  const token = bearerToken(event)
  return looksLikeKey(token)
    ? authenticateKey(token, event.requestContext.identity.sourceIp)
    : authenticateSession(token)
}

/**
 * The user of a session. Session and user are read on each request, so that log-out, block and a changed role act on
 * the very next one.
 */
async function authenticateSession(token: string): Promise<Caller> {
  const { userId, sessionId } = await readAccessToken(token)
  const [session, user] = await Promise.all([findSession(userId, sessionId), findRecord<UserRecord>(USER, userId)])
  if (!session || !user || user.blocked || !isCurrent(session, user)) throw unauthenticated('token_expired')
  const { id, role, mustChangePassword = false } = user
  const { amr = 'pwd', authTime = 0 } = session
  const duties = { mustChangePassword, mustSetUpSecondFactor: lacksSecondFactor(user) }
  return { id, permissions: new Set(await permissionsOf(role)), amr, authTime, sessionId, ...duties }
}
