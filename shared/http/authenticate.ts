import type { APIGatewayProxyEvent } from 'aws-lambda'
import { looksLikeKey } from '../auth/account-keys.ts'
import { isSignOn, lacksSecondFactor } from '../auth/second-factor.ts'
import { type Claims, readToken, unauthenticated, type WorkloadClaims } from '../auth/tokens.ts'
import { getTogether, type Item } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { permissionsOf } from '../store/roles.ts'
import { isCurrent, keyOfSession, type Session } from '../store/sessions.ts'
import { USER, type UserRecord } from '../store/users.ts'
import { authenticateKey } from './authenticate-key.ts'
import { authenticateWorkload } from './authenticate-workload.ts'
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

/** What a request shows of who makes it: the claims of a good access token, or a key that nobody has looked at yet. */
export type Shown = Claims | WorkloadClaims | { key: string }

/** What a request shows of who makes it; refuses a token that is no good (401). Nothing is read from tables. */
export async function shownBy(event: APIGatewayProxyEvent): Promise<Shown> {
  const token = bearerToken(event)
  return looksLikeKey(token) ? { key: token } : readToken(token)
}

/** Who makes a request: the user of a session, or the service account of a key or of a trusted workload. */
export function authenticate(shown: Shown, event: APIGatewayProxyEvent): Promise<Caller> {
  const { sourceIp } = event.requestContext.identity
  if ('key' in shown) return authenticateKey(shown.key, sourceIp)
  return 'workload' in shown ? authenticateWorkload(shown, sourceIp) : authenticateSession(shown)
}

/**
 * The user of a session. Session and user are read on each request, so that log-out, block and a changed role act on
 * the very next one.
 */
async function authenticateSession({ userId, sessionId }: Claims): Promise<Caller> {
  const [session, user] = (await getTogether([
    { table: 'sessions', key: keyOfSession(userId, sessionId) },
    { table: USER.table, key: keyOf(USER, userId) },
  ])) as [Session | undefined, (UserRecord & Item) | undefined]
  if (!session || !user || user.blocked || !isCurrent(session, user)) throw unauthenticated('token_expired')
  const { id, role } = user
  const { amr = 'pwd', authTime = 0 } = session
  const mustChangePassword = Boolean(user.mustChangePassword) && !isSignOn(amr)
  const duties = { mustChangePassword, mustSetUpSecondFactor: lacksSecondFactor(user, amr) }
  return { id, permissions: new Set(await permissionsOf(role)), amr, authTime, sessionId, ...duties }
}
