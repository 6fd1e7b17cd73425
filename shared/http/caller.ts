import type { PermissionName } from '../api/permission-names.ts'

/** Who makes a request: a user, or a service account. */
export type Caller = {
  id: string
  permissions: ReadonlySet<string>
  /** What proved it (RFC 8176): a session that began with a password, or a key of a service account. */
  amr: 'pwd' | 'key'
  /** The session, or the key. */
  sessionId: string
  /** Whether the user has a temporary password, and may only change it. */
  mustChangePassword: boolean
}

/** Whether a caller holds a permission. */
export const hasPermission = (caller: Caller, permission: PermissionName): boolean => caller.permissions.has(permission)
