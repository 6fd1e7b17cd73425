import { auth } from '../../shared/api/auth.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser } from '../../shared/store/users.ts'

export const handler = handle(auth.me)(async ({ user: { id, permissions } }) => ({
  ...(await getUser(id)),
  permissions: [...permissions],
}))
