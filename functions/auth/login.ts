import { auth } from '../../shared/api/auth.ts'
import { Refusal } from '../../shared/api/problems.ts'
import { decoyHash, verifyPassword } from '../../shared/auth/password.ts'
import { ACCESS_SECONDS, createAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { claimTry, countFailure, forgetFailures, secondsLocked } from '../../shared/store/attempts.ts'
import { createSession } from '../../shared/store/sessions.ts'
import { findUserByEmail } from '../../shared/store/users.ts'

export const handler = handle(auth.login)(async ({ body: { email, password }, request, note }) => {
  const account = { kind: 'email', value: email } as const
  const address = { kind: 'address', value: request.address } as const
  const locked = Math.max(await secondsLocked(address), await claimTry(account))
  if (locked > 0) throw new Refusal({ type: 'too_many_attempts' }, { 'Retry-After': String(locked) })
  const [user, decoy] = await Promise.all([findUserByEmail(email), decoyHash()])
  if (user) note({ userId: user.id })
  // An unknown address is verified too, against a hash that no password has: the answer takes the same time.
  const right = await verifyPassword(password, user?.passwordHash ?? decoy)
  if (!user || !right || user.blocked) {
    await countFailure(address)
    throw new Refusal({ type: 'invalid_credentials' }, { 'WWW-Authenticate': 'Bearer' })
  }
  await forgetFailures(account)
  const { sessionId, refreshToken } = await createSession(user)
  return {
    access_token: await createAccessToken({ userId: user.id, sessionId }),
    token_type: 'bearer' as const,
    expires_in: ACCESS_SECONDS,
    refresh_token: refreshToken,
  }
})
