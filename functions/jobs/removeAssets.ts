import * as z from 'zod'
import { Id } from '../../shared/api/common.ts'
import { jobs } from '../../shared/api/jobs.ts'
import { notFound, ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { parseAll } from '../../shared/http/validate.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { removeFile } from '../../shared/jobs/lifecycle/remove-file.ts'
import { takeBackAwaited } from '../../shared/jobs/lifecycle/within-quota.ts'
import { listAssets, removeAssets } from '../../shared/store/assets.ts'

export const handler = handle(jobs.removeAssets)(async ({ params, query, body, user, write }) => {
  const job = await findJob(params.job_id, user)
  const value = { assetIds: [...(body.assetIds ?? []), ...(query.assetIds?.split(',').filter(Boolean) ?? [])] }
  const [named] = parseAll([{ at: 'body', schema: z.object({ assetIds: z.array(Id).min(1) }), value }]) as [
    typeof value,
  ]
  const ids = new Set(named.assetIds)
  const assets = (await listAssets(job.id)).filter(({ id }) => ids.has(id))
  if (assets.length < ids.size) throw notFound('asset in this job')
  if (!(await removeAssets(job.id, assets, write))) throw new ProblemError({ type: 'job_not_pending' })
  await takeBackAwaited(job, assets)
  for (const asset of assets) await removeFile(asset)
  return showJob(await findJob(job.id, user))
})
