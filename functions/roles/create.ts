import { randomUUID } from 'node:crypto'
import { roles } from '../../shared/api/roles.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { requirePermissions } from '../../shared/store/permissions.ts'
import { createRole } from '../../shared/store/roles.ts'

export const handler = handle(roles.create)(async ({ body, user, note, write }) => {
  await requirePermissions(body.permissions)
  requireRank(user, body.permissions)
  requireNoWider(user, body.quota)
  const id = randomUUID()
  note({ newId: id })
  return createRole({ ...body, id }, write)
})
