import { permissions } from '../../shared/api/permissions.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listPermissions, permissionsAhead } from '../../shared/store/permissions.ts'

export const handler = handle(permissions.list)(async call => listed(call, await listPermissions(call.page)), {
  ahead: ({ page }) => permissionsAhead(page),
})
