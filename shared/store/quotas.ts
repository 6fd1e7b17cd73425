import { ProblemError } from '../api/problems.ts'
import type { Quota } from '../api/roles.ts'
import { getItem, type Item, transact, ttlIn, type Write } from './dynamo.ts'

/** What comes in: jobs, and bytes of their files. */
export type Amount = { jobs: number; bytes: number }

const DAY_SECONDS = 24 * 3600

/** The day that an instant falls on, in UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Seconds until the next day begins. */
const secondsLeft = (now: number): number => DAY_SECONDS - (Math.floor(now / 1000) % DAY_SECONDS)

const keyOf = (userId: string, day: string) => ({ pk: `QUOTA#${userId}#${day}`, sk: 'QUOTA' })

/** Each part of an amount with the limit for it. */
const limitOf = { jobs: 'jobsPerDay', bytes: 'bytesPerDay' } as const satisfies Record<keyof Amount, keyof Quota>
const parts = ['jobs', 'bytes'] as const

/** What has been counted of a user or service account today, and when the next day begins. */
export async function usedToday(userId: string, now = Date.now()): Promise<Amount & { resetsAt: string }> {
  const row = await getItem<Item & Amount>('rates', keyOf(userId, dayOf(now)))
  const resetsAt = new Date((Math.floor(now / 1000) + secondsLeft(now)) * 1000).toISOString()
  return { jobs: row?.jobs ?? 0, bytes: row?.bytes ?? 0, resetsAt }
}

/** How much more of each part a user may have today; infinitely much where there is no limit. */
export async function leftToday(userId: string, quota: Quota, now = Date.now()): Promise<Amount> {
  const used = await usedToday(userId, now)
  const left = (part: keyof Amount) => Math.max(0, (quota[limitOf[part]] ?? Number.POSITIVE_INFINITY) - used[part])
  return { jobs: left('jobs'), bytes: left('bytes') }
}

/**
 * Counts an amount of a user, all of it in one write or, where that would exceed the quota, nothing (429). Answers the day
 * that it was counted on.
 */
export async function countAmount(userId: string, quota: Quota, amount: Amount, now = Date.now()): Promise<string> {
  const day = dayOf(now)
  const write = counting(userId, quota, amount, day)
  // A transaction, so that a write whose answer is lost does not count twice.
  if (write && (await transact([write]))) return day
  throw await exceeded(userId, quota, amount, now)
}

/**
 * The write that counts an amount of a user, for a transaction with what it is counted for, and the day that it is counted on.
 * Throws where it would exceed the quota (429) by what was left when it was read, and so does the write by what is left then.
 */
export function countingAmount(
  userId: string,
  quota: Quota,
  { amount, left }: { amount: Amount; left: Amount },
  now = Date.now(),
): { day: string; write: Write } {
  const otherwise = new ProblemError({ type: 'quota_exceeded' })
  const day = dayOf(now)
  const write = counting(userId, quota, amount, day)
  if (!write || parts.some(part => amount[part] > left[part])) throw otherwise
  return { day, write: { ...write, otherwise } }
}

/** The write that counts an amount; undefined where no day has room for it. */
function counting(userId: string, quota: Quota, amount: Amount, day: string): Write | undefined {
  const limited = parts.filter(part => amount[part] > 0 && quota[limitOf[part]] !== undefined)
  const room = Object.fromEntries(limited.map(part => [`:${part}Room`, quota[limitOf[part]]! - amount[part]]))
  if (Object.values(room).some(most => most < 0)) return undefined
  const { jobs, bytes } = amount
  const condition = limited.map(part => `(attribute_not_exists(#${part}) OR #${part} <= :${part}Room)`).join(' AND ')
  const change = {
    update: 'ADD #jobs :jobs, #bytes :bytes SET #ttl = if_not_exists(#ttl, :ttl)',
    ...(condition && { condition }),
    names: { '#jobs': 'jobs', '#bytes': 'bytes', '#ttl': 'ttl' },
    values: { ':jobs': jobs, ':bytes': bytes, ':ttl': ttlIn(2 * DAY_SECONDS), ...room },
  }
  return { table: 'rates', update: keyOf(userId, day), change }
}

/** What is said to somebody whose quota leaves no room for an amount. */
async function exceeded(userId: string, quota: Quota, amount: Amount, now: number): Promise<ProblemError> {
  const left = await leftToday(userId, quota, now)
  const part = parts.find(part => amount[part] > left[part]) ?? 'jobs'
  const msg = `The quota of your role is ${quota[limitOf[part]]} ${part} a day; ${left[part]} are left until midnight UTC`
  return new ProblemError({ type: 'quota_exceeded', msg }, { 'Retry-After': String(secondsLeft(now)) })
}

/** Takes back what was counted of a user on a day, as long as that day lasts. */
export async function takeBack(userId: string, day: string, { jobs, bytes }: Amount, now = Date.now()): Promise<void> {
  if (day !== dayOf(now) || jobs + bytes === 0) return
  const change = {
    update: 'ADD #jobs :jobs, #bytes :bytes',
    condition: 'attribute_exists(pk)',
    names: { '#jobs': 'jobs', '#bytes': 'bytes' },
    values: { ':jobs': -jobs, ':bytes': -bytes },
  }
  await transact([{ table: 'rates', update: keyOf(userId, day), change }])
}
