import { auth } from '../../shared/api/auth.ts'
import { ACCESS_SECONDS, SESSION_IDLE_SECONDS } from '../../shared/api/bounds.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { useCode } from '../../shared/auth/factor-codes.ts'
import { requestLogin, requireOpenAddress } from '../../shared/auth/login-permit.ts'
import { networkOf } from '../../shared/auth/network.ts'
import { decoyHash, verifyPassword } from '../../shared/auth/password.ts'
import { dutiesOf } from '../../shared/auth/second-factor.ts'
import { createAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { refreshCookie } from '../../shared/http/refresh-cookie.ts'
import { createSession } from '../../shared/store/sessions.ts'
import { findUserByEmail } from '../../shared/store/users.ts'

export const handler = handle(auth.login)(async ({ body: { email, password, code }, request, header, note, write }) => {
  const network = networkOf(request.address)
  await requireOpenAddress(network)
  const [user, decoy] = await Promise.all([findUserByEmail(email), decoyHash()])
  if (user) note({ userId: user.id })
  const leave = await requestLogin({ email, user, network })
  // An unknown address is verified too, against a hash that no password has: the answer takes the same time.
  const right = await verifyPassword(password, (leave.counts && user?.passwordHash) || decoy)
  if (!user || !right || user.blocked) throw await leave.fail()
  if (user.secondFactor) {
    if (code === undefined) {
      await leave.withdraw()
      throw new ProblemError(
        { type: 'second_factor_required', loc: ['body', 'code'] },
        { 'WWW-Authenticate': 'Bearer' },
      )
    }
    if (!(await useCode(user, code))) throw await leave.fail('invalid_code')
  }
  await leave.succeed()
  const { sessionId, refreshToken } = await createSession(user, { write })
  if (request.console) header('Set-Cookie', refreshCookie(request, refreshToken, SESSION_IDLE_SECONDS))
  return {
    access_token: await createAccessToken({ userId: user.id, sessionId, role: user.role }),
    token_type: 'bearer' as const,
    expires_in: ACCESS_SECONDS,
    ...(!request.console && { refresh_token: refreshToken }),
    ...dutiesOf(user),
  }
})
