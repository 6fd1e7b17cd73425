import { auth } from '../../shared/api/auth.ts'
import { ACCESS_SECONDS, SESSION_IDLE_SECONDS } from '../../shared/api/bounds.ts'
import { requestLogin, requireOpenAddress } from '../../shared/auth/login-permit.ts'
import { networkOf } from '../../shared/auth/network.ts'
import { decoyHash, verifyPassword } from '../../shared/auth/password.ts'
import { createAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { refreshCookie } from '../../shared/http/refresh-cookie.ts'
import { createSession } from '../../shared/store/sessions.ts'
import { findUserByEmail } from '../../shared/store/users.ts'

export const handler = handle(auth.login)(async ({ body: { email, password }, request, header, note }) => {
  const network = networkOf(request.address)
  await requireOpenAddress(network)
  const [user, decoy] = await Promise.all([findUserByEmail(email), decoyHash()])
  if (user) note({ userId: user.id })
  const leave = await requestLogin({ email, user, network })
  // An unknown address is verified too, against a hash that no password has: the answer takes the same time.
  const right = await verifyPassword(password, (leave.counts && user?.passwordHash) || decoy)
  if (!user || !right || user.blocked) throw await leave.fail()
  await leave.succeed()
  const { sessionId, refreshToken } = await createSession(user)
  if (request.console) header('Set-Cookie', refreshCookie(request, refreshToken, SESSION_IDLE_SECONDS))
  return {
    access_token: await createAccessToken({ userId: user.id, sessionId }),
    token_type: 'bearer' as const,
    expires_in: ACCESS_SECONDS,
    ...(!request.console && { refresh_token: refreshToken }),
    ...(user.mustChangePassword && { password_change_required: true as const }),
  }
})
