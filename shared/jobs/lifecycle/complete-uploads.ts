import { ProblemError } from '../../api/problems.ts'
import { type AssetRecord, changePendingAssets } from '../../store/assets.ts'
import { type Transact, transact } from '../../store/dynamo.ts'
import { arrived } from './upload.ts'

/** Files that are asked for, and noted, at a time. */
const AT_ONCE = 40

/** Whether the file of an asset was announced and has not been taken in. */
export const isAnnounced = ({ status }: AssetRecord): boolean => status === 'UPLOADING'

/** Takes in the announced files of a job's assets that have arrived; answers the names of those that have not. */
export async function completeUploads(
  jobId: string,
  assets: readonly AssetRecord[],
  write: Transact = transact,
): Promise<string[]> {
  const waiting = assets.filter(isAnnounced)
  const missing: string[] = []
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const some = await Promise.all(
      waiting.slice(at, at + AT_ONCE).map(async asset => [asset, await arrived(asset)] as const),
    )
    const here = some.flatMap(([asset, changes]) => (changes ? [[asset, changes] as const] : []))
    if (here.length > 0 && !(await changePendingAssets(jobId, here, write)))
      throw new ProblemError({ type: 'job_not_pending' })
    missing.push(...some.filter(([, changes]) => !changes).map(([{ name }]) => name))
  }
  return missing
}
