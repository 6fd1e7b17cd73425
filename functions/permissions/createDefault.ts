import { permissions } from '../../shared/api/permissions.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createDefaultPermissions } from '../../shared/store/permissions.ts'

export const handler = handle(permissions.createDefault)(({ write }) => createDefaultPermissions(write))
