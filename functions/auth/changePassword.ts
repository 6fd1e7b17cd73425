import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { requestProof } from '../../shared/auth/login-permit.ts'
import { hashPassword, isGuessable, verifyPassword } from '../../shared/auth/password.ts'
import { unauthenticated } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changePassword, getUser } from '../../shared/store/users.ts'

export const handler = handle(auth.changePassword)(async ({ body, user: caller, write }) => {
  const { currentPassword, newPassword } = body
  const user = await getUser(caller.id)
  const leave = await requestProof(user)
  if (!(await verifyPassword(currentPassword, user.passwordHash))) {
    throw new ProblemError({ type: 'wrong_password', loc: ['body', 'currentPassword'] })
  }
  await leave.succeed()
  const loc = ['body', 'newPassword']
  if (newPassword === currentPassword) throw new ProblemError({ type: 'password_unchanged', loc })
  if (isGuessable(newPassword, user)) throw new ProblemError({ type: 'password_too_common', loc })
  const passwordHash = await hashPassword(newPassword)
  const { sessionId } = caller
  await changePassword(user, { sessionId, passwordHash, ended: unauthenticated('token_expired') }, write)
  return { ok: true as const }
})
