import { ProblemError } from '../../api/problems.ts'
import type { Quota } from '../../api/roles.ts'
import { limiting } from '../../http/caller.ts'
import type { AssetRecord } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { countAmount, leftToday, takeBack } from '../../store/quotas.ts'
import { findRecord } from '../../store/records.ts'
import { standingOf } from '../../store/roles.ts'
import { SERVICE_ACCOUNT, type ServiceAccountRecord } from '../../store/service-accounts.ts'
import { USER, type UserRecord } from '../../store/users.ts'

/** The quota that the owner of a counted job has now. */
async function quotaOf({ ownerId, counted }: JobRecord): Promise<Quota | undefined> {
  if (!counted) return undefined
  const [user, account] = await Promise.all([
    findRecord<UserRecord>(USER, ownerId),
    findRecord<ServiceAccountRecord>(SERVICE_ACCOUNT, ownerId),
  ])
  const role = (user ?? account)?.role
  return role === undefined ? undefined : limiting((await standingOf(role))?.quota)
}

/** How many bytes of an asset may come: what was counted when it was announced, and what is left of the quota. */
export async function roomFor(job: JobRecord, { size }: AssetRecord): Promise<number> {
  const quota = await quotaOf(job)
  if (!quota) return Number.POSITIVE_INFINITY
  return (size ?? 0) + (await leftToday(job.ownerId, quota)).bytes
}

/** What is wrong with an asset that turns out larger than its room. */
export const roomExceeded = (): ProblemError => new ProblemError({ type: 'quota_exceeded' })

/**
 * Settles an asset that has come, and counts what is more or less than was announced: what is more than the quota allows
 * is refused (429). Where the asset is not wanted any more, nothing is counted.
 */
export async function settleWithin(
  job: JobRecord,
  { size: announced }: AssetRecord,
  size: number,
  settle: () => Promise<boolean>,
): Promise<void> {
  const { ownerId, counted } = job
  const more = size - (announced ?? 0)
  const quota = more > 0 ? await quotaOf(job) : undefined
  const day = quota && (await countAmount(ownerId, quota, { jobs: 0, bytes: more }))
  const settled = await settle()
  if (day && !settled) await takeBack(ownerId, day, { jobs: 0, bytes: more })
  if (counted && settled && more < 0) await takeBack(ownerId, counted, { jobs: 0, bytes: -more })
}
