import { notFound } from '../../api/problems.ts'
import { findOwned, isVisible } from '../../http/authorise.ts'
import type { Caller } from '../../http/caller.ts'
import { type AssetRecord, getAsset, objectAt } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB } from '../../store/jobs.ts'
import { type Begun, beginObject } from '../../store/object-input.ts'

/** A job that the caller may see; another's answers as if it were not there (404). */
export const findJob = (id: string, user: Caller, loc?: string[]): Promise<JobRecord & Item> =>
  findOwned<JobRecord>(JOB, id, user, 'jobs', loc)

/** An asset that the caller may see, with its job (see `getAsset`); another's answers as if it were not there (404). */
export async function findAsset(
  id: string,
  user: Caller,
  also?: Parameters<typeof getAsset>[1],
): Promise<{ asset: AssetRecord; job: JobRecord }> {
  const found = await getAsset(id, also)
  if (!isVisible(user, 'assets', found.job.ownerId)) throw notFound('asset')
  return found
}

/** An asset that the caller may see, and its file, which is begun to be read meanwhile. */
export async function findFile(id: string, user: Caller): Promise<{ asset: AssetRecord; begun: Begun | undefined }> {
  let begun: Begun | undefined
  const { asset } = await findAsset(id, user, place => {
    begun = beginObject(objectAt(place))
    return []
  })
  return { asset, begun }
}
