import { notFound, ProblemError } from '../../shared/api/problems.ts'
import { users } from '../../shared/api/users.ts'
import { requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findRecord } from '../../shared/store/records.ts'
import { purgeRemoved, removeOwner, roleOfRemoved } from '../../shared/store/removed-owners.ts'
import { removeUser, USER, type UserRecord } from '../../shared/store/users.ts'

export const handler = handle(users.delete)(async ({ params: { user_id: id }, query, user: caller, write }) => {
  const user = await findRecord<UserRecord>(USER, id)
  const purges = query.purge === 'true'
  // Whoever was removed without a purge can be purged later.
  const role = user?.role ?? (purges ? await roleOfRemoved(USER, id) : undefined)
  if (role === undefined) throw notFound('user')
  const check = requireRankOver(caller)
  await check({ role })
  if (id === caller.id) throw new ProblemError({ type: 'own_account', loc: ['path', 'user_id'] })
  if (user) await removeOwner(USER, id, { purges, remove: () => removeUser(id, write, check) })
  else if (!(await purgeRemoved(USER, id, write))) throw notFound('user')
  return { id, deleted: true as const }
})
