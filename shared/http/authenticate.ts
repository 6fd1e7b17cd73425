import type { APIGatewayProxyEvent } from 'aws-lambda'
import { ProblemError } from '../api/problems.ts'
import { looksLikeKey } from '../auth/account-keys.ts'
import { isSignOn, lacksSecondFactor } from '../auth/second-factor.ts'
import { type Claims, readToken, unauthenticated, type WorkloadClaims } from '../auth/tokens.ts'
import { keepAhead, type Place } from '../store/ahead.ts'
import { getTogether, type Item } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { standingOf } from '../store/roles.ts'
import { isCurrent, keyOfSession, type Session } from '../store/sessions.ts'
import { USER, type UserRecord } from '../store/users.ts'
import { authenticateKey } from './authenticate-key.ts'
import { authenticateWorkload } from './authenticate-workload.ts'
import { type Caller, limiting } from './caller.ts'

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
export const shownBy = async (event: APIGatewayProxyEvent): Promise<Shown> => shownOf(bearerToken(event))

const shownOf = async (token: string): Promise<Shown> => (looksLikeKey(token) ? { key: token } : readToken(token))

/**
 * What a request will read besides, by who says to make it in which session; where that has to be looked up first, the caller
 * is read after it.
 */
export type Wanted = (by: Claims) => Place[] | Promise<Place[]>

/**
 * Who makes a request from an address: the user of a session, or the service account of a key or of a trusted workload. What
 * is wanted besides is read together with that and kept for when it is asked for; not for a key, which proves nothing yet.
 */
export async function authenticate(shown: Shown, address: string, wanted: Wanted = () => []): Promise<Caller> {
  if ('key' in shown) return authenticateKey(shown.key, address)
  if ('userId' in shown) return authenticateSession(shown, await wanted(shown))
  const { accountId: userId, workload: sessionId } = shown
  return authenticateWorkload(shown, address, await wanted({ userId, sessionId }))
}

/** Who has a token, where none is needed; undefined when it is no good. */
export async function callerOf(token: string, address: string): Promise<Caller | undefined> {
  try {
    return await authenticate(await shownOf(token), address)
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/**
 * The user of a session. Session and user are read on each request, so that log-out, block and a changed role act on
 * the very next one.
 */
async function authenticateSession({ userId, sessionId }: Claims, besides: Place[]): Promise<Caller> {
  const places = [{ table: USER.table, key: keyOf(USER, userId) }, ...besides]
  const [found, ...items] = await getTogether([{ table: 'sessions', key: keyOfSession(userId, sessionId) }, ...places])
  keepAhead(places, items)
  const [session, user] = [found, items[0]] as [Session | undefined, (UserRecord & Item) | undefined]
  if (!session || !user || user.blocked || !isCurrent(session, user)) throw unauthenticated('token_expired')
  const { id, role } = user
  const { amr = 'pwd', authTime = 0 } = session
  const mustChangePassword = Boolean(user.mustChangePassword) && !isSignOn(amr)
  const duties = { mustChangePassword, mustSetUpSecondFactor: lacksSecondFactor(user, amr) }
  const { permissions, quota } = (await standingOf(role)) ?? {}
  return { id, permissions: new Set(permissions), quota: limiting(quota), amr, authTime, sessionId, ...duties }
}
