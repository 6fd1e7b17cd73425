import { notFound } from '../../shared/api/problems.ts'
import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireRank, requireRankOver } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findRecord } from '../../shared/store/records.ts'
import { purgeRemoved, removeOwner, roleOfRemoved } from '../../shared/store/removed-owners.ts'
import {
  permissionsOfAccount,
  removeServiceAccount,
  SERVICE_ACCOUNT,
  type ServiceAccountRecord,
} from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.delete)(async ({ params: { account_id: id }, query, user, write }) => {
  const account = await findRecord<ServiceAccountRecord>(SERVICE_ACCOUNT, id)
  const purges = query.purge === 'true'
  // What was removed without a purge can be purged later.
  const role = account?.role ?? (purges ? await roleOfRemoved(SERVICE_ACCOUNT, id) : undefined)
  if (role === undefined) throw notFound('service account')
  const check = async (account: ServiceAccountRecord) => requireRank(user, await permissionsOfAccount(account))
  await (account ? check(account) : requireRankOver(user)({ role }))
  if (account) await removeOwner(SERVICE_ACCOUNT, id, { purges, remove: () => removeServiceAccount(id, check, write) })
  else if (!(await purgeRemoved(SERVICE_ACCOUNT, id, write))) throw notFound('service account')
  return { id, deleted: true as const }
})
