import { Refusal } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { permissionsOf } from '../../shared/store/roles.ts'
import { getUser, removeUser } from '../../shared/store/users.ts'

export const handler = handle(users.delete)(async ({ params, query, user: caller }) => {
  const user = await getUser(params.user_id)
  requireRank(caller, await permissionsOf(user.role))
  if (user.id === caller.id) throw new Refusal({ type: 'own_account', loc: ['path', 'user_id'] })
  const purge = { type: 'PURGE', ownerId: user.id } as const
  // Sent first and late too: should the second sending fail, nobody could ask for the purge again.
  if (query.purge === 'true') await sendMessages('jobs', user.id, [purge], 60)
  await removeUser(user.id)
  if (query.purge === 'true') await sendMessages('jobs', user.id, [purge])
  return { id: user.id, deleted: true as const }
})
