import { notFound, ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { findRecord } from '../../shared/store/records.ts'
import { permissionsOf } from '../../shared/store/roles.ts'
import { forgetRemoved, removeUser, roleOfRemoved, USER, type UserRecord } from '../../shared/store/users.ts'

export const handler = handle(users.delete)(async ({ params: { user_id: id }, query, user: caller }) => {
  const user = await findRecord<UserRecord>(USER, id)
  const purges = query.purge === 'true'
  // Whoever was removed without a purge can be purged later.
  const role = user?.role ?? (purges ? await roleOfRemoved(id) : undefined)
  if (role === undefined) throw notFound('user')
  requireRank(caller, await permissionsOf(role))
  if (id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['path', 'user_id'] })
  const purge = { type: 'PURGE', ownerId: id } as const
  // Sent first and late too: should the second sending fail, nobody could ask for the purge again.
  if (purges) await sendMessages('jobs', id, [purge], 60)
  if (user) await removeUser(id)
  if (purges) {
    await sendMessages('jobs', id, [purge])
    await forgetRemoved(id)
  }
  return { id, deleted: true as const }
})
