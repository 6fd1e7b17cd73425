import { users } from '../../shared/api/users.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser } from '../../shared/store/users.ts'

export const handler = handle(users.get)(({ params }) => getUser(params.user_id))
