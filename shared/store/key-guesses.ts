import { ProblemError } from '../api/problems.ts'
import type { Place } from './ahead.ts'
import { getTogether, type Item, ttlIn, updateItem } from './dynamo.ts'
import { keyOf } from './records.ts'
import { SERVICE_ACCOUNT, type ServiceAccountRecord } from './service-accounts.ts'

/** Wrong keys of one account that a network may send in a window, and wrong tokens of workloads. */
const MOST = 10
/** Window that they are counted in, seconds. */
const WINDOW_SECONDS = 900

/** What is guessed and whose, whether or not there is such an account, and the network that the guesses come from. */
type Guesser = { accountId: string; network: string; of: 'KEYS' | 'TOKENS' }

const windowOf = (now: number) => Math.floor(now / 1000 / WINDOW_SECONDS)

const keyOfGuesses = ({ accountId, network, of }: Guesser) => ({
  pk: `GUESSES#${accountId}#${network}#${windowOf(Date.now())}`,
  sk: of,
})

/** Where the guesses of the present window are counted. */
const placeOfGuesses = (guesser: Guesser): Place => ({ table: 'rates', key: keyOfGuesses(guesser) })

const MESSAGES = {
  KEYS: 'Too many wrong keys of this service account',
  TOKENS: 'Too many wrong tokens for this service account',
}

/**
 * A service account if there is one, read together with the guesses at it; refuses a network that has guessed too often,
 * before anything that it sends is looked at (429).
 */
export async function findGuarded(guesser: Guesser): Promise<ServiceAccountRecord | undefined> {
  const [account, guesses] = await getTogether([
    { table: SERVICE_ACCOUNT.table, key: keyOf(SERVICE_ACCOUNT, guesser.accountId) },
    placeOfGuesses(guesser),
  ])
  const wait = secondsToWait(guesses)
  if (wait > 0) {
    const msg = MESSAGES[guesser.of]
    throw new ProblemError({ type: 'too_many_attempts', msg }, { 'Retry-After': String(wait) })
  }
  return account as (ServiceAccountRecord & Item) | undefined
}

/** Seconds that a network must wait before any key of an account is looked at, by the row of its guesses; 0 when it need not. */
function secondsToWait(row: Item | undefined): number {
  if (((row?.wrong as number | undefined) ?? 0) < MOST) return 0
  const now = Date.now()
  return Math.max(1, Math.ceil((windowOf(now) + 1) * WINDOW_SECONDS - now / 1000))
}

/** Counts a wrong key or token. */
export async function countGuess(guesser: Guesser): Promise<void> {
  await updateItem('rates', keyOfGuesses(guesser), {
    update: 'ADD wrong :one SET #ttl = :ttl',
    names: { '#ttl': 'ttl' },
    values: { ':one': 1, ':ttl': ttlIn(2 * WINDOW_SECONDS) },
  })
}
