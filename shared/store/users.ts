import { randomUUID } from 'node:crypto'
import { notFound, Refusal } from '../api/problems.ts'
import type { User } from '../api/users.ts'
import { getItem, type Item, transact, type Write } from './dynamo.ts'
import { creating, findRecord, type Kind } from './records.ts'

export const USER: Kind = { table: 'users', name: 'USER' }

/** A user as stored. The address is also a row of its own, which keeps it unique in any case. */
export type UserRecord = User & { ownerId: string; passwordHash: string }

/** Key of the row that holds an address. */
export const addressKey = (email: string) => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' })

/** Lists show every user to administrators, so they all belong to this owner. */
export const USERS_OWNER = 'users'

/** The writes that claim an address for a user. */
export const claimAddress = (email: string, userId: string): Write => ({
  table: 'users',
  put: { ...addressKey(email), userId },
  condition: { condition: 'attribute_not_exists(pk)' },
})

/** Creates a user; refuses an address that is taken (400 `email_taken`). */
export async function createUser(
  fields: Pick<UserRecord, 'name' | 'email' | 'role' | 'passwordHash'>,
): Promise<UserRecord> {
  const now = new Date().toISOString()
  const user = { id: randomUUID(), ownerId: USERS_OWNER, blocked: false, createdAt: now, updatedAt: now, ...fields }
  if (!(await transact([...creating(USER, user), claimAddress(user.email, user.id)]))) {
    throw new Refusal({ type: 'email_taken', loc: ['body', 'email'] })
  }
  return user
}

/** A user by id; refuses an unknown one (404). */
export async function getUser(id: string): Promise<UserRecord> {
  const user = await findRecord<UserRecord>(USER, id)
  if (!user) throw notFound('user')
  return user
}

/** A user by e-mail address in any case. */
export async function findUserByEmail(email: string): Promise<UserRecord | undefined> {
  const row = await getItem<Item & { userId: string }>('users', addressKey(email))
  return row && findRecord<UserRecord>(USER, row.userId)
}
