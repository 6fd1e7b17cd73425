import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparedBy, filterOf, type Plan } from 'anonymisation-engine'
import type { AssetRecord } from '../../store/assets.ts'
import { loadFilter } from '../../store/found-values.ts'
import type { JobRecord } from '../../store/job-record.ts'

/**
 * Brings the filter of the values of a job to a folder of this machine, if the plan makes use of it and there is one. A job
 * that an earlier version has executed goes on as it began: with a filter that holds no value if it had none.
 */
export async function fetchFilter(
  plan: Plan,
  { id, values, filter, assetCount }: Pick<JobRecord, 'id' | 'values' | 'filter' | 'assetCount'>,
  { type }: Pick<AssetRecord, 'type'>,
  directory: string,
): Promise<string | undefined> {
  if (comparedBy(plan).length === 0) return undefined
  const isAlone = type === 'DOCUMENT' && assetCount === 1
  if (!filter && (values || isAlone)) return undefined
  const path = join(directory, 'value-filter')
  await writeFile(path, filter ? await loadFilter(id, filter) : await filterOf([]))
  return path
}
