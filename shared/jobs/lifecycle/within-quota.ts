import type { Caller } from '../../http/caller.ts'
import { type AssetRecord, listAssets } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB } from '../../store/jobs.ts'
import { countAmount, takeBack } from '../../store/quotas.ts'
import { findRecord } from '../../store/records.ts'

/** What a job says of its quota: the day on which it was counted. */
type Counted = Pick<JobRecord, 'counted'>

/** The bytes of files as far as they are known. */
export const bytesOf = (files: readonly { size?: number | null }[]): number =>
  files.reduce((sum, { size }) => sum + (size ?? 0), 0)

/**
 * Makes a job with so many bytes within the quota of whoever makes it: refused beyond it (429), counted otherwise, and not
 * counted after all if it fails without the job. Nothing is counted of a role without quota.
 */
export async function withinQuota<T>(
  { id, quota }: Pick<Caller, 'id' | 'quota'>,
  { jobId, bytes }: { jobId: string; bytes: number },
  make: (counted: Counted) => Promise<T>,
): Promise<T> {
  if (!quota) return make({})
  const amount = { jobs: 1, bytes }
  const counted = await countAmount(id, quota, amount)
  try {
    return await make({ counted })
  } catch (error) {
    // Whatever went wrong is what the caller is told.
    await takeBackWithout(jobId, () => takeBack(id, counted, amount)).catch(() => {})
    throw error
  }
}

/** Takes back what was counted for a job, unless the job is there: what failed then came after it. */
async function takeBackWithout(jobId: string, back: () => Promise<void>): Promise<void> {
  if (!(await findRecord(JOB, jobId))) await back()
}

const isAwaited = ({ status }: AssetRecord): boolean => status === 'UPLOADING' || status === 'LOADING'

/** Takes back the bytes of assets that were announced and will not come, of a job that they were counted for. */
export async function takeBackAwaited(
  { counted, ownerId }: Pick<JobRecord, 'counted' | 'ownerId'>,
  assets: readonly AssetRecord[],
): Promise<void> {
  if (counted) await takeBack(ownerId, counted, { jobs: 0, bytes: bytesOf(assets.filter(isAwaited)) })
}

/** The assets of a job that has not begun, where what of them does not come is to be taken back; none of any other. */
export const awaitedAssets = async ({ id, status, counted }: JobRecord): Promise<AssetRecord[]> =>
  counted && status === 'PENDING' ? listAssets(id) : []
