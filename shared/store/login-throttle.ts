import { getItem, type Item, ttlIn, updateItem } from './dynamo.ts'
import { keyedDigest } from './keys.ts'

/** Failures that are forgiven before waiting begins: many people may share an address. */
const FREE = { account: 10, place: 10, address: 20 } as const
/** How long failures are remembered, seconds. */
const KEPT_SECONDS = 24 * 3600
/** Longest wait, seconds. */
const LONGEST_SECONDS = 900

/** Whose failures are counted: an account's from everywhere, an account's from one place, or those of one address. */
export type Subject = { kind: keyof typeof FREE; value: string }

/** The leave for a try: the seconds to wait for it, or 0 and what it takes to withdraw it. */
export type Claim = { wait: number; lockedUntil: number }

type Attempts = Item & { failures: number; lockedUntil?: number }

/** E-mail and network addresses are personal data and few enough to be tried out, so the key holds a keyed digest. */
const keyOf = async ({ kind, value }: Subject) => ({
  pk: `ATTEMPTS#${kind}#${await keyedDigest('log-in attempts', value)}`,
  sk: 'ATTEMPTS',
})

const waitOf = (attempts: Attempts | undefined): number =>
  Math.max(0, Math.ceil(((attempts?.lockedUntil ?? 0) - Date.now()) / 1000))

/** Until when the next try must wait, milliseconds since 1970: each failure beyond the free ones doubles the wait. */
function lockAfter(kind: Subject['kind'], failures: number): number {
  const beyond = failures - FREE[kind]
  return beyond < 0 ? 0 : Date.now() + 1000 * Math.min(LONGEST_SECONDS, 2 ** Math.min(beyond, 20))
}

/** Seconds that must pass before another try; 0 when one is allowed now. */
export const secondsLocked = async (subject: Subject): Promise<number> =>
  waitOf(await getItem<Attempts>('sessions', await keyOf(subject)))

/** Counts a failed try. */
export async function countFailure(subject: Subject): Promise<void> {
  const key = await keyOf(subject)
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
 * Takes leave for one try. A try counts as a failure until it is withdrawn, and only one of several at the same moment
 * gets the same leave: a thousand at once are no more than one after the other.
 */
export async function claimAttempt(subject: Subject): Promise<Claim> {
  const key = await keyOf(subject)
  for (let attempt = 0; attempt <= FREE[subject.kind]; attempt++) {
    const seen = await getItem<Attempts>('sessions', key)
    const wait = waitOf(seen)
    if (wait > 0) return { wait, lockedUntil: 0 }
    const failures = (seen?.failures ?? 0) + 1
    const lockedUntil = lockAfter(subject.kind, failures)
    const claimed = await updateItem('sessions', key, {
      update: 'SET failures = :failures, lockedUntil = :until, #ttl = :ttl',
      condition: seen ? 'failures = :seen' : 'attribute_not_exists(failures) OR #ttl <= :now',
      names: { '#ttl': 'ttl' },
      values: {
        ':failures': failures,
        ':until': lockedUntil,
        ':ttl': ttlIn(KEPT_SECONDS),
        ...(seen ? { ':seen': seen.failures } : { ':now': ttlIn(0) }),
      },
    })
    if (claimed) return { wait: 0, lockedUntil }
  }
  return { wait: 1, lockedUntil: 0 }
}

/** Takes back a try that has succeeded: failures before it stay, so success gives nobody else new tries. */
export async function withdrawAttempt(subject: Subject, { lockedUntil }: Claim): Promise<void> {
  const key = await keyOf(subject)
  const values = { ':less': -1, ':mine': lockedUntil, ':none': 0 }
  const condition = 'lockedUntil = :mine'
  if (await updateItem('sessions', key, { update: 'SET lockedUntil = :none ADD failures :less', condition, values }))
    return
  await updateItem('sessions', key, { update: 'ADD failures :less', values: { ':less': -1 } })
}
