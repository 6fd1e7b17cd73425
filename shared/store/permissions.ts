import { defaultPermissions } from '../api/permission-names.ts'
import type { NewPermission, Permission } from '../api/permissions.ts'
import { ProblemError } from '../api/problems.ts'
import { getItems, type Item, type Transact, transact } from './dynamo.ts'
import { idFrom } from './ids.ts'
import type { Kind } from './kinds.ts'
import { type ListPage, type ListQuery, listAhead, listRecords } from './lists.ts'
import { creating, findRecord, keyOf, type Stored } from './records.ts'

const PERMISSION: Kind = { table: 'roles', name: 'PERMISSION', ownerless: true }

type PermissionRecord = Permission & Stored

/** The id of a permission follows from its name, which is what keeps names unique. */
export const permissionIdOf = (name: string): string => idFrom('permission', name)

/** A permission that has just been made. */
const newPermission = ({ name, description }: NewPermission): PermissionRecord => {
  const now = new Date().toISOString()
  const id = permissionIdOf(name)
  return { id, ownerId: id, name, description, createdAt: now, updatedAt: now }
}

/** Creates a permission; refuses a name that is taken (400). */
export async function createPermission(fields: NewPermission, write: Transact): Promise<Permission> {
  const permission = newPermission(fields)
  if (await write(creating(PERMISSION, permission))) return permission
  throw new ProblemError({ type: 'name_taken', loc: ['body', 'name'] })
}

/** Creates the default permissions that are missing and answers all of them; the others stay as they are. */
export async function createDefaultPermissions(write: Transact = transact): Promise<Permission[]> {
  const all = Object.entries(defaultPermissions).map(([name, description]) => newPermission({ name, description }))
  const found = await getItems<PermissionRecord & Item>(
    PERMISSION.table,
    all.map(({ id }) => keyOf(PERMISSION, id)),
  )
  const known = new Map<string, PermissionRecord>(found.map(permission => [permission.id, permission]))
  // One after the other: each changes the number of all.
  for (const permission of all.filter(({ id }) => !known.has(id))) {
    const isMade = await write(creating(PERMISSION, permission))
    known.set(permission.id, (!isMade && (await findRecord<PermissionRecord>(PERMISSION, permission.id))) || permission)
  }
  return all.map(permission => known.get(permission.id) ?? permission)
}

/** Refuses names of permissions that don't exist (422), each with its place. */
export async function requirePermissions(names: readonly string[]): Promise<void> {
  const known = await Promise.all(
    names.map(name => Object.hasOwn(defaultPermissions, name) || findRecord(PERMISSION, permissionIdOf(name))),
  )
  const unknown = names.flatMap((_, n) =>
    known[n] ? [] : [{ type: 'permission_unknown' as const, loc: ['body', 'permissions', String(n)] }],
  )
  if (unknown.length > 0) throw new ProblemError(unknown)
}

/** What a page of permissions reads. */
export const permissionsAhead = (page: ListQuery): ReturnType<typeof listAhead> => listAhead(PERMISSION, 'all', page)

/** A page of permissions, newest first. */
export const listPermissions = (page: ListQuery): Promise<ListPage<Permission>> =>
  listRecords<PermissionRecord>(PERMISSION, 'all', page)
