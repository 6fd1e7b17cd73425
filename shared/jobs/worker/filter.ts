import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparedBy, filterOf, type Plan } from 'anonymisation-engine'
import { loadFilter } from '../../store/found-values.ts'
import type { JobRecord } from '../../store/job-record.ts'

/**
 * Brings the filter of the values of a job's tables to a folder of this machine, if the plan makes use of it and there is one. A job
 * that a version without filters has executed goes on as it began: with one that holds no value.
 */
export async function fetchFilter(
  plan: Plan,
  { id, values, filter }: Pick<JobRecord, 'id' | 'values' | 'filter'>,
  directory: string,
): Promise<string | undefined> {
  if (comparedBy(plan).length === 0) return undefined
  if (!filter && values !== undefined) return undefined
  const path = join(directory, 'value-filter')
  await writeFile(path, filter ? await loadFilter(id, filter) : await filterOf([]))
  return path
}
