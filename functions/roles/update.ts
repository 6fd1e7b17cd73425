import { roles } from '../../shared/api/roles.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { requirePermissions } from '../../shared/store/permissions.ts'
import { changeRole, getRole } from '../../shared/store/roles.ts'

export const handler = handle(roles.update)(async ({ params, body, user, write }) => {
  const role = await getRole(params.role_id)
  await requirePermissions(body.permissions ?? [])
  requireRank(user, [...role.permissions, ...(body.permissions ?? [])])
  if (body.quota) requireNoWider(user, body.quota)
  return changeRole(role.id, body, write)
})
