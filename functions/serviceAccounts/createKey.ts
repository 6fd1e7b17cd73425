import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { newKey } from '../../shared/auth/account-keys.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { handle } from '../../shared/http/endpoint.ts'
import {
  changeServiceAccount,
  type ServiceAccountRecord,
  standingOfAccount,
  withNewKey,
} from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.createKey)(async ({ params, body, user, write }) => {
  const { key, hash } = newKey(params.account_id)
  const adding = async (account: ServiceAccountRecord) => {
    // Whoever makes a key can use it.
    const { permissions, quota } = await standingOfAccount(account)
    requireRank(user, permissions)
    requireNoWider(user, quota)
    return { keys: withNewKey(account, { hash, days: body.expiresInDays }) }
  }
  const { keys } = await changeServiceAccount(params.account_id, adding, write)
  return { ...keys.at(-1)!, key }
})
