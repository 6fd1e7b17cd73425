import type { PermissionName } from '../api/permission-names.ts'
import type { Quota } from '../api/roles.ts'
import type { SessionProof } from '../store/sessions.ts'

/** Who makes a request: a user, or a service account. */
export type Caller = {
  id: string
  permissions: ReadonlySet<string>
  /** How much the caller may bring in on one day; absent where there is no limit. */
  quota?: Quota
  /**
   * What proved it: a session that began with a password, or also a code; by a provider, or by several factors as it says;
   * or a key of a service account, or a workload that it trusts.
   */
  amr: SessionProof['amr'] | 'key' | 'workload'
  /**
   * When the session began, or the second factor was turned on in it; when the provider asked the person, 0 where it does not
   * say. Milliseconds since 1970.
   */
  authTime: number
  /** The session, the key or the workload. */
  sessionId: string
  /** Whether the user has a temporary password, and may only change it. */
  mustChangePassword: boolean
  /** Whether the user's role needs a second factor that the user has not set up, and may only do that. */
  mustSetUpSecondFactor: boolean
}

/** Whether a caller is a program and no person. */
export const isProgram = ({ amr }: Caller): boolean => amr === 'key' || amr === 'workload'

/** A quota as callers have it: absent where it limits nothing. */
export const limiting = (quota: Quota | undefined): Quota | undefined =>
  quota?.bytesPerDay === undefined && quota?.jobsPerDay === undefined ? undefined : quota

/** Whether a caller holds a permission. */
export const hasPermission = (caller: Caller, permission: PermissionName): boolean => caller.permissions.has(permission)
