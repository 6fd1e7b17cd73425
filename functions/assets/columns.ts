import { assets } from '../../shared/api/assets.ts'
import { discoverAsset } from '../../shared/discovery/discover-asset.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'

export const handler = handle(assets.columns)(async ({ params, user }) =>
  discoverAsset((await findAsset(params.asset_id, user)).asset),
)
