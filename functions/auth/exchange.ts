import { auth } from '../../shared/api/auth.ts'
import { ACCESS_SECONDS } from '../../shared/api/bounds.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { isWithin } from '../../shared/auth/address-ranges.ts'
import { networkOf } from '../../shared/auth/network.ts'
import { createWorkloadToken } from '../../shared/auth/tokens.ts'
import { nameOfWorkload } from '../../shared/auth/workloads.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { type Exchangeable, findWorkload, refuseExchange } from '../../shared/identity/exchange.ts'
import type { Transact } from '../../shared/store/dynamo.ts'
import { takeToken } from '../../shared/store/exchanged-tokens.ts'
import { countGuess, findGuarded } from '../../shared/store/key-guesses.ts'
import { permissionsOfAccount, type ServiceAccountRecord } from '../../shared/store/service-accounts.ts'

export const handler = handle(auth.exchange)(async ({ body, request, note, write }) => {
  const { client_id: accountId, subject_token: token } = body
  const scope = body.scope?.split(' ')
  const guesser = { accountId, network: networkOf(request.address), of: 'TOKENS' as const }
  const account = await findGuarded(guesser)
  if (account) note({ userId: accountId })
  try {
    const { workload, take } = await admit(account, { accountId, token, address: request.address })
    const permitted = await permissionsOfAccount(account!)
    if (scope?.some(name => !permitted.includes(name)))
      throw new ProblemError({ type: 'scope_not_allowed', loc: ['body', 'scope'] })
    await take(write)
    return {
      access_token: await createWorkloadToken({ accountId, workload, ...(scope && { scope }) }),
      issued_token_type: body.requested_token_type ?? ISSUED,
      token_type: 'Bearer' as const,
      expires_in: ACCESS_SECONDS,
      scope: (scope ?? permitted).join(' '),
    }
  } catch (error) {
    if (error instanceof ProblemError && error.detail[0]?.type === 'exchange_refused') await countGuess(guesser)
    throw error
  }
})

const ISSUED = 'urn:ietf:params:oauth:token-type:access_token'

/** The workload whose token it is, by its name, and what takes the token where it may be used only once. */
async function admit(
  account: ServiceAccountRecord | undefined,
  { accountId, token, address }: { accountId: string; token: string; address: string },
): Promise<{ workload: string; take(write: Transact): Promise<void> }> {
  if (!account) throw refuseExchange(accountId, 'no such service account')
  const { workload, hash, until }: Exchangeable = await findWorkload(account, token)
  if (account.blocked) throw refuseExchange(accountId, 'blocked')
  if (!isWithin(account.networks, address)) throw refuseExchange(accountId, 'address not allowed')
  const take = async (write: Transact) => {
    if (workload.singleUse && !(await takeToken(hash, until, write))) throw refuseExchange(accountId, 'used before')
  }
  return { workload: nameOfWorkload(workload), take }
}
