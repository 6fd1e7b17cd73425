import { ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { hashPassword, isGuessable, temporaryPassword } from '../../shared/auth/password.ts'
import { requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser, setPassword } from '../../shared/store/users.ts'

export const handler = handle(users.resetPassword)(async ({ params, body: { password }, user: caller, write }) => {
  const user = await getUser(params.user_id)
  const check = requireRankOver(caller)
  await check(user)
  if (password !== undefined && isGuessable(password, user)) {
    throw new ProblemError({ type: 'password_too_common', loc: ['body', 'password'] })
  }
  const next = password ?? temporaryPassword()
  const passwordHash = await hashPassword(next)
  await setPassword(user.id, { passwordHash, mustChangePassword: password === undefined }, write, check)
  return { id: user.id, ...(password === undefined && { temporaryPassword: next }) }
})
