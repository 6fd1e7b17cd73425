import { defaultPermissions } from '../api/permission-names.ts'
import { ProblemError } from '../api/problems.ts'

/**
 * Refuses (403) to hand out permissions, or to act on somebody who has permissions, that the caller lacks: nobody
 * rises by way of others. Permissions that no endpoint asks for are anybody's to give.
 */
export function requireRank(caller: { permissions: ReadonlySet<string> }, permissions: readonly string[] = []): void {
  const lacking = permissions.filter(name => Object.hasOwn(defaultPermissions, name) && !caller.permissions.has(name))
  if (lacking.length === 0) return
  throw new ProblemError({ type: 'permission_denied', msg: `This needs the permissions ${lacking.join(', ')}` })
}
