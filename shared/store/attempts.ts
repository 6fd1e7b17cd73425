import { createHash } from 'node:crypto'
import { deleteItem, getItem, type Item, ttlIn, updateItem } from './dynamo.ts'

/** Failures that are forgiven before waiting begins: of one address, many people may share it. */
const FREE = { email: 5, address: 20 } as const
/** Longest wait, seconds. */
const LONGEST_SECONDS = 900

type Subject = { kind: keyof typeof FREE; value: string }
type Attempts = Item & { failures: number; lockedUntil?: number }

/** Addresses are personal data, so the key holds their digest. */
const keyOf = ({ kind, value }: Subject) => {
  const digest = createHash('sha256').update(value.toLowerCase()).digest('hex')
  return { pk: `ATTEMPTS#${kind}#${digest}`, sk: 'ATTEMPTS' }
}

/** Seconds that must pass before another try; 0 when one is allowed now. */
export async function secondsLocked(subject: Subject): Promise<number> {
  const attempts = await getItem<Attempts>('sessions', keyOf(subject))
  return Math.max(0, Math.ceil(((attempts?.lockedUntil ?? 0) - Date.now()) / 1000))
}

/** Counts a failed try; each one beyond the free ones doubles the wait. */
export async function countFailure(subject: Subject): Promise<void> {
  const key = keyOf(subject)
  const attempts = await updateItem<Attempts>('sessions', key, {
    update: 'ADD failures :one SET #ttl = :ttl',
    names: { '#ttl': 'ttl' },
    values: { ':one': 1, ':ttl': ttlIn(24 * 3600) },
  })
  const beyond = (attempts?.failures ?? 0) - FREE[subject.kind]
  if (beyond < 0) return
  const lockedUntil = Date.now() + 1000 * Math.min(LONGEST_SECONDS, 2 ** Math.min(beyond, 20))
  await updateItem('sessions', key, { update: 'SET lockedUntil = :until', values: { ':until': lockedUntil } })
}

/** Forgets the failures after a success. */
export const forgetFailures = (subject: Subject): Promise<void> => deleteItem('sessions', keyOf(subject))
