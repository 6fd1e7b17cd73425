import { randomInt, randomUUID } from 'node:crypto'
import { settings } from '../settings.ts'
import { createItem, type Item, transact, ttlIn, updateItem } from './dynamo.ts'

const keyOf = (name: string, slot: number) => ({ pk: `LEASE#${name}`, sk: String(slot).padStart(3, '0') })

/** A place that is held: `signal` aborts when it was lost, because its holder seemed to be gone. */
export type Lease = { signal: AbortSignal; release(): Promise<void> }

/**
 * Takes one of so many places of a name, for as long as the holder renews it; undefined when all are taken. Workers
 * that crash leave theirs to whoever comes after `LEASE_SECONDS`.
 */
export async function takeLease(name: string, slots: number): Promise<Lease | undefined> {
  const holder = randomUUID()
  const seconds = settings().LEASE_SECONDS
  // Each begins elsewhere, so that many who come at the same moment do not all try the same place first.
  const first = randomInt(slots)
  for (let n = 0; n < slots; n++) {
    const key = keyOf(name, (first + n) % slots)
    const ttl = ttlIn(seconds)
    if (await createItem('jobs', { ...key, holder, ttl })) return hold(key, holder, seconds, ttl)
  }
  return undefined
}

function hold(key: Pick<Item, 'pk' | 'sk'>, holder: string, seconds: number, first: number): Lease {
  const lost = new AbortController()
  const mine = { condition: '#holder = :holder', names: { '#holder': 'holder' }, values: { ':holder': holder } }
  let until = first
  const renew = async () => {
    const ttl = ttlIn(seconds)
    const change = {
      update: 'SET #ttl = :ttl',
      ...mine,
      names: { ...mine.names, '#ttl': 'ttl' },
      values: { ...mine.values, ':ttl': ttl },
    }
    // A renewal that fails may succeed the next time; once the time is over another may hold the place.
    const renewed = await updateItem('jobs', key, change).catch(() => 'unknown')
    if (renewed === undefined || (renewed === 'unknown' && Date.now() >= until * 1000)) lost.abort(new LeaseLost())
    else if (renewed !== 'unknown') until = ttl
  }
  const timer = setInterval(renew, (seconds * 1000) / 4)
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      await transact([{ table: 'jobs', delete: key, condition: mine }])
    },
  }
}

/** Ends the work of a holder whose place may be another's by now: the message comes again. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
