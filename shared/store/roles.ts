import { defaultPermissions } from '../api/permissions.ts'
import type { Role } from '../api/roles.ts'
import { getItem, type Item } from './dynamo.ts'
import { idFrom } from './ids.ts'

/** Epoch of what is built in. */
const SINCE = '2026-01-01T00:00:00.000Z'

const builtIn = (name: string, description: string, permissions: string[]): Role => ({
  id: idFrom('built-in role', name),
  name,
  description,
  permissions,
  builtIn: true,
  createdAt: SINCE,
  updatedAt: SINCE,
})

/** Permissions that only administrators hold by default. */
const isAdministrative = (name: string): boolean => name.endsWith(':any') || /^(users|roles|audit):/.test(name)

/** Roles that every deployment has; they can't be changed or deleted. */
export const builtInRoles: Record<'admin' | 'user', Role> = {
  admin: builtIn('admin', 'Everything', Object.keys(defaultPermissions)),
  user: builtIn(
    'user',
    'Own rules, workflows, jobs, assets, sources and notifications',
    Object.keys(defaultPermissions).filter(name => !isAdministrative(name)),
  ),
}

/** Permissions of a role by its name; none when there is no such role. */
export async function permissionsOf(roleName: string): Promise<readonly string[]> {
  if (roleName === 'admin' || roleName === 'user') return builtInRoles[roleName].permissions
  const role = await getItem<Item & { permissions: string[] }>('roles', {
    pk: `ROLE-NAME#${roleName}`,
    sk: 'ROLE-NAME',
  })
  return role?.permissions ?? []
}
