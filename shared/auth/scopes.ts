import { forPeople } from '../api/permission-names.ts'
import { ProblemError } from '../api/problems.ts'
import { requirePermissions } from '../store/permissions.ts'

/** Refuses permissions that don't exist, or that service accounts can't have (422), each with its place. */
export async function requireScopes(names: readonly string[]): Promise<void> {
  await requirePermissions(names)
  const refused = names.flatMap((name, n) =>
    forPeople.has(name) ? [{ type: 'permission_for_people' as const, loc: ['body', 'permissions', String(n)] }] : [],
  )
  if (refused.length > 0) throw new ProblemError(refused)
}
