import { countItems, createItem, deleteItem, type Item, putItem, queryItems } from './dynamo.ts'

/**
 * What the sweeper looks after: a job that runs, one that is loaded from a source, one whose uploads are awaited, one
 * whose results are delivered.
 */
export type WatchKind = 'RUN' | 'LOAD' | 'UPLOAD' | 'DELIVERY'

/** A job under the sweeper's eyes. */
export type Watched = Item & { kind: WatchKind; jobId: string; deliveryId?: string; since: string; sweeps: number }

/** A job, as far as it is needed here. */
type Job = { id: string; ownerId: string }

const PARTITION = 'WATCH'
const prefixOf = (kind: WatchKind, ownerId: string) => `${kind}#${ownerId}#`
const keyOf = (kind: WatchKind, { id, ownerId }: Job, deliveryId?: string) => ({
  pk: PARTITION,
  sk: `${prefixOf(kind, ownerId)}${[id, deliveryId].filter(Boolean).join('#')}`,
})

/** Puts a job under the sweeper's eyes; written before the work begins, so that a lost message is noticed. */
export async function watch(kind: WatchKind, job: Job, deliveryId?: string): Promise<void> {
  const row = { kind, jobId: job.id, deliveryId, since: new Date().toISOString(), sweeps: 0 }
  await createItem('jobs', { ...keyOf(kind, job, deliveryId), ...row })
}

/** Lets a job go. */
export const unwatch = (kind: WatchKind, job: Job, deliveryId?: string): Promise<void> =>
  deleteItem('jobs', keyOf(kind, job, deliveryId))

/** Lets go of what the sweeper has found. */
export const dismiss = (row: Watched): Promise<void> => deleteItem('jobs', row)

/** Remembers that the sweeper acted on a job once more. */
export const countSweep = (row: Watched): Promise<void> => putItem('jobs', { ...row, sweeps: row.sweeps + 1 })

/** Every job under the sweeper's eyes. */
export const watched = (): AsyncGenerator<Watched> => queryItems<Watched>({ table: 'jobs', key: PARTITION })

/** How many jobs of a user run or wait to run. */
export const countRunning = (ownerId: string): Promise<number> =>
  countItems({ table: 'jobs', key: PARTITION, prefix: prefixOf('RUN', ownerId) })
