import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparedBy, type Plan } from 'anonymisation-engine'
import { loadFilter } from '../../store/found-values.ts'
import type { JobRecord } from '../../store/job-record.ts'

/** Brings the filter of the values of a job's tables to a folder of this machine, if there is one and the plan makes use of it. */
export async function fetchFilter(
  plan: Plan,
  { id, filter }: JobRecord,
  directory: string,
): Promise<string | undefined> {
  if (!filter || comparedBy(plan).length === 0) return undefined
  const path = join(directory, 'value-filter')
  await writeFile(path, await loadFilter(id, filter))
  return path
}
