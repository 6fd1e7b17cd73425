import { assets } from '../../shared/api/assets.ts'
import { discoverAsset } from '../../shared/discovery/discover-asset.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findFile } from '../../shared/jobs/lifecycle/find-job.ts'

export const handler = handle(assets.columns)(async ({ params, user }) => {
  const { asset, begun } = await findFile(params.asset_id, user)
  return discoverAsset(asset, begun)
})
