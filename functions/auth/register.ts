import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { hashPassword, isGuessable } from '../../shared/auth/password.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { settings } from '../../shared/settings.ts'
import { createUser } from '../../shared/store/users.ts'

export const handler = handle(auth.register)(async ({ body: { name, email, password }, note, write }) => {
  if (!settings().SELF_REGISTRATION) throw new ProblemError({ type: 'registration_closed' })
  if (isGuessable(password, { name, email })) {
    throw new ProblemError({ type: 'password_too_common', loc: ['body', 'password'] })
  }
  const begins = (newId: string) => note({ newId, isSelf: true })
  return createUser({ name, email, role: 'user', passwordHash: await hashPassword(password) }, { begins, write })
})
