import { randomUUID } from 'node:crypto'
import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { requireNoWider, requireRank } from '../../shared/auth/rank.ts'
import { requireScopes } from '../../shared/auth/scopes.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createServiceAccount, standingOfAccount } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.create)(async ({ body, user, note, write }) => {
  await requireScopes(body.permissions)
  const { permissions, quota } = await standingOfAccount(body)
  requireRank(user, permissions)
  requireNoWider(user, quota)
  const id = randomUUID()
  note({ newId: id })
  return createServiceAccount({ ...body, id }, write)
})
