import { ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { permissionsOf } from '../../shared/store/roles.ts'
import { blockUser, getUser } from '../../shared/store/users.ts'

export const handler = handle(users.block)(async ({ params, body: { blocked }, user: caller, write }) => {
  const user = await getUser(params.user_id)
  requireRank(caller, await permissionsOf(user.role))
  if (blocked && user.id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['path', 'user_id'] })
  return blockUser(user.id, blocked, write)
})
