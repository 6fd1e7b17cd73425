import { assets } from '../../shared/api/assets.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findFile } from '../../shared/jobs/lifecycle/find-job.ts'
import { showAsset } from '../../shared/jobs/show/show-asset.ts'

export const handler = handle(assets.page)(async ({ params, query, user, note }) => {
  const { asset, begun } = await findFile(params.asset_id, user)
  const page = await showAsset(asset, begun, query.page)
  note({ disclosed: true })
  return page
})
