import { ProblemError } from '../api/problems.ts'
import { isKnownNetwork, rememberNetwork } from '../store/login-networks.ts'
import { claimAttempt, countFailure, type Subject, secondsLocked, withdrawAttempt } from '../store/login-throttle.ts'

/** Who wants to log in, as far as there is such a user, and the network that they call from. */
export type Applicant = { email: string; user?: { id: string; sessionEpoch: number }; network: string }

/** Leave for one check of a password. */
export type LoginPermit = {
  /** Whether the right password counts; where it doesn't, the check only takes its time. */
  counts: boolean
  /** Notes that the password was right. */
  succeed(): Promise<void>
  /** Notes that it was right, but something else is still to be given. */
  withdraw(): Promise<void>
  /** Notes that it was wrong, or a code besides it, and answers the refusal. */
  fail(type?: 'invalid_credentials' | 'invalid_code'): Promise<ProblemError>
}

/** The refusal of whoever must wait (429). */
const tooMany = (seconds: number) => new ProblemError({ type: 'too_many_attempts' }, { 'Retry-After': String(seconds) })

/** Refuses an address that has failed too often (429), before anything is counted against an account. */
export async function requireOpenAddress(network: string): Promise<void> {
  const wait = await secondsLocked({ kind: 'address', value: network })
  if (wait > 0) throw tooMany(wait)
}

/**
 * Leave to check a password once. While an account is locked, each network has tries of its own, in which the right
 * password counts only where the account has logged in from before; refuses when these are used up too (429). What is
 * answered, written and waited for is the same whether there is such an account and whether it knows the network.
 */
export async function requestLogin({ email, user, network }: Applicant): Promise<LoginPermit> {
  // Failures belong to the password that was guessed at: one that is set anew begins with none.
  const name = `${email.toLowerCase()}#${user?.sessionEpoch ?? 0}`
  const account: Subject = { kind: 'account', value: name }
  const known = await isKnownNetwork(user?.id ?? 'nobody', network)
  const claim = await claimAttempt(account)
  const failing = () => countFailure({ kind: 'address', value: network })
  if (claim.wait === 0) {
    return {
      counts: true,
      withdraw: () => withdrawAttempt(account, claim),
      succeed: async () => {
        await Promise.all([withdrawAttempt(account, claim), rememberNetwork(user!.id, network)])
      },
      fail: async (type = 'invalid_credentials') => {
        await failing()
        return new ProblemError({ type }, { 'WWW-Authenticate': 'Bearer' })
      },
    }
  }
  const place: Subject = { kind: 'place', value: `${name}#${network}` }
  const own = await claimAttempt(place)
  if (own.wait > 0) throw tooMany(claim.wait)
  return {
    counts: known,
    withdraw: () => withdrawAttempt(place, own),
    succeed: async () => {
      await Promise.all([withdrawAttempt(place, own), rememberNetwork(user!.id, network)])
    },
    fail: async () => {
      await failing()
      return tooMany(claim.wait)
    },
  }
}

/** Leave to check a password or code of a user who is logged in: whoever has stolen a session guesses no faster (429). */
export async function requestProof(user: { id: string; sessionEpoch: number }): Promise<Pick<LoginPermit, 'succeed'>> {
  const subject: Subject = { kind: 'account', value: `session#${user.id}#${user.sessionEpoch}` }
  const claim = await claimAttempt(subject)
  if (claim.wait > 0) throw tooMany(claim.wait)
  return { succeed: () => withdrawAttempt(subject, claim) }
}
