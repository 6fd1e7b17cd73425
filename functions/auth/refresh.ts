import { auth } from '../../shared/api/auth.ts'
import { ACCESS_SECONDS } from '../../shared/api/bounds.ts'
import { Refusal } from '../../shared/api/problems.ts'
import { createAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findRecord } from '../../shared/store/records.ts'
import { isCurrent, rotateSession } from '../../shared/store/sessions.ts'
import { USER, type UserRecord } from '../../shared/store/users.ts'

export const handler = handle(auth.refresh)(async ({ body, note }) => {
  const session = await rotateSession(body.refresh_token)
  const user = session && (await findRecord<UserRecord>(USER, session.userId))
  if (user) note({ userId: user.id })
  if (!session || !user || user.blocked || !isCurrent(session, user)) {
    throw new Refusal({ type: 'invalid_refresh_token' }, { 'WWW-Authenticate': 'Bearer' })
  }
  return {
    access_token: await createAccessToken(session),
    token_type: 'bearer' as const,
    expires_in: ACCESS_SECONDS,
    refresh_token: session.refreshToken,
    ...(user.mustChangePassword && { password_change_required: true as const }),
  }
})
