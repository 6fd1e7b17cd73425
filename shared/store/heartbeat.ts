import { chunkKey } from './chunks.ts'
import { transact, updateItem } from './dynamo.ts'
import type { JobRecord } from './job-record.ts'
import { JOB, resultKey } from './jobs.ts'
import { attributeOf, type Made } from './progress.ts'
import { keyOf } from './records.ts'

const living = () => ({ ':now': new Date().toISOString(), ':running': 'IN_PROGRESS' })

/** Says that a job is being worked on. */
export const heartbeat = (id: string): Promise<unknown> =>
  updateItem('jobs', keyOf(JOB, id), {
    update: 'SET heartbeatAt = :now',
    condition: '#status = :running',
    names: { '#status': 'status' },
    values: living(),
  })

/**
 * Says how far a unit of a job, as it was last seen, has come, and so that the job is being worked on. What is said of a
 * unit never falls, and nothing is said of one that has ended, however late this comes; false when nothing was.
 */
export async function tell(job: JobRecord, { unit, bytes }: Made): Promise<boolean> {
  const key = keyOf(JOB, job.id)
  const attribute = attributeOf(unit)
  const change = {
    update: 'SET heartbeatAt = :now, #bytes = :bytes',
    names: { '#status': 'status', '#bytes': attribute },
    values: { ...living(), ':bytes': bytes },
  }
  const running = '#status = :running AND'
  // It goes when the unit ends and must not come back: only its first value needs a look at the unit's own row.
  if (job[attribute] !== undefined) {
    return (await updateItem('jobs', key, { ...change, condition: `${running} #bytes < :bytes` })) !== undefined
  }
  const { assetId, chunk } = unit
  const ends = [resultKey(job.id, assetId), ...(chunk === undefined ? [] : [chunkKey(job.id, assetId, chunk)])]
  return transact([
    { table: 'jobs', update: key, change: { ...change, condition: `${running} attribute_not_exists(#bytes)` } },
    ...ends.map(end => ({ table: 'jobs' as const, check: end, condition: { condition: 'attribute_not_exists(pk)' } })),
  ])
}
