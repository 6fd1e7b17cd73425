import { randomBytes } from 'node:crypto'
import type { IdentityProvider } from '../api/identity.ts'
import { ProblemError } from '../api/problems.ts'
import { hashPassword } from '../auth/password.ts'
import { lacksSecondFactor } from '../auth/second-factor.ts'
import type { Transact } from '../store/dynamo.ts'
import {
  createUser,
  findUserByEmail,
  findUserByIdentity,
  linkIdentity,
  type UserRecord,
  updateUser,
} from '../store/users.ts'
import type { Person } from './person.ts'
import { noteRefusal } from './providers.ts'

/** What is told of whoever comes, before anything is changed. */
type Known = { userId?: string; newId?: string; isSelf?: boolean }

/** A password that nobody has: whoever comes by a provider has none here. */
const noPassword = (): Promise<string> => hashPassword(randomBytes(32).toString('base64'))

/**
 * The user that somebody is, who may have to be linked or created first, in the role that their groups give. Refuses
 * whoever may not use the service (403), without telling why: the log does.
 */
export async function admit(
  provider: IdentityProvider,
  person: Person,
  { note, write }: { note(known: Known): void; write: Transact },
): Promise<UserRecord> {
  const refused = (reason: string) => {
    noteRefusal(provider, reason)
    return new ProblemError({ type: 'sign_on_not_allowed' })
  }
  const { email, identity, proof } = person
  if (email === undefined) throw refused('no verified address in a domain of the provider')
  const mapped = provider.roles.find(({ group }) => person.groups.includes(group))?.role
  if (provider.roles.length > 0 && mapped === undefined) throw refused('no group with a role')
  const linked = await findUserByIdentity(identity)
  const known = linked ?? (await findUserByEmail(email))
  if (known?.blocked) throw refused('the user is blocked')
  if (!linked && known?.identity) throw refused('the address belongs to a user with another identity')
  if (!known && provider.provision === 'existing') throw refused('no such user')
  const role = mapped ?? known?.role ?? provider.role
  if (proof.amr !== 'mfa' && lacksSecondFactor({ role }, proof.amr))
    throw new ProblemError({ type: 'second_factor_missing' })
  try {
    if (!known) {
      const fields = { name: person.name, email, role, identity, passwordHash: await noPassword() }
      return await createUser(fields, { begins: newId => note({ newId, isSelf: true }), write })
    }
    note({ userId: known.id })
    // With its role by one write: who can't have that keeps the password.
    if (!linked) return await linkIdentity(known, { identity, role: mapped, passwordHash: await noPassword() }, write)
    return linked.role === role ? linked : await updateUser(linked.id, { role }, write)
  } catch (error) {
    // Such as a role that there is not, or the last administrator who would become something else.
    if (error instanceof ProblemError) throw refused(error.message)
    throw error
  }
}
