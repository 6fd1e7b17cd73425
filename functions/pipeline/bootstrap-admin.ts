import * as z from 'zod'
import { NewPassword } from '../../shared/api/auth.ts'
import { EmailAddress, Name } from '../../shared/api/common.ts'
import { hashPassword, isGuessable, temporaryPassword } from '../../shared/auth/password.ts'
import { createDefaultPermissions } from '../../shared/store/permissions.ts'
import { createFirstAdministrator } from '../../shared/store/users.ts'

const Event = z.strictObject({
  email: EmailAddress.default('admin@example.org'),
  name: Name.default('Administrator'),
  password: NewPassword.optional(),
})

/**
 * Creates the first administrator and answers how to log in; the deployer invokes it once. A password that is made up here
 * is a temporary one. Throws when there is an
 * administrator already, so that whoever may invoke it later gains nothing.
 */
export async function handler(event: unknown): Promise<{ email: string; password: string }> {
  const { email, name, password: chosen } = Event.parse(event ?? {})
  if (chosen !== undefined && isGuessable(chosen, { name, email })) throw new Error('The password is easily guessed')
  const password = chosen ?? temporaryPassword()
  const passwordHash = await hashPassword(password)
  const mustChangePassword = chosen === undefined
  const created = await createFirstAdministrator({ email, name, passwordHash, mustChangePassword })
  if (!created) throw new Error('An administrator exists already')
  await createDefaultPermissions()
  return { email, password }
}
