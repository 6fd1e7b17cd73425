import type { Place } from './ahead.ts'
import { getItem, ttlIn, type Write } from './dynamo.ts'

const keyOf = (look: string) => ({ pk: `LOOK#${look}`, sk: 'LOOK' })

/** Where it stands that a look was remembered. */
export const placeOfLook = (look: string): Place => ({ table: 'rates', key: keyOf(look) })

/** Whether a look was remembered and its time is not over. */
export const wasRecorded = async (look: string): Promise<boolean> => (await getItem('rates', keyOf(look))) !== undefined

/** The write that remembers a look for so long: for a transaction together with its entry. */
export const notingRecorded = (look: string, seconds: number): Write => ({
  table: 'rates',
  put: { ...keyOf(look), ttl: ttlIn(seconds) },
})
