import { assets } from '../../shared/api/assets.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { fileName } from '../../shared/http/multipart.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'
import { changePendingAssets } from '../../shared/store/assets.ts'

export const handler = handle(assets.update)(async ({ params, body, user, write }) => {
  const { asset } = await findAsset(params.asset_id, user)
  const name = body.name === undefined ? undefined : fileName(body.name)
  const changes = { name, type: body.type, table: body.table }
  const changed = !asset.derivedFrom && (await changePendingAssets(asset.jobId, [[asset, changes]], write))
  if (!changed) throw new ProblemError({ type: 'asset_in_use' })
  return (await findAsset(params.asset_id, user)).asset
})
