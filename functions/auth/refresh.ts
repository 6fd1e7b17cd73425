import { auth } from '../../shared/api/auth.ts'
import { ACCESS_SECONDS, SESSION_IDLE_SECONDS } from '../../shared/api/bounds.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { dutiesOf } from '../../shared/auth/second-factor.ts'
import { createAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { refreshCookie } from '../../shared/http/refresh-cookie.ts'
import { findRecord } from '../../shared/store/records.ts'
import { isCurrent, rotateSession, type Session } from '../../shared/store/sessions.ts'
import { USER, type UserRecord } from '../../shared/store/users.ts'

export const handler = handle(auth.refresh)(async ({ body, request, header, note, write }) => {
  const given = request.console?.refreshToken ?? body.refresh_token
  if (given === undefined && !request.console)
    throw new ProblemError({ type: 'missing', loc: ['body', 'refresh_token'] })
  let user: UserRecord | undefined
  const admits = async (session: Session) => {
    user = await findRecord<UserRecord>(USER, session.userId)
    if (user) note({ userId: user.id })
    return user !== undefined && !user.blocked && isCurrent(session, user)
  }
  const hasLeeway = request.console?.refreshToken !== undefined
  const session = given === undefined ? undefined : await rotateSession(given, { admits, hasLeeway, write })
  if (!session || !user) {
    throw new ProblemError({ type: 'invalid_refresh_token' }, { 'WWW-Authenticate': 'Bearer' })
  }
  const { refreshToken } = session
  // Another tab has been given the next one, as a cookie of both.
  if (request.console && refreshToken) header('Set-Cookie', refreshCookie(request, refreshToken, SESSION_IDLE_SECONDS))
  return {
    access_token: await createAccessToken({ ...session, role: user.role }),
    token_type: 'bearer' as const,
    expires_in: ACCESS_SECONDS,
    ...(!request.console && { refresh_token: refreshToken }),
    ...dutiesOf(user, session.amr),
  }
})
