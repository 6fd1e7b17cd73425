import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { requestProof } from '../../shared/auth/login-permit.ts'
import { verifyPassword } from '../../shared/auth/password.ts'
import { addressOf, inBase32 } from '../../shared/auth/totp.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { beginFactor } from '../../shared/store/second-factors.ts'
import { getUser } from '../../shared/store/users.ts'

export const handler = handle(auth.setUpSecondFactor)(async ({ body: { currentPassword }, user: caller, write }) => {
  const user = await getUser(caller.id)
  const leave = await requestProof(user)
  if (!(await verifyPassword(currentPassword, user.passwordHash))) {
    throw new ProblemError({ type: 'wrong_password', loc: ['body', 'currentPassword'] })
  }
  await leave.succeed()
  if (user.secondFactor) throw new ProblemError({ type: 'second_factor_on' })
  const secret = await beginFactor(user.id, write)
  return { secret: inBase32(secret), url: addressOf(secret, user.email) }
})
