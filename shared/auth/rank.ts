import { defaultPermissions } from '../api/permission-names.ts'
import { ProblemError } from '../api/problems.ts'
import type { Quota } from '../api/roles.ts'
import { permissionsOf } from '../store/roles.ts'

/**
 * Refuses (403) to hand out permissions, or to act on somebody who has permissions, that the caller lacks: nobody
 * rises by way of others. Permissions that no endpoint asks for are anybody's to give.
 */
export function requireRank(caller: { permissions: ReadonlySet<string> }, permissions: readonly string[] = []): void {
  const lacking = permissions.filter(name => Object.hasOwn(defaultPermissions, name) && !caller.permissions.has(name))
  if (lacking.length === 0) return
  throw new ProblemError({ type: 'permission_denied', msg: `This needs the permissions ${lacking.join(', ')}` })
}

/** Refuses (403) to act on somebody whose role has permissions that the caller lacks. */
export const requireRankOver =
  (caller: { permissions: ReadonlySet<string> }) =>
  async ({ role }: { role: string }): Promise<void> =>
    requireRank(caller, await permissionsOf(role))

/** Refuses (403) somebody who has a quota to hand out a wider one, or none: nobody gets more by way of others. */
export function requireNoWider(caller: { quota?: Quota }, quota: Quota = {}): void {
  for (const limit of ['bytesPerDay', 'jobsPerDay'] as const) {
    const own = caller.quota?.[limit]
    if (own === undefined || (quota[limit] ?? Number.POSITIVE_INFINITY) <= own) continue
    throw new ProblemError({ type: 'permission_denied', msg: `Your own ${limit} is ${own}` })
  }
}
