import { auth } from '../../shared/api/auth.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getUser } from '../../shared/store/users.ts'

export const handler = handle(auth.me)(async ({ user: { id, permissions } }) => {
  const { secondFactor, ...user } = await getUser(id)
  return { ...user, permissions: [...permissions], ...(secondFactor && { secondFactor: true as const }) }
})
