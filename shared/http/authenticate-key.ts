import { ProblemError } from '../api/problems.ts'
import { readKey } from '../auth/account-keys.ts'
import { isWithin } from '../auth/address-ranges.ts'
import { networkOf } from '../auth/network.ts'
import { unauthenticated } from '../auth/tokens.ts'
import { countGuess, findGuarded } from '../store/key-guesses.ts'
import { isInUse, keyOfHash, standingOfAccount } from '../store/service-accounts.ts'
import { type Caller, limiting } from './caller.ts'

/**
 * The service account that a key sent from an address belongs to. It is read on each request, so that a revoked key, a
 * block and a changed role act on the very next one. What is read and written for a wrong key is the same whether there
 * is such an account or not.
 */
export async function authenticateKey(sent: string, address: string): Promise<Caller> {
  const claim = readKey(sent)
  if (!claim) throw unauthenticated('invalid_token')
  const guesser = { accountId: claim.accountId, network: networkOf(address), of: 'KEYS' as const }
  const account = await findGuarded(guesser)
  const key = keyOfHash(account, claim.hash)
  if (!account || !key) {
    await countGuess(guesser)
    throw unauthenticated('invalid_token')
  }
  if (account.blocked || !isInUse(key)) throw unauthenticated('token_expired')
  if (!isWithin(account.networks, address)) throw new ProblemError({ type: 'address_not_allowed' })
  const { permissions, quota } = await standingOfAccount(account)
  const rank = { permissions: new Set(permissions), quota: limiting(quota) }
  const caller = { id: account.id, ...rank, amr: 'key' as const, authTime: Date.parse(key.createdAt) }
  return { ...caller, sessionId: key.id, mustChangePassword: false, mustSetUpSecondFactor: false }
}
