import { createHash } from 'node:crypto'
import { EngineError, type Input } from 'anonymisation-engine'
import type { AssetRecord } from './assets.ts'
import { getItems, type Item, queryItems, transact, updateItem } from './dynamo.ts'
import type { FilterRef, JobRecord } from './job-record.ts'
import { type Begun, JOB, whileRunning } from './jobs.ts'
import { objectInput } from './object-input.ts'
import { deleteObjects, type ObjectKey, putObject, readIfThere } from './objects.ts'
import { keyOf } from './records.ts'

/** The asset whose values were marked, and the bytes of each file of marks. */
type FoundRow = Item & { assetId: string; sizes: number[] }

/** Whether the values of a job are still looked for, before anything is made of them. */
export const findsValues = ({ values, filter, review }: JobRecord): boolean =>
  Boolean(values) && !filter && (review == null || review.state === 'released')

/** Whether they are looked for in an asset: jobs that an earlier version has executed have theirs looked for in tables alone. */
export const isLookedThrough = ({ values }: JobRecord, { type }: Pick<AssetRecord, 'type'>): boolean =>
  type === 'TABLE' || values?.documents !== undefined

/** Whether they have been looked for in all assets that have not failed. */
export function hasFoundValues(job: JobRecord): boolean {
  const { values, found = 0, failed } = job
  return findsValues(job) && found + failed >= values!.tables + (values!.documents ?? 0)
}

const rowKey = (jobId: string, assetId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: `VALUES#${assetId}` })
const marksFolder = (jobId: string) => `${jobId}/marks-`

/** Where the marks of the values of a file, or of one chunk of a table, are kept. */
export const marksObject = ({ jobId, id }: Pick<AssetRecord, 'jobId' | 'id'>, n: number): ObjectKey => ({
  bucket: 'results',
  key: `${marksFolder(jobId)}${id}-${n}`,
})

const filterObject = (jobId: string) => ({ bucket: 'results' as const, key: `${jobId}/value-filter` })

/** Counts an asset whose values were marked, once, and only while its job runs as it was begun. */
export function recordFound(job: Begun, assetId: string, sizes: number[]): Promise<boolean> {
  const { condition, names, values } = whileRunning(job)
  return transact([
    {
      table: 'jobs',
      put: { ...rowKey(job.id, assetId), assetId, sizes },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    {
      table: 'jobs',
      update: keyOf(JOB, job.id),
      change: {
        update: 'ADD #found :one SET heartbeatAt = :now',
        condition: `${condition} AND attribute_not_exists(#filter)`,
        names: { ...names, '#filter': 'filter', '#found': 'found' },
        values: { ...values, ':one': 1, ':now': new Date().toISOString() },
      },
    },
  ])
}

/** Which of the assets have their values marked. */
export async function assetsWithMarks(jobId: string, assetIds: string[]): Promise<Set<string>> {
  const rows = await getItems<FoundRow>(
    'jobs',
    assetIds.map(id => rowKey(jobId, id)),
  )
  return new Set(rows.map(({ assetId }) => assetId))
}

/** All files of marks of a job. */
export async function marksOf(jobId: string): Promise<Input[]> {
  const marks: Input[] = []
  for await (const { assetId, sizes } of queryItems<FoundRow>({
    table: 'jobs',
    key: keyOf(JOB, jobId).pk,
    prefix: 'VALUES#',
  }))
    for (const [n, size] of sizes.entries())
      if (size > 0) marks.push(objectInput(marksObject({ jobId, id: assetId }, n), '', size))
  return marks
}

/** Keeps the filter of a job, of which there is one: the first that comes. The marks that it was made of go. */
export async function saveFilter(jobId: string, filter: Uint8Array): Promise<void> {
  const sha256 = digestOf(filter)
  await putObject(filterObject(jobId), filter, 'application/octet-stream')
  await updateItem('jobs', keyOf(JOB, jobId), {
    update: 'SET #filter = :filter',
    condition: '#status = :running AND attribute_not_exists(#filter)',
    names: { '#status': 'status', '#filter': 'filter' },
    values: { ':filter': { sha256 } satisfies FilterRef, ':running': 'IN_PROGRESS' },
  })
}

/** Removes the files of marks, which nobody needs once there is a filter. */
export const eraseMarks = (jobId: string): Promise<void> => deleteObjects('results', marksFolder(jobId))

/** The filter of a job, which must be the very one that others have. */
export async function loadFilter(jobId: string, { sha256 }: FilterRef): Promise<Buffer> {
  const filter = await readIfThere(filterObject(jobId))
  if (filter && digestOf(filter) === sha256) return filter
  throw new EngineError('internal', 'What was kept of the values of the job is missing')
}

/** Removes what was kept of the values of a job that has ended, as far as it came. */
export async function eraseFound(jobId: string): Promise<void> {
  await Promise.all([eraseMarks(jobId), deleteObjects('results', filterObject(jobId).key)])
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
