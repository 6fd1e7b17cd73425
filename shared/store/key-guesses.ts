import { type Item, type Place, ttlIn, updateItem } from './dynamo.ts'

/** Wrong keys of one account that a network may send in a window. */
const MOST = 10
/** Window that they are counted in, seconds. */
const WINDOW_SECONDS = 900

/** Whose key is guessed, whether or not there is such an account, and the network that the guesses come from. */
type Guesser = { accountId: string; network: string }

const windowOf = (now: number) => Math.floor(now / 1000 / WINDOW_SECONDS)

const keyOfGuesses = ({ accountId, network }: Guesser) => ({
  pk: `GUESSES#${accountId}#${network}#${windowOf(Date.now())}`,
  sk: 'GUESSES',
})

/** Where the guesses of the present window are counted. */
export const placeOfGuesses = (guesser: Guesser): Place => ({ table: 'rates', key: keyOfGuesses(guesser) })

/** Seconds that a network must wait before any key of an account is looked at, by the row of its guesses; 0 when it need not. */
export function secondsToWait(row: Item | undefined): number {
  if (((row?.wrong as number | undefined) ?? 0) < MOST) return 0
  const now = Date.now()
  return Math.max(1, Math.ceil((windowOf(now) + 1) * WINDOW_SECONDS - now / 1000))
}

/** Counts a wrong key. */
export async function countGuess(guesser: Guesser): Promise<void> {
  await updateItem('rates', keyOfGuesses(guesser), {
    update: 'ADD wrong :one SET #ttl = :ttl',
    names: { '#ttl': 'ttl' },
    values: { ':one': 1, ':ttl': ttlIn(2 * WINDOW_SECONDS) },
  })
}
