import { ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { blockUser } from '../../shared/store/users.ts'

export const handler = handle(users.block)(({ params: { user_id: id }, body: { blocked }, user: caller, write }) => {
  if (blocked && id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['path', 'user_id'] })
  return blockUser(id, blocked, write, requireRankOver(caller))
})
