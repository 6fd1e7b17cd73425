import { ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { permissionsOf, standingOf } from '../../shared/store/roles.ts'
import { getUser, updateUser } from '../../shared/store/users.ts'

export const handler = handle(users.update)(async ({ params, body, user: caller, write }) => {
  const user = await getUser(params.user_id)
  requireRank(caller, await permissionsOf(user.role))
  if (body.role !== undefined && body.role !== user.role) {
    if (user.id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['body', 'role'] })
    const given = await standingOf(body.role)
    requireRank(caller, given?.permissions)
    requireNoWider(caller, given?.quota)
  }
  return updateUser(user.id, body, write)
})
