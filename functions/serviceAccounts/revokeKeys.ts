import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import {
  changeServiceAccount,
  permissionsOfAccount,
  type ServiceAccountRecord,
  withRevoked,
} from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.revokeKeys)(({ params, body, user, write }) => {
  const revoking = async (account: ServiceAccountRecord) => {
    requireRank(user, await permissionsOfAccount(account))
    return { keys: withRevoked(account, body.keyIds) }
  }
  return changeServiceAccount(params.account_id, revoking, write)
})
