import { assets } from '../../shared/api/assets.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'

export const handler = handle(assets.get)(async ({ params, user }) => (await findAsset(params.asset_id, user)).asset)
