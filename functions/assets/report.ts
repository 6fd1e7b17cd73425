import { assets } from '../../shared/api/assets.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'
import { usedPreset, withUrls } from '../../shared/jobs/lifecycle/present-job.ts'
import { findResult, resultKey } from '../../shared/store/jobs.ts'

export const handler = handle(assets.report)(async ({ params, user, note }) => {
  const { asset, job } = await findAsset(params.asset_id, user, ({ jobId, inputId }) =>
    inputId === undefined ? [] : [resultKey(jobId, inputId)],
  )
  const result = await findResult(asset.jobId, asset.derivedFrom ?? asset.id)
  if (!result) throw new ProblemError({ type: 'asset_not_ready', msg: 'The asset has not been processed' })
  const [report] = await withUrls(job, [result])
  note({ disclosed: report!.url !== null })
  return { ...report!, ...usedPreset(job) }
})
