import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { provenFactor } from '../../shared/auth/factor-codes.ts'
import { unauthenticated } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser, setSecondFactor } from '../../shared/store/users.ts'

export const handler = handle(auth.enableSecondFactor)(async ({ body: { code }, user: { id, sessionId }, write }) => {
  const user = await getUser(id)
  if (user.secondFactor) throw new ProblemError({ type: 'second_factor_on' })
  const { factor, recoveryCodes, writes } = await provenFactor(id, code)
  await setSecondFactor(user, factor, { sessionId, also: writes, ended: unauthenticated('token_expired') }, write)
  return { recoveryCodes }
})
