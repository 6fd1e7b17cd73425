import { roles } from '../../shared/api/roles.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { requirePermissions } from '../../shared/store/permissions.ts'
import { changeRole } from '../../shared/store/roles.ts'

export const handler = handle(roles.update)(async ({ params, body, user, write }) => {
  const { permissions = [], quota } = body
  await requirePermissions(permissions)
  if (quota) requireNoWider(user, quota)
  return changeRole(params.role_id, body, write, role => requireRank(user, [...role.permissions, ...permissions]))
})
