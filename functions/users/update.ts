import { ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireNoWider, requireRank, requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { standingOf } from '../../shared/store/roles.ts'
import { type UserRecord, updateUser } from '../../shared/store/users.ts'

export const handler = handle(users.update)(({ params, body, user: caller, write }) => {
  const check = async (user: UserRecord) => {
    await requireRankOver(caller)(user)
    if (body.role === undefined || body.role === user.role) return
    if (user.id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['body', 'role'] })
    const given = await standingOf(body.role)
    requireRank(caller, given?.permissions)
    requireNoWider(caller, given?.quota)
  }
  return updateUser(params.user_id, body, write, check)
})
