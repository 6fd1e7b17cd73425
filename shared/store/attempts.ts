import { createHash } from 'node:crypto'
import { deleteItem, getItem, type Item, ttlIn, updateItem } from './dynamo.ts'

/** Failures that are forgiven before waiting begins: many people may share an address. */
const FREE = { email: 10, address: 20 } as const
/** How long failures are remembered, seconds. */
const KEPT_SECONDS = 24 * 3600
/** Longest wait, seconds. */
const LONGEST_SECONDS = 900

type Subject = { kind: keyof typeof FREE; value: string }
type Attempts = Item & { failures: number; lockedUntil?: number }

/** Addresses are personal data, so the key holds their digest. */
const keyOf = ({ kind, value }: Subject) => {
  const digest = createHash('sha256').update(value.toLowerCase()).digest('hex')
  return { pk: `ATTEMPTS#${kind}#${digest}`, sk: 'ATTEMPTS' }
}

const waitOf = (attempts: Attempts | undefined): number =>
  Math.max(0, Math.ceil(((attempts?.lockedUntil ?? 0) - Date.now()) / 1000))

/** Until when the next try must wait, milliseconds since 1970: each failure beyond the free ones doubles the wait. */
function lockAfter(kind: Subject['kind'], failures: number): number {
  const beyond = failures - FREE[kind]
  return beyond < 0 ? 0 : Date.now() + 1000 * Math.min(LONGEST_SECONDS, 2 ** Math.min(beyond, 20))
}

/** Seconds that must pass before another try; 0 when one is allowed now. */
export const secondsLocked = async (subject: Subject): Promise<number> =>
  waitOf(await getItem<Attempts>('sessions', keyOf(subject)))

/** Counts a failed try. */
export async function countFailure(subject: Subject): Promise<void> {
  const key = keyOf(subject)
  const attempts = await updateItem<Attempts>('sessions', key, {
    update: 'ADD failures :one SET #ttl = :ttl',
    names: { '#ttl': 'ttl' },
    values: { ':one': 1, ':ttl': ttlIn(KEPT_SECONDS) },
  })
  const lockedUntil = lockAfter(subject.kind, attempts?.failures ?? 0)
  if (lockedUntil === 0) return
  await updateItem('sessions', key, { update: 'SET lockedUntil = :until', values: { ':until': lockedUntil } })
}

/**
 * Takes leave for one try and answers 0, or the seconds to wait. A try counts as a failure until it is forgotten, and
 * only one of several at the same moment gets the same leave: a thousand at once are no more than one after the other.
 */
export async function claimTry(subject: Subject): Promise<number> {
  const key = keyOf(subject)
  for (let attempt = 0; attempt <= FREE[subject.kind]; attempt++) {
    const seen = await getItem<Attempts>('sessions', key)
    const wait = waitOf(seen)
    if (wait > 0) return wait
    const failures = (seen?.failures ?? 0) + 1
    const claimed = await updateItem('sessions', key, {
      update: 'SET failures = :failures, lockedUntil = :until, #ttl = :ttl',
      condition: seen ? 'failures = :seen' : 'attribute_not_exists(failures) OR #ttl <= :now',
      names: { '#ttl': 'ttl' },
      values: {
        ':failures': failures,
        ':until': lockAfter(subject.kind, failures),
        ':ttl': ttlIn(KEPT_SECONDS),
        ...(seen ? { ':seen': seen.failures } : { ':now': ttlIn(0) }),
      },
    })
    if (claimed) return 0
  }
  return 1
}

/** Forgets the failures after a success. */
export const forgetFailures = (subject: Subject): Promise<void> => deleteItem('sessions', keyOf(subject))
