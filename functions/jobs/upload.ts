import { randomUUID } from 'node:crypto'
import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { storeFile } from '../../shared/jobs/lifecycle/upload.ts'
import { withinQuota } from '../../shared/jobs/lifecycle/within-quota.ts'
import { together } from '../../shared/jobs/together.ts'
import { checkPreset } from '../../shared/rules/presets.ts'
import { settings } from '../../shared/settings.ts'
import { createJob, newJob } from '../../shared/store/jobs.ts'

export const handler = handle(jobs.upload)(async ({ body, files, user, note, write }) => {
  if (files.length === 0)
    throw new ProblemError({ type: 'missing', msg: 'At least one file is required', loc: ['body', 'files'] })
  const empty = files.flatMap(({ bytes, name }, n) =>
    bytes.length === 0
      ? [{ type: 'too_small' as const, msg: `${name} is empty`, loc: ['body', 'files', String(n)] }]
      : [],
  )
  if (empty.length > 0) throw new ProblemError(empty)
  checkPreset(body.presetId)
  const limit = settings().MAX_UPLOAD_BYTES
  const bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (bytes > limit) {
    const msg = `The files are larger than ${limit} bytes together; announce them with POST /jobs/uploads`
    throw new ProblemError({ type: 'payload_too_large', msg, loc: ['body', 'files'] })
  }
  const id = randomUUID()
  return withinQuota(user, { jobId: id, bytes }, async counted => {
    const job = newJob({ id, ownerId: user.id, ...body, ...counted }, files.length)
    note({ newId: id })
    const assets = await together(files.map(file => storeFile(job.id, file)))
    await createJob(job, assets, write)
    return showJob(job, { assets })
  })
})
