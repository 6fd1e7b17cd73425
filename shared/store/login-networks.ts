import { deleteItem, getItem, type Item, putItem, ttlIn } from './dynamo.ts'
import { keyedDigest } from './keys.ts'

/** How long a place is known after a log-in from it, seconds. */
const KEPT_SECONDS = 90 * 24 * 3600
/** A log-in within this time of the one noted before isn't noted again, seconds. */
const FRESH_SECONDS = 24 * 3600
/** Most places of one account; the ones longest unused are forgotten. */
const MAX = 10

/** The networks that an account has logged in from: when last (epoch seconds), by keyed digest. */
type Places = Item & { seen: Record<string, number> }

const keyOfPlaces = (userId: string) => ({ pk: `USER#${userId}`, sk: 'PLACES' })

/** The same network is another digest for each account, so rows don't tell who shares one. */
const placeOf = (userId: string, network: string) => keyedDigest('log-in places', `${userId}#${network}`)

/** Whether somebody has logged in from a network before; unknown people cost the same reads. */
export async function isKnownNetwork(userId: string, network: string): Promise<boolean> {
  const [row, place] = await Promise.all([getItem<Places>('sessions', keyOfPlaces(userId)), placeOf(userId, network)])
  return row !== undefined && Object.hasOwn(row.seen, place) && row.seen[place]! > ttlIn(-KEPT_SECONDS)
}

/** Notes that somebody has logged in from a network. */
export async function rememberNetwork(userId: string, network: string): Promise<void> {
  const [key, place] = [keyOfPlaces(userId), await placeOf(userId, network)]
  const { seen = {} } = (await getItem<Places>('sessions', key)) ?? {}
  const now = ttlIn(0)
  if ((seen[place] ?? 0) > now - FRESH_SECONDS) return
  const latest = Object.entries({ ...seen, [place]: now }).sort(([, a], [, b]) => b - a)
  const kept = Object.fromEntries(latest.filter(([, at]) => at > now - KEPT_SECONDS).slice(0, MAX))
  await putItem('sessions', { ...key, seen: kept, ttl: now + KEPT_SECONDS })
}

/** Forgets all places of somebody. */
export const forgetNetworks = (userId: string): Promise<void> => deleteItem('sessions', keyOfPlaces(userId))
