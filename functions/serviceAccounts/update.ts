import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { requireScopes } from '../../shared/auth/scopes.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changeServiceAccount, permissionsOfAccount, standingOfAccount } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.update)(async ({ params, body, user }) => {
  await requireScopes(body.permissions ?? [])
  return changeServiceAccount(params.account_id, async account => {
    const { role = account.role, permissions = account.permissions } = body
    requireRank(user, await permissionsOfAccount(account))
    const given = await standingOfAccount({ role, permissions })
    requireRank(user, given.permissions)
    requireNoWider(user, given.quota)
    return body
  })
})
