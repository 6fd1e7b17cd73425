import { auth } from '../../shared/api/auth.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser } from '../../shared/store/users.ts'

export const handler = handle(auth.me)(({ user }) => getUser(user.id))
