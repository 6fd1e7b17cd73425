import { randomUUID } from 'node:crypto'
import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { fileName } from '../../shared/http/multipart.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { announceFile, MAX_PARTS, partsOf } from '../../shared/jobs/lifecycle/upload.ts'
import { bytesOf, withinQuota } from '../../shared/jobs/lifecycle/within-quota.ts'
import { checkPreset } from '../../shared/rules/presets.ts'
import { createJob, newJob } from '../../shared/store/jobs.ts'
import { trackOpen } from '../../shared/store/open-work.ts'

export const handler = handle(jobs.uploads)(
  async ({ body: { name, description, presetId, mode, files }, user, note, write }) => {
    checkPreset(presetId)
    if (files.reduce((sum, { size }) => sum + partsOf(size), 0) > MAX_PARTS) {
      const msg = `The files would take more than ${MAX_PARTS} URLs together; announce them in several jobs`
      throw new ProblemError({ type: 'too_big', msg, loc: ['body', 'files'] })
    }
    const id = randomUUID()
    return withinQuota(user, { jobId: id, bytes: bytesOf(files) }, async counted => {
      const named = { id, ownerId: user.id, name, description, presetId, mode }
      const job = newJob({ ...named, ...counted }, files.length)
      const announced = []
      for (const file of files)
        announced.push(await announceFile(job.id, { ...file, filename: fileName(file.filename) }))
      note({ newId: job.id })
      await trackOpen('UPLOAD', job)
      await createJob(
        job,
        announced.map(({ asset }) => asset),
        write,
      )
      return showJob(job, { assets: announced.map(({ asset, upload }) => ({ ...asset, upload })) })
    })
  },
)
