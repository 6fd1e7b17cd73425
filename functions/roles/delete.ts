import { roles } from '../../shared/api/roles.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { removeRole } from '../../shared/store/roles.ts'

export const handler = handle(roles.delete)(async ({ params, write }) => {
  await removeRole(params.role_id, write)
  return { id: params.role_id, deleted: true as const }
})
