import { permissions } from '../../shared/api/permissions.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createPermission, permissionIdOf } from '../../shared/store/permissions.ts'

export const handler = handle(permissions.create)(({ body, note, write }) => {
  note({ newId: permissionIdOf(body.name) })
  return createPermission(body, write)
})
