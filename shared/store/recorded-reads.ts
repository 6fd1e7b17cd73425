import type { Place } from './ahead.ts'
import { getItem, putItem, ttlIn } from './dynamo.ts'

const keyOf = (look: string) => ({ pk: `LOOK#${look}`, sk: 'LOOK' })

/** Where it stands that a look was remembered. */
export const placeOfLook = (look: string): Place => ({ table: 'rates', key: keyOf(look) })

/** Whether a look was remembered and its time is not over. */
export const wasRecorded = async (look: string): Promise<boolean> => (await getItem('rates', keyOf(look))) !== undefined

/** Remembers a look for so long. */
export const noteRecorded = (look: string, seconds: number): Promise<void> =>
  putItem('rates', { ...keyOf(look), ttl: ttlIn(seconds) })
