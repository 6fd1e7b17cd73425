import { ProblemError } from '../api/problems.ts'
import { isWithin } from '../auth/address-ranges.ts'
import { unauthenticated, type WorkloadClaims } from '../auth/tokens.ts'
import { nameOfWorkload } from '../auth/workloads.ts'
import { keepAhead, type Place } from '../store/ahead.ts'
import { getTogether } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { SERVICE_ACCOUNT, type ServiceAccountRecord, standingOfAccount } from '../store/service-accounts.ts'
import { type Caller, limiting } from './caller.ts'

/**
 * The service account that an access token was given for, sent from an address. The account is read on each request, so
 * that a workload that is no longer trusted as it was then, a block and a changed role act on the very next one.
 */
export async function authenticateWorkload(
  { accountId, workload, scope, issuedAt }: WorkloadClaims,
  address: string,
  besides: Place[],
): Promise<Caller> {
  const place = { table: SERVICE_ACCOUNT.table, key: keyOf(SERVICE_ACCOUNT, accountId) }
  const [found, ...items] = await getTogether([place, ...besides])
  keepAhead(besides, items)
  const account = found as ServiceAccountRecord | undefined
  const isTrusted = account?.workloads?.some(one => nameOfWorkload(one) === workload)
  if (!account || account.blocked || !isTrusted) throw unauthenticated('token_expired')
  if (!isWithin(account.networks, address))
    throw new ProblemError({ type: 'address_not_allowed', msg: 'The access token may not be used from this address' })
  const { permissions: permitted, quota } = await standingOfAccount(account)
  const permissions = new Set(scope ? permitted.filter(name => scope.includes(name)) : permitted)
  const rank = { permissions, quota: limiting(quota) }
  const caller = { id: account.id, ...rank, amr: 'workload' as const, authTime: issuedAt, sessionId: workload }
  return { ...caller, mustChangePassword: false, mustSetUpSecondFactor: false }
}
