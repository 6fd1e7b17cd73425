import { users } from '../../shared/api/users.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { permissionsOf } from '../../shared/store/roles.ts'
import { getUser, removeSecondFactor } from '../../shared/store/users.ts'

export const handler = handle(users.resetSecondFactor)(async ({ params, user: caller, write }) => {
  const user = await getUser(params.user_id)
  requireRank(caller, await permissionsOf(user.role))
  return removeSecondFactor(user.id, write)
})
