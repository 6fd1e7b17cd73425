import { randomUUID } from 'node:crypto'
import type { EventName } from '../api/events.ts'
import { notFound, ProblemError } from '../api/problems.ts'
import type { User } from '../api/users.ts'
import { getItem, getItems, type Item, type Transact, transact, type Write } from './dynamo.ts'
import { findIdentity, identifying } from './identities.ts'
import { type Kind, kinds } from './kinds.ts'
import { forgetNetworks } from './login-networks.ts'
import { announce, type Event, telling } from './notifications.ts'
import { changing, creating, findRecord, keyOf, removing, whileSame } from './records.ts'
import { leaving } from './removed-owners.ts'
import { rankWrites } from './roles.ts'
import { forgetFactors } from './second-factors.ts'
import { carryingOver, endSessions } from './sessions.ts'

export const USER: Kind = kinds.user_id

/** A user as stored. The address is also a row of its own, which keeps it unique in any case. */
export type UserRecord = User & {
  ownerId: string
  passwordHash: string
  /** Rises when all sessions end: those that began in an earlier epoch are dead, also one that begins just now. */
  sessionEpoch: number
  /** Whether the password is a temporary one, which is good for nothing but setting another. */
  mustChangePassword?: boolean
  /** Random name of the second factor, which its secret is derived from; null or absent without one. */
  secondFactor?: string | null
  /** Who they are to a provider that they log in by (see identities.ts); null or absent where they log in here. */
  identity?: string | null
}

/** Key of the row that holds an address. */
const addressKey = (email: string) => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' })

/** Key of the row that counts the administrators who are not blocked. */
const administrators = { pk: 'ADMINISTRATORS', sk: 'COUNT' }

/** The writes that give a user an address instead of another. */
function addressing(before: UserRecord | undefined, after: UserRecord | undefined): Write[] {
  const [old, next] = [before, after].map(user => user && addressKey(user.email))
  if (old?.pk === next?.pk) return []
  const otherwise = new ProblemError({ type: 'email_taken', loc: ['body', 'email'] })
  const free = { condition: 'attribute_not_exists(pk)' }
  return [
    ...(next ? [{ table: 'users' as const, put: { ...next, userId: after!.id }, condition: free, otherwise }] : []),
    ...(old ? [{ table: 'users' as const, delete: old }] : []),
  ]
}

/** The writes that keep the count of active administrators, which never falls to none. */
function counting(before: UserRecord | undefined, after: UserRecord | undefined): Write[] {
  const active = (user: UserRecord | undefined) => Number(user?.role === 'admin' && !user.blocked)
  const by = active(after) - active(before)
  if (by === 0) return []
  const change = { update: 'ADD #n :by', names: { '#n': 'n' }, values: { ':by': by } }
  if (by > 0) return [{ table: 'users', update: administrators, change }]
  const others = { ...change, condition: '#n > :one', values: { ...change.values, ':one': 1 } }
  return [
    {
      table: 'users',
      update: administrators,
      change: others,
      otherwise: new ProblemError({ type: 'last_administrator' }),
    },
  ]
}

/** Everything that a change of a user entails; a user who is not yet or no longer there is undefined. */
const consequences = async (before: UserRecord | undefined, after: UserRecord | undefined): Promise<Write[]> => [
  ...addressing(before, after),
  ...identifying(before, after),
  ...counting(before, after),
  ...(await rankWrites((after ?? before)!.id, before?.role, after?.role)),
]

/** A user who has just been made. */
function newUser(
  fields: Pick<UserRecord, 'name' | 'email' | 'role' | 'passwordHash' | 'mustChangePassword' | 'identity'>,
): UserRecord {
  const now = new Date().toISOString()
  const id = randomUUID()
  return { id, ownerId: id, blocked: false, sessionEpoch: 0, createdAt: now, updatedAt: now, ...fields }
}

/** Creates a user, whose id is told just before; refuses an address that is taken (400 `email_taken`). */
export async function createUser(
  fields: Parameters<typeof newUser>[0],
  { begins, write = transact }: { begins?: (id: string) => void; write?: Transact } = {},
): Promise<UserRecord> {
  const user = newUser(fields)
  begins?.(user.id)
  await write([...creating(USER, user), ...(await consequences(undefined, user))])
  return user
}

/** Creates the first administrator; false when there is an administrator already. */
export async function createFirstAdministrator(fields: Omit<Parameters<typeof newUser>[0], 'role'>): Promise<boolean> {
  const user = newUser({ ...fields, role: 'admin' })
  const first = { condition: 'attribute_not_exists(pk) OR #n = :none', names: { '#n': 'n' }, values: { ':none': 0 } }
  return transact([
    ...creating(USER, user),
    ...addressing(undefined, user),
    { table: 'users', put: { ...administrators, n: 1 }, condition: first },
  ])
}

/** A user by id; refuses an unknown one (404). */
export async function getUser(id: string): Promise<UserRecord> {
  const user = await findRecord<UserRecord>(USER, id)
  if (!user) throw notFound('user')
  return user
}

/** The names of users by id; those who were deleted have none. */
export async function namesOf(ids: readonly string[]): Promise<Map<string, string>> {
  const keys = [...new Set(ids)].map(id => keyOf(USER, id))
  const users = await getItems<UserRecord & Item>('users', keys)
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** A user by e-mail address in any case; an unknown one costs the same reads, so that the time does not tell. */
export async function findUserByEmail(email: string): Promise<UserRecord | undefined> {
  const row = await getItem<Item & { userId: string }>('users', addressKey(email))
  return findRecord<UserRecord>(USER, row?.userId ?? 'nobody')
}

/** The user who is somebody to a provider. */
export async function findUserByIdentity(identity: string): Promise<UserRecord | undefined> {
  const userId = await findIdentity(identity)
  return userId === undefined ? undefined : findRecord<UserRecord>(USER, userId)
}

/** Changes and removals that met another one of the same user start over this often. */
const ATTEMPTS = 10

/** Holds while nothing has changed that decides what a change of the user entails. */
const unchanged = (user: UserRecord) => whileSame(user, ['email', 'role', 'blocked', 'sessionEpoch'])

/** Refuses a change of a user by throwing, as the user is when it is made. */
type Check = (user: UserRecord) => void | Promise<void>

const unchecked: Check = () => {}

async function changeUser(
  id: string,
  decide: (user: UserRecord) => { changes: Partial<UserRecord>; also?: Write[]; event?: Event },
  write: Transact = transact,
  check = unchecked,
): Promise<UserRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getUser(id)
    await check(before)
    const { changes, also = [], event } = decide(before)
    const told = event ? telling(id, event) : []
    const { after, write: change } = changing(USER, before, changes, unchanged(before))
    if (await write([change, ...(await consequences(before, after)), ...also, ...told])) {
      if (event) await announce(id, event)
      return after
    }
  }
  throw new Error('The user is being changed too often')
}

/** Changes name, address or role; refuses a taken address, an unknown role and to leave no administrator (400). */
export const updateUser = (
  id: string,
  changes: Partial<Pick<User, 'name' | 'email' | 'role'>>,
  write: Transact = transact,
  check = unchecked,
): Promise<UserRecord> => changeUser(id, () => ({ changes }), write, check)

/** Ends all sessions of a user from this change on, and what the user is told. */
const ending = (user: UserRecord, kind: EventName & `user.${string}`) => {
  const sessionEpoch = user.sessionEpoch + 1
  const resource = { type: 'user' as const, id: user.id }
  return { sessionEpoch, event: { kind, resource, occasion: String(sessionEpoch) } }
}

/** Blocks or unblocks a user; blocking ends the sessions. Refuses to block the last administrator (400). */
export async function blockUser(
  id: string,
  blocked: boolean,
  write: Transact = transact,
  check = unchecked,
): Promise<UserRecord> {
  const blocking = (before: UserRecord) => {
    if (!blocked || before.blocked) return { changes: { blocked } }
    const { sessionEpoch, event } = ending(before, 'user.blocked')
    return { changes: { blocked, sessionEpoch }, event }
  }
  const user = await changeUser(id, blocking, write, check)
  if (blocked) await endSessions(id)
  return user
}

/** Sets a password, temporary or not, and ends all sessions. */
export async function setPassword(
  id: string,
  { passwordHash, mustChangePassword }: Pick<UserRecord, 'passwordHash' | 'mustChangePassword'>,
  write: Transact = transact,
  check = unchecked,
): Promise<void> {
  const setting = (before: UserRecord) => {
    const { sessionEpoch, event } = ending(before, 'user.password_reset')
    return { changes: { passwordHash, mustChangePassword, sessionEpoch }, event }
  }
  await changeUser(id, setting, write, check)
  await endSessions(id)
}

/**
 * Sets the password that a user has chosen in a session, which goes on; all others end. Throws `ended` when the user's
 * sessions have ended since the current password was checked.
 */
export async function changePassword(
  user: UserRecord,
  { sessionId, passwordHash, ended }: { sessionId: string; passwordHash: string; ended: Error },
  write: Transact = transact,
): Promise<void> {
  const choosing = (before: UserRecord) => {
    if (before.sessionEpoch !== user.sessionEpoch) throw ended
    const { sessionEpoch, event } = ending(before, 'user.password_changed')
    const kept = carryingOver(user.id, sessionId, { epoch: sessionEpoch, otherwise: ended })
    return { changes: { passwordHash, mustChangePassword: false, sessionEpoch }, also: [kept], event }
  }
  await changeUser(user.id, choosing, write)
  await endSessions(user.id, sessionId)
}

/**
 * Gives a user a second factor, or none, in a session that goes on; all others end. Throws `ended` when the user's sessions
 * have ended since it was proven.
 */
export async function setSecondFactor(
  user: UserRecord,
  secondFactor: string | null,
  { sessionId, ended, also: more = [] }: { sessionId: string; ended: Error; also?: Write[] },
  write: Transact = transact,
): Promise<void> {
  const setting = (before: UserRecord) => {
    if (before.sessionEpoch !== user.sessionEpoch) throw ended
    const { sessionEpoch, event } = ending(before, 'user.second_factor_changed')
    const kept = carryingOver(user.id, sessionId, { epoch: sessionEpoch, secondFactor, otherwise: ended })
    return { changes: { secondFactor, sessionEpoch }, also: [kept, ...more], event }
  }
  await changeUser(user.id, setting, write)
  await endSessions(user.id, sessionId)
}

/** Takes a user's second factor away and ends the sessions; refuses where there is none (400 `second_factor_off`). */
export async function removeSecondFactor(
  id: string,
  write: Transact = transact,
  check = unchecked,
): Promise<UserRecord> {
  const removing = (before: UserRecord) => {
    if (!before.secondFactor) throw new ProblemError({ type: 'second_factor_off' })
    const { sessionEpoch, event } = ending(before, 'user.second_factor_changed')
    return { changes: { secondFactor: null, sessionEpoch }, event }
  }
  const user = await changeUser(id, removing, write, check)
  await endSessions(id)
  return user
}

/**
 * Lets a user log in by a provider, in the role that it names if it does, and no longer here: whoever gave the account its password or second factor may
 * have been somebody else. All sessions end.
 */
export async function linkIdentity(
  { id, email }: UserRecord,
  { identity, role, passwordHash }: { identity: string; role?: string; passwordHash: string },
  write: Transact = transact,
): Promise<UserRecord> {
  const linking = (before: UserRecord) => {
    if (before.blocked || before.identity || before.email !== email)
      throw new ProblemError({ type: 'sign_on_not_allowed' })
    const { sessionEpoch, event } = ending(before, 'user.identity_linked')
    const changes = {
      identity,
      role: role ?? before.role,
      passwordHash,
      mustChangePassword: false,
      secondFactor: null,
      sessionEpoch,
    }
    return { changes, event }
  }
  const user = await changeUser(id, linking, write)
  await endSessions(id)
  return user
}

/** Removes a user and ends the sessions. Refuses to remove the last administrator (400). */
export async function removeUser(id: string, write: Transact = transact, check = unchecked): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getUser(id)
    await check(before)
    const [removal, ...totals] = removing(USER, before)
    const condition = unchanged(before)
    const writes = [
      { ...removal, condition } as Write,
      ...totals,
      ...(await consequences(before, undefined)),
      leaving(USER, before),
    ]
    if (!(await write(writes))) continue
    await Promise.all([endSessions(id), forgetNetworks(id), forgetFactors(id)])
    return
  }
  throw new Error('The user is being changed too often')
}
