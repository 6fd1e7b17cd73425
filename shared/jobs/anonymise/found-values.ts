import { open, stat } from 'node:fs/promises'
import { filterOf } from 'anonymisation-engine'
import { type AssetRecord, listAssets } from '../../store/assets.ts'
import type { Item } from '../../store/dynamo.ts'
import {
  assetsWithMarks,
  eraseFound,
  eraseMarks,
  findsValues,
  isLookedThrough,
  marksObject,
  marksOf,
  recordFound,
  saveFilter,
} from '../../store/found-values.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { assetsWithResult, type Begun, JOB } from '../../store/jobs.ts'
import { putFile } from '../../store/objects.ts'
import { findRecord } from '../../store/records.ts'
import { fanOut } from '../lifecycle/plan-job.ts'

/** Keeps the marks of the values of a file, or of one chunk of a table; answers their bytes. */
export async function storeMarks(asset: AssetRecord, n: number, path: string): Promise<number> {
  const { size } = await stat(path)
  if (size === 0) return 0
  await using file = await open(path)
  await putFile(marksObject(asset, n), file, size, 'application/octet-stream')
  return size
}

/** Keeps the marks of the values of a whole file, and counts it. Again is fine. */
export async function storeFound(job: Begun, asset: AssetRecord, path: string): Promise<void> {
  await recordFound(job, asset.id, [await storeMarks(asset, 0, path)])
}

/** Brings together what was found in the files of a job, and has the job shared out. Again is fine. */
export async function uniteFound(jobId: string): Promise<void> {
  const job = await findRecord<JobRecord & Item>(JOB, jobId)
  if (!job?.values) return
  // Whoever is late, or a message that came twice, may find a job that has ended, or one that ends meanwhile.
  if (job.status !== 'IN_PROGRESS') return eraseFound(jobId)
  if (findsValues(job)) {
    if (await isMissing(job)) return
    await heartbeat(jobId)
    await saveFilter(jobId, await filterOf(await marksOf(jobId)))
  }
  const now = await findRecord<JobRecord & Item>(JOB, jobId)
  if (now && now.status !== 'IN_PROGRESS') return eraseFound(jobId)
  if (!now?.filter) return
  await eraseMarks(jobId)
  await fanOut(now)
}

/** Whether a file that is looked through has neither marks nor failed. */
async function isMissing(job: JobRecord): Promise<boolean> {
  const ids = (await listAssets(job.id)).filter(asset => isLookedThrough(job, asset)).map(({ id }) => id)
  const [found, ended] = await Promise.all([assetsWithMarks(job.id, ids), assetsWithResult(job.id, ids)])
  return ids.some(id => !found.has(id) && !ended.has(id))
}
