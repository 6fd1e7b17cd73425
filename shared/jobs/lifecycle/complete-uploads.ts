import { ProblemError } from '../../api/problems.ts'
import { changePendingAsset, listAssets } from '../../store/assets.ts'
import { arrived } from './upload.ts'

/** Takes in the announced files of a job that have arrived; answers the names of those that have not. */
export async function completeUploads(jobId: string): Promise<string[]> {
  const waiting = (await listAssets(jobId)).filter(({ status }) => status === 'UPLOADING')
  const missing: string[] = []
  for (const asset of waiting) {
    const changes = await arrived(asset)
    if (!changes) missing.push(asset.name)
    else if (!(await changePendingAsset(asset, changes))) throw new ProblemError({ type: 'job_not_pending' })
  }
  return missing
}
