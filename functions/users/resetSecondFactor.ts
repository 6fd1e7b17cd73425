import { users } from '../../shared/api/users.ts'
import { requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { removeSecondFactor } from '../../shared/store/users.ts'

export const handler = handle(users.resetSecondFactor)(({ params, user: caller, write }) =>
  removeSecondFactor(params.user_id, write, requireRankOver(caller)),
)
