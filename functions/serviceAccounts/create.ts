import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { requireScopes } from '../../shared/auth/scopes.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createServiceAccount, permissionsOfAccount } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.create)(async ({ body, user }) => {
  await requireScopes(body.permissions)
  requireRank(user, await permissionsOfAccount(body))
  return createServiceAccount(body)
})
