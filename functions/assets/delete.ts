import { assets } from '../../shared/api/assets.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'
import { removeFile } from '../../shared/jobs/lifecycle/remove-file.ts'
import { takeBackAwaited } from '../../shared/jobs/lifecycle/within-quota.ts'
import { removeAssetRows, removeAssets } from '../../shared/store/assets.ts'
import { noteOutputGone } from '../../shared/store/jobs.ts'

export const handler = handle(assets.delete)(async ({ params, user, write }) => {
  const { asset, job } = await findAsset(params.asset_id, user)
  if (job.status === 'IN_PROGRESS') throw new ProblemError({ type: 'asset_in_use' })
  if (job.status !== 'PENDING')
    await removeAssetRows(asset, asset.derivedFrom ? [noteOutputGone(job.id, asset.derivedFrom)] : [], write)
  else if (!(await removeAssets(job.id, [asset], write))) throw new ProblemError({ type: 'asset_in_use' })
  else await takeBackAwaited(job, [asset])
  await removeFile(asset)
  return { id: asset.id, deleted: true as const }
})
