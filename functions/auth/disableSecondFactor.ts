import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { useCode, wrongCode } from '../../shared/auth/factor-codes.ts'
import { requestProof } from '../../shared/auth/login-permit.ts'
import { unauthenticated } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser, setSecondFactor } from '../../shared/store/users.ts'

export const handler = handle(auth.disableSecondFactor)(async ({ body: { code }, user: { id, sessionId }, write }) => {
  const user = await getUser(id)
  if (!user.secondFactor) throw new ProblemError({ type: 'second_factor_off' })
  const leave = await requestProof(user)
  if (!(await useCode(user, code))) throw wrongCode()
  await leave.succeed()
  await setSecondFactor(user, null, { sessionId, ended: unauthenticated('token_expired') }, write)
  return { ok: true as const }
})
