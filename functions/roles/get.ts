import { roles } from '../../shared/api/roles.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getRole } from '../../shared/store/roles.ts'

export const handler = handle(roles.get)(({ params }) => getRole(params.role_id))
