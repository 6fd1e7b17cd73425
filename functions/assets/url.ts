import { assets } from '../../shared/api/assets.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'
import { objectOf } from '../../shared/store/assets.ts'
import { downloadUrl } from '../../shared/store/objects.ts'

export const handler = handle(assets.url)(async ({ params, user }) => {
  const { asset } = await findAsset(params.asset_id, user)
  const { name, contentType, size } = asset
  if (asset.status !== 'READY' || size === null) throw new ProblemError({ type: 'asset_not_ready' })
  return { ...(await downloadUrl(objectOf(asset), name, contentType)), name, contentType, size }
})
