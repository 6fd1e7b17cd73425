import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changeServiceAccount, permissionsOfAccount, withRevoked } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.revokeKeys)(({ params, body, user }) =>
  changeServiceAccount(params.account_id, async account => {
    requireRank(user, await permissionsOfAccount(account))
    return { keys: withRevoked(account, body.keyIds) }
  }),
)
