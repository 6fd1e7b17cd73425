import { RATE_WINDOW_SECONDS } from '../api/bounds.ts'
import { ttlIn, updateItem } from './dynamo.ts'

/** How a caller stands against a limit. */
export type Rate = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean }

/** Counts one request of a subject (`user:ID`, `auth:ADDRESS`) in the current minute. */
export async function countRequest(subject: string, limit: number, now = Date.now()): Promise<Rate> {
  const window = Math.floor(now / 1000 / RATE_WINDOW_SECONDS)
  const item = await updateItem(
    'rates',
    { pk: `RATE#${subject}#${window}`, sk: 'RATE' },
    {
      update: 'ADD requests :one SET #ttl = if_not_exists(#ttl, :ttl)',
      names: { '#ttl': 'ttl' },
      values: { ':one': 1, ':ttl': ttlIn(2 * RATE_WINDOW_SECONDS) },
    },
  )
  const count = item?.requests as number
  const resetSeconds = Math.max(1, Math.ceil((window + 1) * RATE_WINDOW_SECONDS - now / 1000))
  return { limit, remaining: Math.max(0, limit - count), resetSeconds, exceeded: count > limit }
}
