import type { PermissionName } from '../api/permission-names.ts'

/** Who makes a request. */
export type Caller = {
  id: string
  name: string
  email: string
  role: string
  permissions: ReadonlySet<string>
  sessionId: string
  /** Whether the user has a temporary password, and may only change it. */
  mustChangePassword: boolean
}

/** Whether a caller holds a permission. */
export const hasPermission = (caller: Caller, permission: PermissionName): boolean => caller.permissions.has(permission)
