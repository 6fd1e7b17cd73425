import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { requireScopes } from '../../shared/auth/scopes.ts'
import { handle } from '../../shared/http/endpoint.ts'
import {
  changeServiceAccount,
  permissionsOfAccount,
  type ServiceAccountRecord,
  standingOfAccount,
} from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.update)(async ({ params, body, user, write }) => {
  await requireScopes(body.permissions ?? [])
  const change = async (account: ServiceAccountRecord) => {
    const { role = account.role, permissions = account.permissions } = body
    requireRank(user, await permissionsOfAccount(account))
    const given = await standingOfAccount({ role, permissions })
    requireRank(user, given.permissions)
    requireNoWider(user, given.quota)
    return body
  }
  return changeServiceAccount(params.account_id, change, write)
})
