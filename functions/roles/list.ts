import { roles } from '../../shared/api/roles.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRoles, rolesAhead } from '../../shared/store/roles.ts'

export const handler = handle(roles.list)(async call => listed(call, await listRoles(call.page)), {
  ahead: ({ page }) => rolesAhead(page),
})
