import { randomUUID, timingSafeEqual } from 'node:crypto'
import { forPeople } from '../api/permission-names.ts'
import { notFound, ProblemError } from '../api/problems.ts'
import { KEYS_IN_USE, type NewServiceAccount, type ServiceAccount, type Workload } from '../api/service-accounts.ts'
import { type Transact, transact, type Write } from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { changing, creating, findRecord, removing, whileSame } from './records.ts'
import { leaving } from './removed-owners.ts'
import { rankWrites, type Standing, standingOf } from './roles.ts'

export const SERVICE_ACCOUNT: Kind = kinds.account_id

/** A key as stored: by its SHA-256, hexadecimal. */
type KeyRecord = ServiceAccount['keys'][number] & { hash: string }

/** A service account as stored. */
export type ServiceAccountRecord = Omit<ServiceAccount, 'keys' | 'workloads'> & {
  ownerId: string
  keys: KeyRecord[]
  /** Absent in rows from before there were any. */
  workloads?: Workload[]
}

/** Keys that are kept, dead ones included: a dead key is told from a guess. */
const KEPT = 10

/** A digest that no key has. */
const NONE = '0'.repeat(64)

type Ranked = Pick<ServiceAccountRecord, 'role' | 'permissions'>

/**
 * What an account may now: the permissions of its role that it is also given itself, without those for people, and the
 * quota of its role.
 */
export async function standingOfAccount(account: Ranked): Promise<Standing> {
  const given = new Set(account.permissions)
  const { permissions = [], quota } = (await standingOf(account.role)) ?? {}
  return { permissions: permissions.filter(name => given.has(name) && !forPeople.has(name)), quota }
}

/** The permissions of an account now. */
export const permissionsOfAccount = async (account: Ranked): Promise<string[]> =>
  (await standingOfAccount(account)).permissions

/** Whether a key works now, as far as it depends on the key. */
export const isInUse = ({ expiresAt, revokedAt }: KeyRecord): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.now()

/** The key of a digest, dead or not. Costs the same whatever the account, or where there is none. */
export function keyOfHash(account: ServiceAccountRecord | undefined, hash: string): KeyRecord | undefined {
  const wanted = Buffer.from(hash, 'hex')
  let found: KeyRecord | undefined
  for (let n = 0; n < KEPT; n++) {
    const key = account?.keys[n]
    if (timingSafeEqual(Buffer.from(key?.hash ?? NONE, 'hex'), wanted)) found = key
  }
  return found
}

/** A service account by id; refuses an unknown one (404). */
export async function getServiceAccount(id: string): Promise<ServiceAccountRecord> {
  const account = await findRecord<ServiceAccountRecord>(SERVICE_ACCOUNT, id)
  if (!account) throw notFound('service account')
  return account
}

/** Creates a service account without keys; refuses an unknown role (400). */
export async function createServiceAccount(
  fields: NewServiceAccount & { id: string },
  write: Transact = transact,
): Promise<ServiceAccountRecord> {
  const now = new Date().toISOString()
  const { id } = fields
  const account = { ...fields, ownerId: id, blocked: false, keys: [], createdAt: now, updatedAt: now }
  await write([...creating(SERVICE_ACCOUNT, account), ...(await rankWrites(id, undefined, account.role))])
  return account
}

/** Changes and removals that met another one of the same account start over this often. */
const ATTEMPTS = 10

/** Holds while nothing has changed that decides what the account may do. */
const unchanged = (account: ServiceAccountRecord) => whileSame(account, ['role', 'permissions', 'keys'])

/** Changes an account as `decide` says of it as it is now, which may refuse; refuses an unknown role (400). */
export async function changeServiceAccount(
  id: string,
  decide: (account: ServiceAccountRecord) => Partial<ServiceAccountRecord> | Promise<Partial<ServiceAccountRecord>>,
  write: Transact = transact,
): Promise<ServiceAccountRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getServiceAccount(id)
    const { after, write: change } = changing(SERVICE_ACCOUNT, before, await decide(before), unchanged(before))
    if (await write([change, ...(await rankWrites(id, before.role, after.role))])) return after
  }
  throw new Error('The service account is being changed too often')
}

/** An account's keys with a new one at the end, known by its digest; refuses a third one in use (400). */
export function withNewKey(
  { keys }: ServiceAccountRecord,
  { hash, days }: { hash: string; days: number },
): KeyRecord[] {
  const [inUse, dead] = [keys.filter(isInUse), keys.filter(key => !isInUse(key))]
  if (inUse.length >= KEYS_IN_USE) throw new ProblemError({ type: 'too_many_keys' })
  const now = Date.now()
  const [createdAt, expiresAt] = [now, now + days * 86_400_000].map(at => new Date(at).toISOString()) as [
    string,
    string,
  ]
  // Those in use are the last ones, so none of them is forgotten.
  return [...dead, ...inUse, { id: randomUUID(), hash, createdAt, expiresAt, revokedAt: null }].slice(-KEPT)
}

/** An account's keys, the named ones revoked, or all; refuses one that there is not (400). */
export function withRevoked({ keys }: ServiceAccountRecord, named?: readonly string[]): KeyRecord[] {
  if (named?.some(id => !keys.some(key => key.id === id)))
    throw new ProblemError({ type: 'key_unknown', loc: ['body', 'keyIds'] })
  const revokedAt = new Date().toISOString()
  return keys.map(key => (key.revokedAt === null && (named?.includes(key.id) ?? true) ? { ...key, revokedAt } : key))
}

/** Removes a service account, and its keys with it, unless `check` refuses that of the account as it is now. */
export async function removeServiceAccount(
  id: string,
  check: (account: ServiceAccountRecord) => Promise<void>,
  write: Transact = transact,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getServiceAccount(id)
    await check(before)
    const [removal, ...totals] = removing(SERVICE_ACCOUNT, before)
    const ranks = await rankWrites(id, before.role, undefined)
    const writes: Write[] = [{ ...removal, condition: unchanged(before) } as Write, ...totals, ...ranks]
    if (await write([...writes, leaving(SERVICE_ACCOUNT, before)])) return
  }
  throw new Error('The service account is being changed too often')
}
