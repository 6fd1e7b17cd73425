import { randomUUID } from 'node:crypto'
import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { hasPermission } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showJob } from '../../shared/jobs/lifecycle/present-job.ts'
import { bytesOf, withinQuota } from '../../shared/jobs/lifecycle/within-quota.ts'
import { newLoad } from '../../shared/jobs/load/load-asset.ts'
import { startLoad } from '../../shared/jobs/load/start-load.ts'
import { checkPreset } from '../../shared/rules/presets.ts'
import { withEgressErrors } from '../../shared/sources/context.ts'
import { findNamedSource } from '../../shared/sources/find.ts'
import { locateInSource } from '../../shared/sources/sources.ts'
import { newJob } from '../../shared/store/jobs.ts'
import { openSource } from '../../shared/store/sources.ts'

export const handler = handle(jobs.load)(async ({ body, user, note, write }) => {
  const { sourceId, sourceType, description, presetId, mode } = body
  if (!hasPermission(user, 'sources:read')) {
    throw new ProblemError({ type: 'permission_denied', msg: 'This needs the permission sources:read' })
  }
  checkPreset(presetId)
  const stored = await findNamedSource(sourceId, user)
  if (stored.kind !== sourceType) throw new ProblemError({ type: 'source_type_mismatch', loc: ['body', 'sourceType'] })
  const names = [...new Set(body.files_load_config.filenames)]
  const source = await openSource(stored)
  const found = await withEgressErrors(stored.ownerId, context => locateInSource(source, context, names), [
    'body',
    'sourceId',
  ])
  const missing = names.filter((_, n) => !found[n] || found[n].type === 'folder')
  if (missing.length > 0) {
    const at = (name: string) => String(body.files_load_config.filenames.indexOf(name))
    const loc = (name: string) => ['body', 'files_load_config', 'filenames', at(name)]
    throw new ProblemError(missing.slice(0, 100).map(name => ({ type: 'file_not_found' as const, loc: loc(name) })))
  }
  const named = { name: body.name ?? stored.name, description, presetId, mode, sourceId }
  const entries = found.map(entry => entry!)
  const id = randomUUID()
  return withinQuota(user, { jobId: id, bytes: bytesOf(entries) }, async counted => {
    const job = newJob({ id, ownerId: user.id, ...named, ...counted }, names.length)
    const assets = entries.map(entry => newLoad(job, entry))
    note({ newId: job.id })
    await startLoad(job, assets, write)
    return showJob(job, { assets })
  })
})
