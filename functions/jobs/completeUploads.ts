import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { completeUploads } from '../../shared/jobs/lifecycle/complete-uploads.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { listAssets } from '../../shared/store/assets.ts'

export const handler = handle(jobs.completeUploads)(async ({ params, user, write }) => {
  const job = await findJob(params.job_id, user)
  if (job.status !== 'PENDING') throw new ProblemError({ type: 'job_not_pending' })
  const missing = await completeUploads(job.id, await listAssets(job.id), write)
  if (missing.length > 0) {
    const msg = (name: string) => `${name} has not arrived with the size that was announced`
    throw new ProblemError(
      missing.map(name => ({ type: 'upload_incomplete' as const, msg: msg(name), loc: ['assets'] })),
    )
  }
  return showJob(await findJob(job.id, user))
})
